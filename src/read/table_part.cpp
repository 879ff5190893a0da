#include "read/table_part.hpp"

#include <algorithm>

#include "file/number.hpp"
#include "read/csv_rows.hpp"

namespace cavity {

namespace {

constexpr std::string_view table_end = "\n!series_matrix_table_end";

std::string_view line_at(std::string_view text, std::size_t at) {
  const std::size_t end = std::min(text.find('\n', at), text.size());
  std::string_view line = text.substr(at, end - at);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::size_t after(std::string_view text, std::size_t at) { return std::min(text.find('\n', at), text.size() - 1) + 1; }

bool stands_before(std::string_view line) {
  return line.empty() || line.front() == '#' || line.front() == '!' || line.starts_with("\"!");
}

/// Whether a row holds a number beside its first field, and how many fields it has.
std::size_t fields_of_numbers(std::string_view row, char delimiter) {
  const char* const end = row.data() + row.size();
  std::string scratch;
  std::size_t fields = 0, numbers = 0;
  for (const char* p = row.data();; ++p) {
    const Field field = read_field(p, end, delimiter, scratch);
    if (fields++ > 0 && read_value(field.text).kind == Kind::number) ++numbers;
    if (field.next == end || field.fault != Fault::none) break;
    p = field.next;
  }
  return numbers > 0 ? fields : 0;
}

bool is_marked_header(std::string_view text, std::size_t mark, std::size_t next) {
  const std::string_view line = line_at(text, mark);
  if (!line.starts_with('#') || line.starts_with("##") || next >= text.size()) return false;
  const char delimiter = detect_delimiter(text.substr(next));
  const std::size_t fields = count_fields(line.data(), line.data() + line.size(), delimiter);
  return fields > 1 && fields == fields_of_numbers(line_at(text, next), delimiter);
}

}  // namespace

TablePart table_part(std::string_view text) {
  TablePart out{text, 0, 0, false};
  if (text.empty() || !stands_before(line_at(text, 0))) return out;
  std::size_t last = text.size(), last_lines = 0;
  while (out.begin < text.size() && stands_before(line_at(text, out.begin))) {
    if (!line_at(text, out.begin).empty()) {
      last = out.begin;
      last_lines = out.lines_before;
    }
    out.begin = after(text, out.begin);
    ++out.lines_before;
  }
  if (last == text.size()) return {text, 0, 0, false};  // blank lines alone: the reader skips them
  if (is_marked_header(text, last, out.begin)) {
    out.begin = last;
    out.lines_before = last_lines;
    out.marked_header = true;
  }
  const std::size_t end = text.find(table_end, out.begin == 0 ? 0 : out.begin - 1);
  if (end != std::string_view::npos) out.text = text.substr(0, end + 1);
  return out;
}

bool is_series_matrix(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  constexpr std::string_view sample = "!Sample_";
  for (std::size_t at = 0; at < text.size() && stands_before(line_at(text, at)); at = after(text, at)) {
    std::string_view line = line_at(text, at);
    if (line.starts_with('"')) line.remove_prefix(1);
    if (line.starts_with(sample)) return true;
  }
  return false;
}

}  // namespace cavity
