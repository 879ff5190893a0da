#include "read/covariate_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "cavity/errors.hpp"
#include "file/bytes.hpp"
#include "file/content.hpp"
#include "file/lower_case.hpp"
#include "file/messages.hpp"
#include "read/unpack.hpp"
#include "read/word_lines.hpp"

namespace cavity {

namespace {

using Fields = std::vector<std::string>;

char separator_of(std::string_view header) {
  if (header.find('\t') != std::string_view::npos) return '\t';
  return header.find(',') != std::string_view::npos ? ',' : ' ';
}

/// Runs of spaces are one separator; tabs and commas each end a field.
Fields split(std::string_view line, char separator) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  Fields out;
  std::size_t at = 0;
  while (at <= line.size()) {
    if (separator == ' ') at = std::min(line.find_first_not_of(' ', at), line.size());
    if (separator == ' ' && at == line.size()) break;
    const std::size_t end = std::min(line.find(separator, at), line.size());
    std::string_view field = line.substr(at, end - at);
    if (field.size() >= 2 && field.starts_with('"') && field.ends_with('"')) field = field.substr(1, field.size() - 2);
    out.emplace_back(field);
    at = end + 1;
  }
  return out;
}

struct IdsAndNames {
  Fields names;
  std::size_t sample = 0;               // the column of ids
  std::optional<std::size_t> family{};  // before it
};

IdsAndNames read_header(std::string_view line, char separator) {
  IdsAndNames header{split(line, separator), 0, {}};
  if (!header.names.empty() && header.names.front().starts_with('#')) header.names.front().erase(0, 1);
  for (std::size_t j = 0; j < header.names.size(); ++j) {
    if (lower_case(header.names[j]) == "fid") header.family = j;
    if (lower_case(header.names[j]) == "iid") header.sample = j;
  }
  return header;
}

/// The file's lines; a mark of the byte order before the first is skipped.
WordLines lines_of(const CovariateFile& file) {
  std::string_view text = file.bytes.view();
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  return {text, file.path};
}

/// The columns that hold a covariate: all but the ids.
std::vector<std::size_t> covariate_columns(const IdsAndNames& header, std::string_view first_line,
                                           const std::string& path) {
  std::vector<std::size_t> columns;
  for (std::size_t j = 0; j < header.names.size(); ++j)
    if (j != header.sample && (!header.family || j != *header.family)) columns.push_back(j);
  if (columns.empty())
    throw InputError(
        fmt::format("{}, line 1: a header with an id and at least one covariate is needed, such as "
                    "'IID age sex'; found {}",
                    shown_path(path), shown(first_line)));
  return columns;
}

/// Where the samples stand in the data set: by family:id where the file has families and that is known, else by id.
class SamplePlaces {
 public:
  explicit SamplePlaces(const std::vector<std::string>& names) {
    for (std::size_t i = 0; i < names.size(); ++i) places_.emplace(names[i], i);
  }
  std::optional<std::size_t> find(const IdsAndNames& header, const Fields& fields) const {
    if (header.family)
      if (const auto both = places_.find(fields[*header.family] + ":" + fields[header.sample]); both != places_.end())
        return both->second;
    const auto place = places_.find(fields[header.sample]);
    if (place == places_.end()) return std::nullopt;
    return place->second;
  }

 private:
  std::unordered_map<std::string_view, std::size_t> places_;
};

void require_all(const std::vector<bool>& found, const Dataset& dataset, const std::string& path) {
  std::vector<std::string> absent;
  for (std::size_t i = 0; i < found.size(); ++i)
    if (!found[i]) absent.push_back(dataset.sample_names[i]);
  if (!absent.empty())
    throw InputError(
        fmt::format("{}: {} of {} samples have no line: {}; samples are found by the column IID, or by "
                    "the first column",
                    shown_path(path), absent.size(), found.size(), shown_names(absent, 5)));
}

}  // namespace

bool CovariateFile::has(const std::string& name) const {
  return std::find(names.begin(), names.end(), name) != names.end();
}

CovariateFile read_covariate_file(const std::string& path) {
  CovariateFile file{path, unpacked(read_bytes(path), path, {}), {}};
  reject_nul(file.bytes.view(), 0, path);
  WordLines lines = lines_of(file);
  lines.next();
  const std::string_view first = lines.line();
  const IdsAndNames header = read_header(first, separator_of(first));
  for (const std::size_t j : covariate_columns(header, first, path)) file.names.push_back(header.names[j]);
  return file;
}

void join_covariates(const CovariateFile& file, Dataset& dataset) {
  const std::string& path = file.path;
  WordLines lines = lines_of(file);
  lines.next();
  const std::string_view first = lines.line();
  const char separator = separator_of(first);
  const IdsAndNames header = read_header(first, separator);
  const std::vector<std::size_t> columns = covariate_columns(header, first, path);
  const SamplePlaces places(dataset.sample_names);
  const std::size_t added = dataset.covariates.size();
  for (const std::string& name : file.names)
    dataset.covariates.push_back({name, std::vector<std::string>(dataset.samples())});
  std::vector<bool> found(dataset.samples(), false);
  while (lines.next()) {
    if (lines.blank()) continue;
    const Fields fields = split(lines.line(), separator);
    if (fields.size() != header.names.size())
      throw InputError(fmt::format("{}, line {}: {} where the header has {}", shown_path(path), lines.number(),
                                   counted(fields.size(), "column"), header.names.size()));
    const auto place = places.find(header, fields);
    if (!place) continue;
    if (found[*place])
      throw InputError(fmt::format("{}, line {}: sample {} comes twice", shown_path(path), lines.number(),
                                   shown(fields[header.sample])));
    found[*place] = true;
    for (std::size_t j = 0; j < columns.size(); ++j) dataset.covariates[added + j].values[*place] = fields[columns[j]];
  }
  require_all(found, dataset, path);
  dataset.notes.push_back("covariates: " + shown_names(file.names, 8));
}

}  // namespace cavity
