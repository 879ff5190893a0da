#include "read/sample_sheet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "cavity/errors.hpp"
#include "file/content.hpp"
#include "file/messages.hpp"
#include "read/csv_rows.hpp"
#include "read/number_spelling.hpp"
#include "read/table_part.hpp"
#include "read/unpack.hpp"

namespace cavity {

namespace {

using Fields = std::vector<std::string>;

Fields split(const char* p, const char* end, char delimiter, const std::string& path, std::size_t line) {
  Fields out;
  std::string scratch;
  while (true) {
    const Field field = read_field(p, end, delimiter, scratch);
    if (field.fault != Fault::none)
      throw InputError(fmt::format("{}, line {}: unbalanced quotes", shown_path(path), line));
    out.emplace_back(field.text);
    if (field.next == end) return out;
    p = field.next + 1;
  }
}

void read_rows(const TablePart& part, char delimiter, SampleSheet& sheet) {
  const char* const end = part.text.data() + part.text.size();
  std::size_t line = 1;
  const char* counted_to = part.text.data();
  for (const char* p = skip_blank_rows(counted_to + part.begin, end); p != end;) {
    line += static_cast<std::size_t>(std::count(counted_to, p, '\n'));
    counted_to = p;
    const char* row_end = find_row_end(p, end, delimiter);
    Fields fields = split(p, row_end, delimiter, sheet.path, line);
    p = skip_blank_rows(row_end, end);
    if (std::all_of(fields.begin(), fields.end(), [](const std::string& f) { return f.empty(); })) continue;
    if (sheet.columns.empty()) {
      sheet.columns = std::move(fields);
      if (part.marked_header) sheet.columns.front().erase(0, 1);
      continue;
    }
    const bool row_names = sheet.rows.empty() && fields.size() == sheet.columns.size() + 1;
    if (row_names) sheet.columns.insert(sheet.columns.begin(), "");
    if (fields.size() != sheet.columns.size())
      throw InputError(fmt::format("{}, line {}: {} where the header has {}", shown_path(sheet.path), line,
                                   counted(fields.size(), "field"), sheet.columns.size()));
    sheet.rows.push_back(std::move(fields));
    sheet.lines.push_back(line);
  }
}

}  // namespace

std::optional<std::size_t> SampleSheet::find(std::string_view wanted) const {
  const auto at = std::find(columns.begin(), columns.end(), wanted);
  if (at != columns.end()) return static_cast<std::size_t>(at - columns.begin());
  std::size_t position = 0;
  const char* end = wanted.data() + wanted.size();
  const auto [rest, error] = std::from_chars(wanted.data(), end, position);
  if (rest != end || error != std::errc{} || position < 1 || position > columns.size()) return std::nullopt;
  return position - 1;
}

void choose_id(const ReadOptions& options, SampleSheet& sheet) {
  const std::string& path = sheet.path;
  if (!options.sample_id.empty()) {
    const auto column = sheet.find(options.sample_id);
    if (!column)
      throw UsageError(fmt::format("{}: no id column {}{}", shown_path(path), shown(options.sample_id),
                                   nearest_names(options.sample_id, sheet.columns)));
    sheet.id = *column;
  } else if (!options.remembered_id.empty()) {
    const auto at = std::find(sheet.columns.begin(), sheet.columns.end(), options.remembered_id);
    if (at != sheet.columns.end()) sheet.id = static_cast<std::size_t>(at - sheet.columns.begin());
  }
  for (std::size_t row = 0; row < sheet.rows.size(); ++row) {
    if (sheet.id_of(row).empty())
      throw InputError(fmt::format("{}, line {}: the sample has no id in column {} ({})", shown_path(path),
                                   sheet.lines[row], sheet.id + 1, shown(sheet.columns[sheet.id])));
    const auto [twin, fresh] = sheet.places.emplace(sheet.id_of(row), row);
    if (!fresh)
      throw InputError(
          fmt::format("{}: lines {} and {} have the same id, {}, in column {}; one line a sample is needed, or "
                      "another column of ids (`id`)",
                      shown_path(path), sheet.lines[twin->second], sheet.lines[row], shown(twin->first),
                      shown(sheet.columns[sheet.id])));
  }
}

SampleSheet read_sample_sheet(const std::string& path, const ReadOptions& options) {
  return sheet_from_bytes(read_bytes(path), path, options);
}

SampleSheet sheet_from_bytes(Bytes compressed, const std::string& path, const ReadOptions& options) {
  ReadOptions allowed;
  allowed.memory = options.memory;
  const Bytes bytes = unpacked(std::move(compressed), path, allowed);
  std::string_view text = bytes.view();
  reject_nul(text, 0, path);
  if (detect_content(text, path) != Content::table)
    throw InputError(fmt::format("{}: a sample sheet is a table (CSV or TSV) with a header", shown_path(path)));
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  SampleSheet sheet;
  sheet.path = path;
  const TablePart part = table_part(text);
  const char* const begin = text.data() + part.begin;
  const char* const end = part.text.data() + part.text.size();
  const char delimiter = detect_delimiter({begin, static_cast<std::size_t>(end - begin)});
  const auto plain = plain_spelling(text, begin, end, delimiter, options, sheet.notes);
  if (plain) {
    const TablePart same{plain->view().substr(0, part.text.size()), part.begin, part.lines_before, part.marked_header};
    read_rows(same, delimiter, sheet);
  } else {
    read_rows(part, delimiter, sheet);
  }
  if (sheet.rows.empty())
    throw InputError(fmt::format("{}: a sample sheet needs a header and a line a sample", shown_path(path)));
  choose_id(options, sheet);
  return sheet;
}

}  // namespace cavity
