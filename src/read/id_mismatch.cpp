#include "read/id_mismatch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "file/lower_case.hpp"
#include "file/messages.hpp"

namespace cavity {

namespace {

std::string without_blanks(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\t'; });
  return text;
}

std::string file_name(std::string text) {
  text = text.substr(text.find_last_of("/\\") + 1);
  return text.substr(0, text.find('.', 1));
}

/// As R's make.names writes it.
std::string r_name(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    out += plain ? c : '.';
  }
  return out.empty() || (out[0] >= '0' && out[0] <= '9') ? "X" + out : out;
}

struct Way {
  std::string (*plain)(const std::string&);
  const char* words;
};

constexpr Way ways[] = {
    {[](const std::string& t) { return lower_case(t); }, "but for upper and lower case"},
    {[](const std::string& t) { return without_blanks(t); }, "but for blanks"},
    {[](const std::string& t) { return file_name(t); }, "but for a path or an ending such as .bam"},
    {[](const std::string& t) { return r_name(t); },
     "but for what R does to names (an X in front, points): read.csv(..., check.names = FALSE) keeps them"},
    {[](const std::string& t) { return lower_case(without_blanks(r_name(file_name(t)))); },
     "but for case, blanks, paths, endings, and an X in front"},
};

/// How many of the sheet's ids are the table's when both are written one way.
std::size_t common(const SampleSheet& sheet, const std::vector<std::string>& table, const Way& way) {
  std::unordered_set<std::string> names;
  for (const std::string& name : table) names.insert(way.plain(name));
  std::size_t out = 0;
  for (std::size_t row = 0; row < sheet.rows.size(); ++row) out += names.contains(way.plain(sheet.id_of(row))) ? 1 : 0;
  return out;
}

}  // namespace

std::string what_would_match(const SampleSheet& sheet, const std::vector<std::string>& table) {
  for (const Way& way : ways)
    if (const std::size_t found = common(sheet, table, way); found > 0)
      return fmt::format("{} would match {}; write them alike", counted(found, "id"), way.words);
  for (std::size_t column = 0; column < sheet.columns.size(); ++column) {
    const std::unordered_set<std::string> names(table.begin(), table.end());
    const auto known = [&](const auto& row) { return names.contains(row[column]); };
    if (std::any_of(sheet.rows.begin(), sheet.rows.end(), known))
      return fmt::format("ids of the table stand in column {}: `id={}`", shown(sheet.columns[column]),
                         sheet.columns[column]);
  }
  return "name the column of ids (`id`), in the table by the same name or as its first";
}

std::string no_common_id(const SampleSheet& sheet, const std::vector<std::string>& table) {
  std::vector<std::string> ids;
  for (std::size_t row = 0; row < sheet.rows.size(); ++row) ids.push_back(sheet.id_of(row));
  return fmt::format("{}: no id of its column {} is a sample of the table: the sheet has {}, the table {}; {}",
                     shown_path(sheet.path), shown(sheet.columns[sheet.id]), shown_names(ids, 5), shown_names(table, 5),
                     what_would_match(sheet, table));
}

}  // namespace cavity
