// Columns of text, told apart by the first rows of a table: ids, dates, categories.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "read/csv_head.hpp"

namespace cavity {

enum class TextKind : std::uint8_t { none, different, dates, repeating };

/// A column, or nothing where no column holds text alone: none where the rows looked at hold a number or no text.
/// Different: three rows or more, and none holds the text of another, as ids are.
std::vector<TextKind> text_kinds(const CsvHead& head);

/// 2024-01-31, 31.1.2024, 1/31/24, with or without a time.
bool is_date(std::string_view text);

}  // namespace cavity
