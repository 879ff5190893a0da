#include "read/covariate_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "cavity/errors.hpp"
#include "file/bytes.hpp"
#include "file/content.hpp"
#include "file/expand_content.hpp"
#include "file/lower_case.hpp"
#include "file/messages.hpp"

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

struct Header {
  Fields names;
  std::size_t sample = 0;               // the column of ids
  std::optional<std::size_t> family{};  // before it
};

Header read_header(std::string_view line, char separator) {
  Header header{split(line, separator), 0, {}};
  if (!header.names.empty() && header.names.front().starts_with('#')) header.names.front().erase(0, 1);
  for (std::size_t j = 0; j < header.names.size(); ++j) {
    if (lower_case(header.names[j]) == "fid") header.family = j;
    if (lower_case(header.names[j]) == "iid") header.sample = j;
  }
  return header;
}

void check_found(const std::vector<bool>& found, const std::vector<std::string>& samples, const std::string& path) {
  std::vector<std::string> absent;
  for (std::size_t i = 0; i < found.size(); ++i)
    if (!found[i]) absent.push_back(samples[i]);
  if (absent.empty()) return;
  throw InputError(
      fmt::format("{}: {} of {} samples have no line: {}; samples are found by the column IID, or by "
                  "the first column",
                  shown_path(path), absent.size(), found.size(), shown_names(absent, 5)));
}

}  // namespace

void read_covariate_file(const std::string& path, Dataset& dataset) {
  const Bytes bytes = expand_content(read_bytes(path), path);
  std::string_view text = bytes.view();
  reject_nul(text, 0, path);
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  std::size_t number = 0;
  const auto next_line = [&] {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    return line;
  };
  const std::string_view first = next_line();
  const char separator = separator_of(first);
  const Header header = read_header(first, separator);
  std::vector<std::size_t> columns;
  for (std::size_t j = 0; j < header.names.size(); ++j)
    if (j != header.sample && (!header.family || j != *header.family)) columns.push_back(j);
  if (columns.empty())
    throw InputError(
        fmt::format("{}, line 1: a header with an id and at least one covariate is needed, such as "
                    "'IID age sex'; found {}",
                    shown_path(path), shown(first)));
  std::unordered_map<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i < dataset.sample_names.size(); ++i) places.emplace(dataset.sample_names[i], i);
  const std::size_t added = dataset.covariates.size();
  for (const std::size_t j : columns)
    dataset.covariates.push_back({header.names[j], std::vector<std::string>(dataset.samples())});
  std::vector<bool> found(dataset.samples(), false);
  while (!text.empty()) {
    const std::string_view line = next_line();
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const Fields fields = split(line, separator);
    if (fields.size() != header.names.size())
      throw InputError(fmt::format("{}, line {}: {} where the header has {}", shown_path(path), number,
                                   counted(fields.size(), "column"), header.names.size()));
    auto place = places.find(fields[header.sample]);
    const std::string with_family = header.family ? fields[*header.family] + ":" + fields[header.sample] : "";
    if (header.family)
      if (const auto both = places.find(with_family); both != places.end()) place = both;
    if (place == places.end()) continue;
    if (found[place->second])
      throw InputError(
          fmt::format("{}, line {}: sample {} comes twice", shown_path(path), number, shown(fields[header.sample])));
    found[place->second] = true;
    for (std::size_t j = 0; j < columns.size(); ++j)
      dataset.covariates[added + j].values[place->second] = fields[columns[j]];
  }
  check_found(found, dataset.sample_names, path);
  Fields names;
  for (const std::size_t j : columns) names.push_back(header.names[j]);
  dataset.notes.push_back("covariates: " + shown_names(names, 8));
}

}  // namespace cavity
