#include "read/cell_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cavity/errors.hpp"
#include "file/messages.hpp"
#include "read/cell_names.hpp"
#include "read/duplicate_names.hpp"
#include "read/hdf5_file.hpp"
#include "read/join_samples.hpp"
#include "read/labels_file.hpp"
#include "table/matrix_size.hpp"
#include "table/sparse_table.hpp"

namespace cavity {

namespace {

struct Size {
  std::size_t cells = 0, features = 0;
};

void reject_infinite(const Hdf5File& file, const std::vector<float>& values, const std::string& name) {
  const auto infinite = std::find_if(values.begin(), values.end(), [](float v) { return std::isinf(v); });
  if (infinite != values.end())
    file.fail(fmt::format("value {} of {} is infinite or too large for a 32-bit float", infinite - values.begin() + 1,
                          shown(name)));
}

/// data, indices and indptr: `major` runs over cells (CSR), or over features (CSC).
struct Compressed {
  std::vector<float> values;
  std::vector<std::int64_t> minor, start;
  bool by_cell = true;
};

Compressed read_compressed(const Hdf5File& file, const std::string& group, bool by_cell, const Size& size) {
  Compressed out{file.floats(group + "/data"), file.whole_numbers(group + "/indices"),
                 file.whole_numbers(group + "/indptr"), by_cell};
  reject_infinite(file, out.values, group + "/data");
  const std::size_t majors = by_cell ? size.cells : size.features, minors = by_cell ? size.features : size.cells;
  const auto stored = static_cast<std::int64_t>(out.values.size());
  const bool fits = out.minor.size() == out.values.size() && out.start.size() == majors + 1 && out.start.front() == 0 &&
                    out.start.back() == stored && std::is_sorted(out.start.begin(), out.start.end());
  const bool inside = std::all_of(out.minor.begin(), out.minor.end(),
                                  [&](std::int64_t at) { return at >= 0 && at < static_cast<std::int64_t>(minors); });
  if (!fits || !inside)
    file.fail(fmt::format("the sparse matrix {} does not fit its size, {} cells by {} features; write it again",
                          shown(group), size.cells, size.features));
  return out;
}

CompressedColumns columns_of(const Compressed& from, const Size& size, const Hdf5File& file, const std::string& path) {
  ColumnBuilder builder(size.cells, size.features, from.values.size(), path);
  const auto visit = [&](const auto& entry) {
    for (std::size_t major = 0; major + 1 < from.start.size(); ++major)
      for (auto k = static_cast<std::size_t>(from.start[major]); k < static_cast<std::size_t>(from.start[major + 1]);
           ++k) {
        const auto minor = static_cast<std::size_t>(from.minor[k]);
        entry(from.by_cell ? major : minor, from.by_cell ? minor : major, from.values[k]);
      }
  };
  visit([&](std::size_t, std::size_t feature, float) { builder.count(feature); });
  builder.start_filling();
  visit([&](std::size_t cell, std::size_t feature, float value) { builder.add(cell, feature, value); });
  CompressedColumns out = builder.take();
  if (const auto twice = sort_rows(out))
    file.fail(fmt::format("cell {}, feature {} is stored twice", twice->first + 1, twice->second + 1));
  return out;
}

void assign_columns(CompressedColumns columns, const ReadOptions& options, Dataset& data) {
  if (options.compact && worth_sparse(columns.value.size(), columns.samples, columns.columns())) {
    assign_sparse(data, std::move(columns));
    return;
  }
  data.features = FeatureTable(std::move(columns));
  data.features.make_dense();
}

Size checked_size(const Hdf5File& file, const std::vector<std::int64_t>& shape, const std::string& name) {
  constexpr std::int64_t most = 2147483647;
  if (shape.size() != 2 || shape[0] < 1 || shape[1] < 1 || shape[0] > most || shape[1] > most)
    file.fail(fmt::format("the matrix {} has no size of cells by features", shown(name)));
  const Size out{static_cast<std::size_t>(shape[0]), static_cast<std::size_t>(shape[1])};
  return out;
}

void read_dense(const Hdf5File& file, const std::string& name, const std::string& path, Dataset& data) {
  const std::vector<std::uint64_t> shape = file.shape(name);
  const Size size = checked_size(file, {shape.begin(), shape.end()}, name);
  check_size(size.cells, size.features, path);
  FeatureMatrix matrix;
  matrix.values = file.floats(name);
  matrix.rows = size.cells;
  matrix.cols = size.features;
  reject_infinite(file, matrix.values, name);
  data.features = std::move(matrix);
}

void read_matrix(const Hdf5File& file, const std::string& name, const std::string& path, const ReadOptions& options,
                 Dataset& data) {
  if (!file.is_group(name)) return read_dense(file, name, path, data);
  std::string kind = file.text_attribute(name, "encoding-type");
  if (kind.empty()) kind = file.text_attribute(name, "h5sparse_format");
  std::vector<std::int64_t> shape = file.whole_attribute(name, "shape");
  if (shape.empty()) shape = file.whole_attribute(name, "h5sparse_shape");
  const bool by_cell = kind.starts_with("csr"), by_feature = kind.starts_with("csc");
  if (!by_cell && !by_feature)
    file.fail(fmt::format("the matrix {} is of the kind {}; dense, csr_matrix and csc_matrix are read", shown(name),
                          shown(kind)));
  const Size size = checked_size(file, shape, name);
  assign_columns(columns_of(read_compressed(file, name, by_cell, size), size, file, path), options, data);
}

std::string number_text(double value) { return std::isnan(value) ? "" : fmt::format("{}", value); }

/// A column of a data frame: text, numbers, categories, or numbers with a mask of what is missing.
std::vector<std::string> column_texts(const Hdf5File& file, const std::string& name) {
  std::vector<std::string> out;
  if (file.is_group(name) && file.has(name + "/codes")) {
    const std::vector<std::string> categories = column_texts(file, name + "/categories");
    for (const std::int64_t code : file.whole_numbers(name + "/codes"))
      out.push_back(code >= 0 && code < static_cast<std::int64_t>(categories.size())
                        ? categories[static_cast<std::size_t>(code)]
                        : "");
    return out;
  }
  if (file.is_group(name) && file.has(name + "/values")) {
    out = column_texts(file, name + "/values");
    const std::vector<double> mask = file.doubles(name + "/mask");
    for (std::size_t i = 0; i < std::min(out.size(), mask.size()); ++i)
      if (mask[i] != 0) out[i].clear();
    return out;
  }
  if (file.is_group(name)) return out;
  if (file.holds_text(name)) return file.texts(name);
  for (const double value : file.doubles(name)) out.push_back(number_text(value));
  return out;
}

/// The names of the rows of a data frame, `obs` or `var`.
std::vector<std::string> row_names(const Hdf5File& file, const std::string& frame) {
  if (!file.is_group(frame))
    file.fail(fmt::format("{} is in the form of an AnnData before 0.7; read and write it again with a newer one",
                          shown(frame)));
  std::string index = file.text_attribute(frame, "_index");
  if (index.empty()) index = "_index";
  if (!file.has(frame + "/" + index)) file.fail(fmt::format("{} has no names of its rows", shown(frame)));
  return column_texts(file, frame + "/" + index);
}

SampleSheet sheet_of(const Hdf5File& file, const std::vector<std::string>& cells, const std::string& path,
                     const ReadOptions& options) {
  SampleSheet sheet;
  sheet.path = path;
  const std::string index = file.text_attribute("obs", "_index");
  sheet.columns.push_back(index.empty() ? "_index" : index);
  sheet.rows.resize(cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    sheet.rows[i].push_back(cells[i]);
    sheet.lines.push_back(i + 1);
  }
  for (const std::string& name : file.members("obs")) {
    if (name == index || name == "_index" || name == "__categories") continue;
    std::vector<std::string> texts = column_texts(file, "obs/" + name);
    if (texts.size() != cells.size()) continue;
    sheet.columns.push_back(name);
    for (std::size_t i = 0; i < cells.size(); ++i) sheet.rows[i].push_back(std::move(texts[i]));
  }
  choose_id(options, sheet);
  return sheet;
}

std::string layer_path(const Hdf5File& file, const std::string& layer, const std::string& path) {
  if (layer.empty()) return "X";
  if (layer == "raw" && file.has("raw/X")) return "raw/X";
  if (file.is_group("layers") && file.has("layers/" + layer)) return "layers/" + layer;
  std::vector<std::string> names;
  if (file.is_group("layers")) names = file.members("layers");
  if (file.has("raw/X")) names.emplace_back("raw");
  throw UsageError(fmt::format("{}: no layer {}; beside X it has {}", shown_path(path), shown(layer),
                               names.empty() ? "none" : shown_names(names, 8)));
}

void check_names(const Hdf5File& file, std::size_t names, std::size_t needed, const char* what) {
  if (names != needed) file.fail(fmt::format("{} names for {} {}", names, needed, what));
}

/// One a line, in the order of the cells.
void take_labels_file(const ReadOptions& options, Dataset& data) {
  if (!options.labels_file.empty())
    assign_labels(data, read_labels_file(options.labels_file, data.samples(), data.notes), options);
}

Dataset read_annotated(const Hdf5File& file, const std::string& path, const ReadOptions& options) {
  const std::string matrix = layer_path(file, options.layer, path);
  Dataset data;
  read_matrix(file, matrix, path, options, data);
  data.feature_names = row_names(file, matrix == "raw/X" ? "raw/var" : "var");
  data.sample_names = row_names(file, "obs");
  check_names(file, data.feature_names.size(), data.features.cols(), "features");
  check_names(file, data.sample_names.size(), data.samples(), "cells");
  tell_apart(data.feature_names);
  data.notes.push_back(
      fmt::format("format: .h5ad, {} of {} cells by {} features", shown(matrix), data.samples(), data.features.cols()));
  take_labels_file(options, data);
  if (!options.known_samples.ids.empty() || !options.labels_file.empty()) return data;
  const SampleSheet sheet = sheet_of(file, data.sample_names, path, options);
  join_samples(sheet, options, data);
  return data;
}

/// Cell Ranger 3 and later: columns of the matrix are cells.
Dataset read_tenx_matrix(const Hdf5File& file, const std::string& path, const ReadOptions& options) {
  if (options.labels_required && options.labels_file.empty())
    throw UsageError(fmt::format(
        "{}: a 10x file holds no labels; give them in a sheet, a table with a line a cell whose first column holds the "
        "barcodes (`samples` and `label`)",
        shown_path(path)));
  const std::vector<std::int64_t> shape = file.whole_numbers("matrix/shape");
  if (shape.size() != 2) file.fail("its matrix has no size of features by cells");
  const Size size = checked_size(file, {shape[1], shape[0]}, "matrix");
  Dataset data;
  assign_columns(columns_of(read_compressed(file, "matrix", true, size), size, file, path), options, data);
  data.sample_names = file.texts("matrix/barcodes");
  const std::vector<std::string> ids = file.texts("matrix/features/id"), names = file.texts("matrix/features/name");
  check_names(file, ids.size(), size.features, "features");
  check_names(file, names.size(), size.features, "features");
  check_names(file, data.sample_names.size(), size.cells, "cells");
  data.feature_names = cell_feature_names(ids, names);
  data.id_name = "barcode";
  take_labels_file(options, data);
  data.notes.push_back(fmt::format("format: 10x .h5, {} cells by {} features", size.cells, size.features));
  return data;
}

}  // namespace

Dataset read_cell_file(const Bytes& bytes, const std::string& path, const ReadOptions& options) {
  const Hdf5File file(bytes.view(), path);
  if (file.has("X") && file.has("obs") && file.has("var")) return read_annotated(file, path, options);
  if (file.has("matrix/barcodes") && file.has("matrix/features/name")) return read_tenx_matrix(file, path, options);
  if (file.has("mod"))
    file.fail("a MuData file of several tables; write one of them: mdata.mod['rna'].write('rna.h5ad')");
  file.fail(fmt::format("it is neither an .h5ad nor a matrix of 10x Genomics; it holds {}",
                        shown_names(file.members("/"), 8)));
}

}  // namespace cavity
