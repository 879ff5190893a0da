#include "read/dataset_from_bytes.hpp"

#include <fmt/format.h>

#include <new>
#include <utility>

#include "cavity/errors.hpp"
#include "file/content.hpp"
#include "file/expand_content.hpp"
#include "file/messages.hpp"
#include "read/csv.hpp"
#include "read/matrix_market.hpp"
#include "read/npy.hpp"
#include "read/svmlight.hpp"

namespace cavity {

namespace {

Dataset read_content(Bytes bytes, const std::string& path, const ReadOptions& options) {
  switch (detect_content(bytes.view(), path)) {
    case Content::npy:
      return read_npy(std::move(bytes), path, options);
    case Content::svmlight:
      return read_svmlight(bytes, path, options);
    case Content::matrix_market:
      return read_matrix_market(bytes, path, options);
    case Content::table:
      return read_csv(bytes, path, options);
    default:
      throw InputError(fmt::format("{}: compressed twice; decompress it once", shown_path(path)));
  }
}

}  // namespace

Dataset dataset_from_bytes(Bytes bytes, const std::string& path, const ReadOptions& options) {
  try {
    return read_content(expand_content(std::move(bytes), path), path, options);
  } catch (const std::bad_alloc&) {
    throw InputError(fmt::format("{}: not enough memory to read it", shown_path(path)));
  }
}

}  // namespace cavity
