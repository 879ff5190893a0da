// Where there is no HDF5 library: the browser, and Python, which hands over what it has read itself.
#include <fmt/format.h>

#include "cavity/errors.hpp"
#include "file/messages.hpp"
#include "read/cell_file.hpp"

namespace cavity {

Dataset read_cell_file(const Bytes&, const std::string& path, const ReadOptions&) {
  throw InputError(
      fmt::format("{}: HDF5 files (.h5ad, .h5) cannot be read here; the command line reads them, and so does "
                  "Python: anndata.read_h5ad(FILE)",
                  shown_path(path)));
}

}  // namespace cavity
