// Ids of a sheet and of a table that have nothing in common, as they are written.
#pragma once

#include <string>
#include <vector>

#include "read/sample_sheet.hpp"

namespace cavity {

/// A few of each side, and what would make them match where something would: case, blanks, a path, an ending, an X that
/// R has put in front, or points in the place of other characters.
std::string no_common_id(const SampleSheet& sheet, const std::vector<std::string>& table);

/// The last part of it.
std::string what_would_match(const SampleSheet& sheet, const std::vector<std::string>& table);

}  // namespace cavity
