#include "read/tenx.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

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

/// What stands before the first two tabs of every line of features.tsv or barcodes.tsv: id and symbol.
struct Names {
  std::vector<std::string> first, second;
};

/// Blank lines at the end are none. IoError and InputError as `expand_content`; InputError where there are not `needed`
/// lines, which is found before any is stored.
Names names_of(Bytes packed, std::size_t needed, const char* of, const std::string& path, const std::string& matrix) {
  const Bytes bytes = expand_content(std::move(packed), path);
  reject_nul(bytes.view(), 0, path);
  std::string_view rest = bytes.view();
  rest = rest.substr(0, rest.find_last_not_of("\r\n") + 1);
  const std::size_t lines = rest.empty() ? 0 : 1 + static_cast<std::size_t>(std::count(rest.begin(), rest.end(), '\n'));
  if (lines != needed)
    throw InputError(fmt::format("{}: {} for {} {} of {}; the three files belong to one run", shown_path(path),
                                 counted(lines, "line"), needed, of, shown_path(matrix)));
  Names out;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    const std::size_t tab = std::min(line.find('\t'), line.size());
    out.first.emplace_back(line.substr(0, tab));
    line.remove_prefix(std::min(tab + 1, line.size()));
    out.second.emplace_back(line.substr(0, line.find('\t')));
  }
  return out;
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

Dataset tenx_from_bytes(std::array<Bytes, 3> contents, const std::vector<std::string>& files,
                        const ReadOptions& options) {
  ReadOptions cells = options;
  cells.orientation = Orientation::features_in_rows;
  cells.label.clear();
  Dataset data = dataset_from_bytes(std::move(contents[0]), files[0], cells);
  const Names features = names_of(std::move(contents[1]), data.features.cols(), "features", files[1], files[0]);
  Names barcodes = names_of(std::move(contents[2]), data.samples(), "cells", files[2], files[0]);
  data.feature_names = cell_feature_names(features.first, features.second);
  data.sample_names = std::move(barcodes.first);
  data.id_name = "barcode";
  data.notes.push_back(fmt::format("10x folder: {} cells by {} features, named by {} and {}", data.samples(),
                                   data.features.cols(), files[2], files[1]));
  return data;
}

Dataset read_tenx(const std::string& path, const ReadOptions& options) {
  const std::vector<std::string> files = tenx_files(path);
  if (options.labels_required && options.labels_file.empty())
    throw UsageError(
        fmt::format("{}: a 10x folder holds no labels; give them in a sheet, a table with a line a cell whose first "
                    "column holds the "
                    "barcodes (`samples` and `label`)",
                    shown_path(path)));
  return tenx_from_bytes({read_bytes(files[0]), read_bytes(files[1]), read_bytes(files[2])}, files, options);
}

}  // namespace cavity
