#include "read/unpack.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cavity/errors.hpp"
#include "file/content.hpp"
#include "file/expand_content.hpp"
#include "file/memory_budget.hpp"
#include "file/messages.hpp"
#include "file/zip_archive.hpp"
#include "read/spreadsheet.hpp"

namespace cavity {

namespace {

constexpr std::string_view array_end = ".npy";

/// Names of the arrays of an .npz; none: it is no .npz.
std::vector<std::string> arrays_of(const std::vector<std::string>& names) {
  std::vector<std::string> out;
  for (const std::string& name : names) {
    if (!name.ends_with(array_end)) return {};
    out.push_back(name.substr(0, name.size() - array_end.size()));
  }
  return out;
}

bool has(const std::vector<std::string>& names, const char* name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string chosen_array(const std::vector<std::string>& arrays, const std::string& layer, const std::string& path) {
  if (!layer.empty()) {
    if (has(arrays, layer.c_str())) return layer;
    throw UsageError(
        fmt::format("{}: no array {}; it holds {}", shown_path(path), shown(layer), shown_names(arrays, 8)));
  }
  if (arrays.size() == 1) return arrays.front();
  if (has(arrays, "indptr") && has(arrays, "indices"))
    throw InputError(
        fmt::format("{}: a sparse matrix of SciPy is not read from .npz; in Python: "
                    "scipy.io.mmwrite(\"matrix.mtx\", scipy.sparse.load_npz(FILE)), then give matrix.mtx",
                    shown_path(path)));
  for (const char* usual : {"X", "x"})
    if (has(arrays, usual)) return usual;
  throw UsageError(
      fmt::format("{}: which array? It holds {}: name one (`layer`)", shown_path(path), shown_names(arrays, 8)));
}

/// Files, not folders, nor what a Mac puts beside them.
std::vector<std::string> files_of(const ZipArchive& archive) {
  std::vector<std::string> out;
  for (const std::string& name : archive.names())
    if (!name.ends_with('/') && !name.starts_with("__MACOSX/")) out.push_back(name);
  return out;
}

Bytes from_archive(const ZipArchive& archive, const std::string& path, const ReadOptions& options) {
  if (is_spreadsheet(archive)) return csv_of_spreadsheet(archive, options.sheet, path);
  const std::vector<std::string> files = files_of(archive), arrays = arrays_of(files);
  if (!arrays.empty()) return archive.read(chosen_array(arrays, options.layer, path) + std::string(array_end));
  if (archive.has("content.xml"))
    throw InputError(
        fmt::format("{}: an OpenDocument file is not read here; save the sheet as .xlsx or CSV", shown_path(path)));
  if (files.size() == 1) return expand_content(archive.read(files.front()), path);
  throw InputError(fmt::format("{}: a zip archive of several files ({}); unpack it and give the table",
                               shown_path(path), shown_names(files, 5)));
}

}  // namespace

namespace {

Bytes out_of_all(Bytes compressed, const std::string& path, const ReadOptions& options) {
  Bytes bytes = expand_content(std::move(compressed), path);
  if (detect_content(bytes.view(), path) != Content::zip) return bytes;
  Bytes out = from_archive(ZipArchive(bytes.view(), path), path, options);
  if (detect_content(out.view(), path) == Content::zip)
    throw InputError(fmt::format("{}: a zip archive in a zip archive; unpack it", shown_path(path)));
  return out;
}

bool is_text(Content content) {
  return content == Content::table || content == Content::svmlight || content == Content::matrix_market;
}

}  // namespace

Bytes unpacked(Bytes compressed, const std::string& path, const ReadOptions& options) {
  const std::size_t stored = compressed.view().size();
  const Content before = detect_content(compressed.view(), path);
  Bytes out = out_of_all(std::move(compressed), path, options);
  const bool packed = before == Content::gzip || before == Content::zstd || before == Content::zip;
  if (packed && is_text(detect_content(out.view(), path))) check_unpacked(out.view(), stored, options.memory, path);
  return out;
}

}  // namespace cavity
