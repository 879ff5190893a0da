#include "read/csv_rows.hpp"

#include <algorithm>
#include <cstring>

namespace cavity {

namespace {

const char* find(const char* p, const char* end, char c) {
  if (p == end) return end;
  const void* at = std::memchr(p, c, static_cast<std::size_t>(end - p));
  return at == nullptr ? end : static_cast<const char*>(at);
}

bool is_space(char c, char delimiter) { return (c == ' ' || c == '\t') && c != delimiter; }

/// A quote opens a field only at its start; elsewhere it is a character like any other (5" pipe).
bool opens_field(const char* row, const char* quote, char delimiter) {
  while (quote != row && is_space(quote[-1], delimiter)) --quote;
  return quote == row || quote[-1] == delimiter;
}

/// The closing quote of the field whose opening quote is at p; `end` when it is never closed.
const char* find_closing_quote(const char* p, const char* end) {
  for (p = find(p + 1, end, '"'); p != end; p = find(p + 2, end, '"')) {
    if (p + 1 == end || p[1] != '"') return p;
  }
  return end;
}

Field read_quoted(const char* p, const char* end, char delimiter, std::string& scratch) {
  const char* close = find_closing_quote(p, end);
  std::string_view text(p + 1, static_cast<std::size_t>(close - p - 1));
  if (close == end) return {text, end, Fault::unclosed_quote};
  if (text.find('"') != std::string_view::npos) {
    scratch.clear();
    for (std::size_t i = 0; i < text.size(); ++i) {
      scratch += text[i];
      if (text[i] == '"') ++i;  // the second of a pair
    }
    text = scratch;
  }
  const char* next = close + 1;
  while (next != end && is_space(*next, delimiter)) ++next;
  if (next != end && *next == '\r' && (next + 1 == end || next[1] == '\n')) ++next;
  const bool ends = next == end || *next == delimiter || *next == '\n';
  return {text, next, ends ? Fault::none : Fault::text_after_quote};
}

/// Fields of each of the first rows for one delimiter; 0 when they differ.
std::size_t equal_fields(const char* p, const char* end, char delimiter) {
  std::size_t fields = 0;
  for (int rows = 0; rows < 10; ++rows) {
    p = skip_blank_rows(p, end);
    if (p == end) break;
    const char* row_end = find_row_end(p, end, delimiter);
    const std::size_t found = count_fields(p, row_end, delimiter);
    if (fields != 0 && found != fields) return 0;
    fields = found;
    p = row_end;
  }
  return fields;
}

}  // namespace

Field read_field(const char* p, const char* end, char delimiter, std::string& scratch) {
  while (p != end && is_space(*p, delimiter)) ++p;
  if (p != end && *p == '"') return read_quoted(p, end, delimiter, scratch);
  const char* next = p;
  while (next != end && *next != delimiter && *next != '\n') ++next;
  const char* last = next;
  if (last != p && last[-1] == '\r' && (next == end || *next == '\n')) --last;
  while (last != p && is_space(last[-1], delimiter)) --last;
  return {std::string_view(p, static_cast<std::size_t>(last - p)), next};
}

const char* find_row_end(const char* p, const char* end, char delimiter) {
  const char* const row = p;
  const char* line_end = find(p, end, '\n');
  while (true) {
    const char* quote = find(p, line_end, '"');
    if (quote == line_end) return line_end;
    p = quote + 1;
    if (!opens_field(row, quote, delimiter)) continue;
    const char* close = find_closing_quote(quote, end);
    if (close == end) return end;
    p = close + 1;
    if (p > line_end) line_end = find(p, end, '\n');
  }
}

const char* skip_blank_rows(const char* p, const char* end) {
  while (p != end) {
    if (*p == '\n') {
      ++p;
    } else if (*p == '\r' && (p + 1 == end || p[1] == '\n')) {
      p = p + 1 == end ? end : p + 2;
    } else {
      break;
    }
  }
  return p;
}

std::size_t count_fields(const char* row, const char* row_end, char delimiter) {
  std::string scratch;
  std::size_t fields = 1;
  for (const char* p = row; true; ++fields) {
    const Field field = read_field(p, row_end, delimiter, scratch);
    // After a fault the rest of the row still counts, so that a stray quote does not hide the delimiters behind it.
    const char* next = field.fault == Fault::none ? field.next : find(field.next, row_end, delimiter);
    if (next == row_end || *next != delimiter) return fields;
    p = next + 1;
  }
}

char detect_delimiter(std::string_view text) {
  const char* begin = skip_blank_rows(text.data(), text.data() + text.size());
  const char* end = text.data() + text.size();
  char best = ',';
  std::size_t most = 1;
  for (const char candidate : {'\t', ';', ','}) {
    const std::size_t fields = equal_fields(begin, end, candidate);
    if (fields > most) {
      most = fields;
      best = candidate;
    }
  }
  if (most > 1) return best;
  for (const char candidate : {'\t', ';', ','}) {  // ragged whatever we choose: let the first row decide
    const std::size_t fields = count_fields(begin, find_row_end(begin, end, candidate), candidate);
    if (fields > most) {
      most = fields;
      best = candidate;
    }
  }
  return best;
}

std::vector<Block> cut_blocks(const char* begin, const char* end, char delimiter, std::size_t first_line,
                              std::size_t size) {
  std::vector<Block> blocks;
  Block block{begin, begin, first_line, 0, 0};
  std::size_t lines = 0;
  for (const char* p = begin; p != end;) {
    const char* row = skip_blank_rows(p, end);
    const char* row_end = row == end ? end : find_row_end(row, end, delimiter);
    const char* next = row_end == end ? end : row_end + 1;
    if (row != end) ++block.rows;
    // Almost every row is one line; only blank lines and quoted line ends need counting.
    lines += row == p && find(row, row_end, '"') == row_end ? (row_end == end ? 0 : 1)
                                                            : static_cast<std::size_t>(std::count(p, next, '\n'));
    p = next;
    if (static_cast<std::size_t>(p - block.begin) >= size || p == end) {
      block.end = p;
      blocks.push_back(block);
      block = {p, p, first_line + lines, block.first_row + block.rows, 0};
    }
  }
  return blocks;
}

}  // namespace cavity
