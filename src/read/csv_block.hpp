// The rows of one block of a table, parsed into their places.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cavity/dataset.hpp"
#include "file/bytes.hpp"
#include "read/csv_head.hpp"
#include "read/csv_layout.hpp"
#include "read/csv_rows.hpp"
#include "read/labels.hpp"

namespace cavity {

/// Follows "not a number" and "no features" where there is a single column.
inline constexpr const char* no_separator =
    "; columns are separated by a comma, a tab or a semicolon, and there is none";

/// Slots for the columns that are not features; each block fills its own rows.
struct TextColumns {
  LabelTexts labels;
  std::vector<std::string> sample_names, groups;
  std::vector<CovariateColumn> covariates;
};

/// Throws InputError for the row at `row`, which has more or fewer fields than the first.
[[noreturn]] void ragged(const CsvHead& head, const std::string& path, const char* row, const char* end,
                         std::size_t line);

/// A copy for each block: blocks write to rows of their own.
class BlockParser {
 public:
  BlockParser(const CsvHead& head, const CsvLayout& layout, const std::string& path, Dataset& dataset,
              TextColumns& texts)
      : head_(head), layout_(layout), path_(path), dataset_(dataset), texts_(texts) {}

  void parse(const Block& block);

 private:
  const char* parse_row(const char* p, std::size_t row);  // these three return where what they read ends
  const char* parse_odd(const char* p, std::size_t column, float& out);
  const char* keep_text(const char* p, std::size_t column, std::size_t row);
  Field checked_field(const char* p, std::size_t column);
  std::size_t line_of(const char* p);
  std::string place(const char* p, std::size_t column);
  [[noreturn]] void not_a_number(const char* p, std::size_t column, std::string_view text);

  const CsvHead& head_;
  const CsvLayout& layout_;
  const std::string& path_;
  Dataset& dataset_;
  TextColumns& texts_;
  const Block* block_ = nullptr;
  const char* row_ = nullptr;
  const char* counted_ = nullptr;
  std::size_t line_ = 0;
  std::string scratch_;
};

/// Every block by a copy of `parser`; bytes that have been parsed are released. Of several errors the first in the file
/// counts, as if it had been read in order.
void parse_blocks(const std::vector<Block>& blocks, const BlockParser& parser, const Bytes& bytes, unsigned threads);

}  // namespace cavity
