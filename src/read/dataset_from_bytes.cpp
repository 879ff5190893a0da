#include "read/dataset_from_bytes.hpp"

#include <fmt/format.h>

#include <new>
#include <utility>

#include "cavity/errors.hpp"
#include "file/content.hpp"
#include "file/messages.hpp"
#include "read/cell_file.hpp"
#include "read/csv.hpp"
#include "read/join_samples.hpp"
#include "read/matrix_market.hpp"
#include "read/npy.hpp"
#include "read/series_matrix.hpp"
#include "read/svmlight.hpp"
#include "read/table_part.hpp"
#include "read/unpack.hpp"

namespace cavity {

namespace {

/// What a GEO series matrix says of its samples is a sheet, where none is given and the labels are in it.
Dataset read_text_table(const Bytes& bytes, const std::string& path, const ReadOptions& options) {
  if (!is_series_matrix(bytes.view()) || !options.known_samples.ids.empty()) return read_csv(bytes, path, options);
  const SampleSheet sheet = series_sheet(bytes.view(), path, options);
  ReadOptions probes = left_to_the_table(sheet, options);
  if (probes.orientation == Orientation::detect) probes.orientation = Orientation::features_in_rows;
  Dataset dataset = read_csv(bytes, path, probes);
  join_samples(sheet, options, dataset);
  return dataset;
}

Dataset read_content(Bytes bytes, const std::string& path, const ReadOptions& options) {
  switch (detect_content(bytes.view(), path)) {
    case Content::npy:
      return read_npy(std::move(bytes), path, options);
    case Content::svmlight:
      return read_svmlight(bytes, path, options);
    case Content::matrix_market:
      return read_matrix_market(bytes, path, options);
    case Content::table:
      return read_text_table(bytes, path, options);
    case Content::hdf5:
      return read_cell_file(bytes, path, options);
    default:
      throw InputError(fmt::format("{}: compressed twice; decompress it once", shown_path(path)));
  }
}

}  // namespace

Dataset dataset_from_bytes(Bytes bytes, const std::string& path, const ReadOptions& options) {
  try {
    return read_content(unpacked(std::move(bytes), path, options), path, options);
  } catch (const std::bad_alloc&) {
    throw InputError(fmt::format("{}: not enough memory to read it", shown_path(path)));
  }
}

}  // namespace cavity
