#include "read/npy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

#include "cavity/errors.hpp"
#include "file/messages.hpp"
#include "read/labels.hpp"
#include "read/labels_file.hpp"
#include "read/npy_header.hpp"
#include "table/column_table.hpp"
#include "table/matrix_size.hpp"

namespace cavity {

namespace {

constexpr std::size_t strip_bytes = std::size_t{8} << 20;
constexpr std::size_t least_borrowed_bytes = std::size_t{16} << 20;  // below, a copy costs less than the risk

/// Rows of a C-order array, or columns of a Fortran-order one: `count` values from `from` to every `stride`-th float.
template <class T>
void convert(const char* from, std::size_t count, float* to, std::size_t stride) {
  for (std::size_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, from + i * sizeof(T), sizeof(T));  // the data of a .npy need not be aligned
    to[i * stride] = static_cast<float>(value);
  }
}

using Convert = void (*)(const char*, std::size_t, float*, std::size_t);

Convert converter(const NpyHeader& header) {
  switch (header.kind) {
    case 'f':
      return header.item_size == 4 ? convert<float> : convert<double>;
    case 'i':
      return header.item_size == 1   ? convert<std::int8_t>
             : header.item_size == 2 ? convert<std::int16_t>
             : header.item_size == 4 ? convert<std::int32_t>
                                     : convert<std::int64_t>;
    default:  // booleans are bytes of 0 and 1
      return header.item_size == 1   ? convert<std::uint8_t>
             : header.item_size == 2 ? convert<std::uint16_t>
             : header.item_size == 4 ? convert<std::uint32_t>
                                     : convert<std::uint64_t>;
  }
}

void read_c_order(const Bytes& bytes, const NpyHeader& header, FeatureMatrix& features) {
  const Convert to_floats = converter(header);
  const char* from = bytes.view().data() + header.data;
  const std::size_t total = features.values.size(), strip = strip_bytes / header.item_size;
  for (std::size_t i = 0; i < total; i += strip) {
    const std::size_t count = std::min(strip, total - i);
    to_floats(from + i * header.item_size, count, features.values.data() + i, 1);
    bytes.release_before(from + (i + count) * header.item_size);
  }
}

/// Square tiles keep both sides in cache: a column of the file is a stride of the matrix.
void read_fortran_order(const Bytes& bytes, const NpyHeader& header, FeatureMatrix& features) {
  constexpr std::size_t tile = 64;
  const Convert to_floats = converter(header);
  const char* from = bytes.view().data() + header.data;
  const std::size_t rows = features.rows, cols = features.cols;
  for (std::size_t c0 = 0; c0 < cols; c0 += tile) {
    for (std::size_t r0 = 0; r0 < rows; r0 += tile) {
      for (std::size_t c = c0; c < std::min(c0 + tile, cols); ++c) {
        to_floats(from + (c * rows + r0) * header.item_size, std::min(tile, rows - r0), features.row(r0) + c, cols);
      }
    }
    bytes.release_before(from + std::min(c0 + tile, cols) * rows * header.item_size);
  }
}

/// Values that stand in the file as they are used.
bool can_borrow(const Bytes& bytes, const NpyHeader& header) {
  static_assert(std::endian::native == std::endian::little, "the header knows little-endian values only");
  const bool same = header.kind == 'f' && header.item_size == sizeof(float) && !header.fortran_order;
  const bool aligned = reinterpret_cast<std::uintptr_t>(bytes.view().data() + header.data) % alignof(float) == 0;
  return same && aligned && bytes.view().size() - header.data >= least_borrowed_bytes;
}

FeatureMatrix borrow_features(Bytes bytes, const NpyHeader& header) {
  const auto file = std::make_shared<const Bytes>(std::move(bytes));
  file->keep();
  return FeatureMatrix::borrow(reinterpret_cast<const float*>(file->view().data() + header.data), header.rows,
                               header.cols, file);
}

FeatureMatrix read_features(Bytes bytes, const NpyHeader& header, const std::string& path) {
  check_size(header.rows, header.cols, path);
  if (can_borrow(bytes, header)) return borrow_features(std::move(bytes), header);
  FeatureMatrix features(header.rows, header.cols);
  (header.fortran_order ? read_fortran_order : read_c_order)(bytes, header, features);
  return features;
}

InputError infinite_value(const std::string& path, std::size_t row, std::size_t column) {
  return InputError(
      fmt::format("{}, row {}, column {} (x{}): infinite or too large for a 32-bit float; correct it, or store NaN if "
                  "it is missing",
                  shown_path(path), row + 1, column + 1, column + 1));
}

void reject_infinite(const FeatureMatrix& features, const std::string& path) {
  for (std::size_t r = 0; r < features.rows; ++r) {
    const float* row = features.row(r);
    std::size_t infinite = 0;
    for (std::size_t c = 0; c < features.cols; ++c) infinite += std::isinf(row[c]) ? 1 : 0;
    if (infinite == 0) continue;
    const auto c = std::find_if(row, row + features.cols, [](float x) { return std::isinf(x); }) - row;
    throw infinite_value(path, r, static_cast<std::size_t>(c));
  }
}

/// Where memory is limited, or each process has its own columns of a table that is too large for every process to hold.
/// What is small they all hold, so that the same is tried on it as in one process.
bool stays_in_file(const Bytes& bytes, const NpyHeader& header, const ReadOptions& options) {
  constexpr std::size_t most_held = std::size_t{200} << 20;  // bytes
  const bool shared = options.parts > 1 && bytes.view().size() > most_held;
  const bool wanted = options.compact && (options.memory > 0 || shared);
  const bool floats = header.kind == 'f' && header.item_size == sizeof(float);
  const bool aligned = reinterpret_cast<std::uintptr_t>(bytes.view().data() + header.data) % alignof(float) == 0;
  return wanted && floats && aligned && header.fortran_order;
}

void keep_in_file(Bytes bytes, const NpyHeader& header, const std::string& path, const ReadOptions& options,
                  Dataset& dataset) {
  const auto file = std::make_shared<const Bytes>(std::move(bytes));
  const std::size_t limit = options.memory > 0 ? options.memory : SIZE_MAX;
  const ColumnValues values{reinterpret_cast<const float*>(file->view().data() + header.data), header.rows, header.cols,
                            limit};
  std::vector<std::uint32_t> own;  // of this process
  for (std::size_t l = header.cols * options.part / options.parts; l < header.cols * (options.part + 1) / options.parts;
       ++l)
    own.push_back(static_cast<std::uint32_t>(l));
  for_each_window(values, own, [&](std::size_t begin, std::size_t end) {
    for (std::size_t l = begin; l < end; ++l)
      for (std::size_t r = 0; r < header.rows; ++r)
        if (std::isinf(values.column(own[l])[r])) throw infinite_value(path, r, own[l]);
  });
  dataset.notes.push_back("the values stay in the file, column by column; none is transformed");
  dataset.features = FeatureTable(std::make_shared<ColumnTable>(file, values));
}

void check_options(const ReadOptions& options) {
  const bool columns = !options.sample_id.empty() || !options.covariates.empty();
  if (columns || (options.labels_required && !options.label.empty())) {
    throw UsageError(
        "a .npy file has no named columns; labels stand in a file of their own, one a line (`labels`), covariates in a "
        "file with ids (`covariate_file`)");
  }
  if (options.labels_required && options.labels_file.empty()) {
    throw UsageError("a .npy file holds no labels; give them in a file of their own, one a line");
  }
}

}  // namespace

Dataset read_npy(Bytes bytes, const std::string& path, const ReadOptions& options) {
  check_options(options);
  const NpyHeader header = read_npy_header(bytes.view(), path);
  Dataset dataset;
  dataset.notes.push_back(fmt::format("format: .npy, {} x {} values of type {}{}", header.rows, header.cols,
                                      header.kind, header.item_size));
  LabelTexts labels;  // before the matrix, which small integers make four times as large as the file
  if (!options.labels_file.empty()) labels = read_labels_file(options.labels_file, header.rows, dataset.notes);
  assign_labels(dataset, labels, options);
  if (stays_in_file(bytes, header, options)) {
    keep_in_file(std::move(bytes), header, path, options, dataset);
  } else {
    FeatureMatrix features = read_features(std::move(bytes), header, path);
    reject_infinite(features, path);
    dataset.features = std::move(features);
  }
  dataset.feature_names = numbered_names("x", 1, header.cols);
  dataset.sample_names = numbered_names("", 1, header.rows);
  return dataset;
}

}  // namespace cavity
