#include "read/tenx.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cavity/errors.hpp"
#include "file/content.hpp"
#include "file/expand_content.hpp"
#include "file/messages.hpp"
#include "read/cell_names.hpp"
#include "read/dataset_from_bytes.hpp"

namespace cavity {

namespace {

namespace fs = std::filesystem;

/// The first of these that is there, plain or gzip; empty: none.
std::string there(const fs::path& folder, std::initializer_list<const char*> names) {
  std::error_code unknown;
  for (const char* name : names)
    for (const char* end : {"", ".gz"})
      if (const fs::path path = folder / (std::string(name) + end); fs::is_regular_file(path, unknown))
        return path.string();
  return "";
}

fs::path folder_of(const std::string& path) {
  std::error_code unknown;
  if (fs::is_directory(path, unknown)) return path;
  const fs::path parent = fs::path(path).parent_path();
  return parent.empty() ? fs::path(".") : parent;
}

/// The tab-separated fields of every line, those at the end that are empty left out.
std::vector<std::vector<std::string>> lines_of(const std::string& path) {
  const Bytes bytes = expand_content(read_bytes(path), path);
  reject_nul(bytes.view(), 0, path);
  std::vector<std::vector<std::string>> out;
  for (std::string_view rest = bytes.view(); !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    out.emplace_back();
    for (std::size_t at = 0; at <= line.size();) {
      const std::size_t tab = std::min(line.find('\t', at), line.size());
      out.back().emplace_back(line.substr(at, tab - at));
      at = tab + 1;
    }
  }
  while (!out.empty() && out.back().size() == 1 && out.back().front().empty()) out.pop_back();
  return out;
}

void check_count(std::size_t lines, std::size_t needed, const char* of, const std::string& path,
                 const std::string& matrix) {
  if (lines == needed) return;
  throw InputError(fmt::format("{}: {} for {} {} of {}; the three files belong to one run", shown_path(path),
                               counted(lines, "line"), needed, of, shown_path(matrix)));
}

}  // namespace

bool names_tenx(const std::string& path) {
  std::error_code unknown;
  if (fs::is_directory(path, unknown)) return !there(path, {"matrix.mtx"}).empty();
  const fs::path file(path);
  if (file.filename() != "matrix.mtx" && file.filename() != "matrix.mtx.gz") return false;
  const fs::path folder = folder_of(path);
  return !there(folder, {"features.tsv", "genes.tsv"}).empty() && !there(folder, {"barcodes.tsv"}).empty();
}

std::vector<std::string> tenx_files(const std::string& path) {
  const fs::path folder = folder_of(path);
  std::error_code unknown;
  std::vector<std::string> out = {fs::is_directory(path, unknown) ? there(folder, {"matrix.mtx"}) : path,
                                  there(folder, {"features.tsv", "genes.tsv"}), there(folder, {"barcodes.tsv"})};
  const char* const names[] = {"matrix.mtx", "features.tsv (or genes.tsv)", "barcodes.tsv"};
  for (std::size_t i = 0; i < out.size(); ++i)
    if (out[i].empty())
      throw IoError(fmt::format(
          "cannot read {}: a folder of 10x Genomics holds {}, plain or gzip, and this one does not", path, names[i]));
  return out;
}

Dataset read_tenx(const std::string& path, const ReadOptions& options) {
  const std::vector<std::string> files = tenx_files(path);
  if (options.labels_required && options.labels_file.empty())
    throw UsageError(
        fmt::format("{}: a 10x folder holds no labels; give them in a sheet, a table with a line a cell whose first "
                    "column holds the "
                    "barcodes (`samples` and `label`)",
                    shown_path(path)));
  ReadOptions cells = options;
  cells.orientation = Orientation::features_in_rows;
  cells.label.clear();
  Dataset data = dataset_from_bytes(read_bytes(files[0]), files[0], cells);
  const auto features = lines_of(files[1]), barcodes = lines_of(files[2]);
  check_count(features.size(), data.features.cols(), "features", files[1], files[0]);
  check_count(barcodes.size(), data.samples(), "cells", files[2], files[0]);
  std::vector<std::string> ids, symbols;
  for (const auto& line : features) {
    ids.push_back(line.front());
    symbols.push_back(line.size() > 1 ? line[1] : "");
  }
  data.feature_names = cell_feature_names(ids, symbols);
  for (std::size_t i = 0; i < barcodes.size(); ++i) data.sample_names[i] = barcodes[i].front();
  data.id_name = "barcode";
  data.notes.push_back(fmt::format("10x folder: {} cells by {} features, named by {} and {}", data.samples(),
                                   data.features.cols(), files[2], files[1]));
  return data;
}

}  // namespace cavity
