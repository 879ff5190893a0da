// The grammar of CSV (RFC 4180 with any of three delimiters, LF or CRLF): fields, rows, and blocks of whole rows.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cavity {

enum class Fault { none, unclosed_quote, text_after_quote };

struct Field {
  std::string_view text;  // without quotes and without spaces around it
  const char* next;       // the delimiter or line end after it, or the end of the text
  Fault fault = Fault::none;
};

/// Reads the field at p. Text with doubled quotes is rewritten into `scratch`; other text points into the file.
Field read_field(const char* p, const char* end, char delimiter, std::string& scratch);

/// The '\n' that ends the row at p, or `end`: line ends inside quotes do not count. An unclosed quote reaches to `end`.
const char* find_row_end(const char* p, const char* end, char delimiter);

/// The first row at or after p that is not blank; `end` when there is none.
const char* skip_blank_rows(const char* p, const char* end);

std::size_t count_fields(const char* row, const char* row_end, char delimiter);

/// Of tab, semicolon and comma the one that cuts the first rows into equal numbers of fields, the most of them; a comma
/// for a single column.
char detect_delimiter(std::string_view text);

/// A run of whole rows, to be parsed by one thread: it knows where in the file and in the matrix it starts.
struct Block {
  const char* begin;
  const char* end;
  std::size_t first_line;  // 1-based line of the file
  std::size_t first_row;   // row of the matrix
  std::size_t rows;        // blank lines left out
};

/// Cuts [begin, end) into blocks of about `size` bytes.
std::vector<Block> cut_blocks(const char* begin, const char* end, char delimiter, std::size_t first_line,
                              std::size_t size = std::size_t{4} << 20);

}  // namespace cavity
