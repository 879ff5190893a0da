// What the first rows of a table tell: delimiter, columns, which of them are numeric, whether there is a header.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "cavity/read.hpp"

namespace cavity {

inline constexpr int rows_looked_at = 100;

struct CsvHead {
  char delimiter = ',';
  bool header = false;
  // Fields point into the text, or into `rewritten`: a wide table has more of them than anything else.
  std::vector<std::string_view> first;   // of the first row
  std::vector<std::string_view> second;  // of the first row of data when there is a header, else of the second
  std::deque<std::string> rewritten;     // fields with doubled quotes
  std::vector<bool> numbers;             // a column: the rows looked at after the first hold a number
  std::vector<bool> texts;               // a column: they hold text
  std::vector<bool> repeats;             // a column: they hold the field of the first row again
  bool label_row = false;                // the first field of a row looked at is called as a label column would be
  bool row_names = false;                // the header is one name short, as R writes it: the first column has none
  bool names_samples = false;            // the first column holds ids of the sample sheet (features_in_rows.hpp)
  std::size_t lines_before = 0;          // that begin with # or !, before the table
  const char* data = nullptr;            // where the data starts
  const char* end = nullptr;             // and where it ends
  std::size_t data_line = 1;             // its line

  std::size_t columns() const { return first.size(); }
};

/// Looks at the first rows of the table in `text` (its byte-order mark already removed; see table_part.hpp). There is a
/// header when the first row has text in a column that is numeric below, or holds a column name that the caller or the
/// label rule asks for; a single row is a header when most of it is text. A header of text that is one name shorter
/// than the rows below gets an unnamed first column.
CsvHead read_head(std::string_view text, const std::string& path, const ReadOptions& options);

/// label, class, y or target, in any case.
bool is_label_name(std::string_view name);

/// diagnosis, status, outcome, group, condition or phenotype, in any case: the label where nothing else is text.
bool is_outcome_name(std::string_view name);

}  // namespace cavity
