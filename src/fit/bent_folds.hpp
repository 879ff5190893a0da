// The bent cells of a question, with what they say of samples left out: equal relevance by cavities, pruned by folds.
#pragma once

#include <span>
#include <vector>

#include "search/bent_cells.hpp"

namespace cavity {

/// `straight`: ln of each sample's own label by the straight cells, left out. Relevances are looked for where there are
/// no fewer samples than features, within a budget, and given up where the first fold predicts no better than those.
std::vector<BentCell> solve_bent(const BentProblem& problem, std::span<const double> straight, std::size_t questions,
                                 ThreadPool& pool);

}  // namespace cavity
