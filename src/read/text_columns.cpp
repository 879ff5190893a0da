#include "read/text_columns.hpp"

#include <algorithm>
#include <string>
#include <unordered_set>

#include "file/number.hpp"
#include "read/csv_rows.hpp"

namespace cavity {

namespace {

struct Seen {
  std::unordered_set<std::string> texts{};
  std::size_t rows = 0;
  bool dates = true;

  void add(std::string_view text) {
    if (read_value(text).kind == Kind::missing) return;
    ++rows;
    dates = dates && is_date(text);
    texts.emplace(text);
  }
  TextKind kind() const {
    constexpr std::size_t least = 3;
    if (rows == 0) return TextKind::none;
    if (dates) return TextKind::dates;
    return rows >= least && texts.size() == rows ? TextKind::different : TextKind::repeating;
  }
};

}  // namespace

bool is_date(std::string_view text) {
  text = text.substr(0, text.find_first_of(" T"));
  std::size_t parts = 0, years = 0;
  char separator = 0;
  while (true) {
    std::size_t digits = 0;
    while (digits < text.size() && is_digit(text[digits])) ++digits;
    if (digits == 0 || digits == 3 || digits > 4 || ++parts > 3) return false;
    years += digits == 4 ? 1 : 0;
    text.remove_prefix(digits);
    if (text.empty()) return parts == 3 && (years == 1 || separator != '.');
    if ((text[0] != '-' && text[0] != '/' && text[0] != '.') || (separator != 0 && text[0] != separator)) return false;
    separator = text[0];
    text.remove_prefix(1);
  }
}

std::vector<TextKind> text_kinds(const CsvHead& head) {
  std::vector<std::size_t> columns;
  for (std::size_t column = 0; column < head.columns(); ++column)
    if (head.texts[column] && !head.numbers[column]) columns.push_back(column);
  if (columns.empty()) return {};
  std::vector<TextKind> out(head.columns(), TextKind::none);
  std::vector<Seen> seen(columns.size());
  std::string scratch;
  const char* p = skip_blank_rows(head.data, head.end);
  for (int row = 0; row < rows_looked_at && p != head.end; ++row) {
    const char* const row_end = find_row_end(p, head.end, head.delimiter);
    std::size_t next = 0;
    for (std::size_t column = 0; next < columns.size(); ++column) {
      const Field field = read_field(p, row_end, head.delimiter, scratch);
      if (column == columns[next]) seen[next++].add(field.text);
      if (field.next == row_end || field.fault != Fault::none) break;
      p = field.next + 1;
    }
    p = skip_blank_rows(row_end, head.end);
  }
  for (std::size_t i = 0; i < columns.size(); ++i) out[columns[i]] = seen[i].kind();
  return out;
}

}  // namespace cavity
