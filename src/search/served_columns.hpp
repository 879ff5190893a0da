// What one problem learns of the grid serves others on the same table that are much like it: classes against the rest.
#pragma once

#include <vector>

#include "search/cells.hpp"

namespace cavity {

/// The column with the best leave-one-out log loss and, where it is not clearly worse in a row that both have,
/// the next.
std::vector<std::size_t> served_columns(const std::vector<SolvedCell>& cells, const SampleGroups* groups);

}  // namespace cavity
