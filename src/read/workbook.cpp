#include "read/workbook.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <unordered_map>

#include "cavity/errors.hpp"
#include "file/messages.hpp"
#include "file/number.hpp"
#include "read/xml_tokens.hpp"

namespace cavity {

namespace {

std::string part_named(const std::string& target) {
  return target.starts_with('/') ? target.substr(1) : "xl/" + target;
}

void read_sheets(const ZipArchive& archive, const std::string& path, Workbook& out) {
  std::unordered_map<std::string, std::string> parts;
  if (archive.has("xl/_rels/workbook.xml.rels")) {
    const Bytes xml = archive.read("xl/_rels/workbook.xml.rels", workbook_limits());
    for (XmlTokens tokens(xml.view(), "the workbook", path); tokens.next();)
      if (tokens.opens("Relationship")) parts[tokens.attribute("Id")] = part_named(tokens.attribute("Target"));
  }
  const Bytes xml = archive.read("xl/workbook.xml", workbook_limits());
  for (XmlTokens tokens(xml.view(), "the workbook", path); tokens.next();) {
    if (tokens.opens("workbookPr")) {
      const std::string since = tokens.attribute("date1904");
      out.from_1904 = since == "1" || since == "true";
    }
    if (!tokens.opens("sheet")) continue;
    const auto at = parts.find(tokens.attribute("id"));
    const std::string usual = fmt::format("xl/worksheets/sheet{}.xml", out.sheets.size() + 1);
    out.sheets.push_back({tokens.attribute("name"), at == parts.end() ? usual : at->second});
  }
  if (out.sheets.empty()) throw InputError(fmt::format("{}: a workbook without a sheet", shown_path(path)));
}

/// A text may be in pieces of different looks, and say how it is pronounced (rPh), which is left out.
void read_texts(const ZipArchive& archive, const std::string& path, Workbook& out) {
  if (!archive.has("xl/sharedStrings.xml")) return;
  const Bytes xml = archive.read("xl/sharedStrings.xml", workbook_limits());
  bool in_text = false;
  std::size_t spoken = 0;
  for (XmlTokens tokens(xml.view(), "its list of texts", path); tokens.next();) {
    if (tokens.opens("si")) out.texts.emplace_back();
    if (tokens.opens("rPh")) ++spoken;
    if (tokens.closes("rPh") && spoken > 0) --spoken;
    if (tokens.kind() != XmlTokens::Kind::text)
      in_text = tokens.opens("t");
    else if (in_text && spoken == 0 && !out.texts.empty())
      tokens.append_text(out.texts.back());
  }
  out.text_bytes = xml.view().size();
}

/// Built in, or with a year or a day in its pattern, outside quotes and brackets.
bool is_date_format(std::size_t id, const std::unordered_map<std::size_t, std::string>& patterns) {
  if ((id >= 14 && id <= 17) || id == 22 || (id >= 27 && id <= 36) || (id >= 50 && id <= 58)) return true;
  const auto at = patterns.find(id);
  if (at == patterns.end()) return false;
  char until = 0;
  for (const char c : at->second) {
    if (until != 0) {
      if (c == until) until = 0;
    } else if (c == '"' || c == '[') {
      until = c == '"' ? '"' : ']';
    } else if (c == 'y' || c == 'Y' || c == 'd' || c == 'D') {
      return true;
    }
  }
  return false;
}

std::size_t whole(const std::string& text) {
  std::size_t out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

void read_styles(const ZipArchive& archive, const std::string& path, Workbook& out) {
  if (!archive.has("xl/styles.xml")) return;
  const Bytes xml = archive.read("xl/styles.xml", workbook_limits());
  std::unordered_map<std::size_t, std::string> patterns;
  bool of_cells = false;
  for (XmlTokens tokens(xml.view(), "its list of styles", path); tokens.next();) {
    if (tokens.opens("numFmt")) patterns[whole(tokens.attribute("numFmtId"))] = tokens.attribute("formatCode");
    if (tokens.opens("cellXfs")) of_cells = true;
    if (tokens.closes("cellXfs")) of_cells = false;
    if (of_cells && tokens.opens("xf"))
      out.date_styles.push_back(is_date_format(whole(tokens.attribute("numFmtId")), patterns));
  }
}

}  // namespace

std::string Workbook::part_of(const std::string& sheet, const std::string& path) const {
  if (sheet.empty()) return sheets.front().part;
  std::vector<std::string> names;
  for (const Sheet& one : sheets) {
    if (one.name == sheet) return one.part;
    names.push_back(one.name);
  }
  const std::size_t position = sheet.find_first_not_of("0123456789") == std::string::npos ? whole(sheet) : 0;
  if (position >= 1 && position <= sheets.size()) return sheets[position - 1].part;
  throw UsageError(
      fmt::format("{}: no sheet {}; the sheets are {}", shown_path(path), shown(sheet), shown_names(names, 8)));
}

bool Workbook::is_date(const std::string& style) const {
  const std::size_t at = whole(style);
  return !style.empty() && at < date_styles.size() && date_styles[at];
}

std::string Workbook::date(const std::string& text) const {
  const Value value = read_value(text);
  constexpr double last = 2958465;  // 9999-12-31
  if (value.kind != Kind::number || value.number < 0 || value.number > last) return text;
  // Days since 1970-01-01, then civil from days (Hinnant). Excel takes 1900 for a leap year: right from 1900-03-01 on.
  const long days = static_cast<long>(std::floor(value.number)) + (from_1904 ? 1462 : 0) - 25569 + 719468;
  const long era = (days >= 0 ? days : days - 146096) / 146097;
  const long of_era = days - era * 146097;
  const long year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  const long of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const long shifted = (5 * of_year + 2) / 153, day = of_year - (153 * shifted + 2) / 5 + 1;
  const long month = shifted < 10 ? shifted + 3 : shifted - 9;
  return fmt::format("{:04}-{:02}-{:02}", year_of_era + era * 400 + (month <= 2 ? 1 : 0), month, day);
}

Workbook read_workbook(const ZipArchive& archive, const std::string& path) {
  Workbook out;
  read_sheets(archive, path, out);
  read_texts(archive, path, out);
  read_styles(archive, path, out);
  return out;
}

}  // namespace cavity
