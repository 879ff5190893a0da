// Cells of a kernel with pruned relevances, with what they say of samples left out by folds.
#pragma once

#include <span>
#include <vector>

#include "search/bent_cells.hpp"

namespace cavity {

/// Relevances are looked for where there are no fewer samples than features, within a budget, and given up where the
/// first fold does not clearly predict better than `known`: ln of each sample's own label, left out.
std::vector<BentCell> pruned_cells(const BentProblem& problem, std::span<const double> known, std::size_t questions,
                                   ThreadPool& pool);

}  // namespace cavity
