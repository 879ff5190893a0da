// When what a cell says of samples left out is enough, and how the rest is earned. The grid is walked with a loose
// tolerance, since most cells say no more than that they are not needed. Those that are get solved to the tolerance
// that was asked for; those that keep few features, and gamp's, earn their leave-one-out by folds; groups are then left
// out one by one by ep.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "search/grid_solver.hpp"

namespace cavity {

/// The cells with those that carry weight brought a step further; nothing where all of these are settled. Every
/// step settles something of a cell for good. A cell that does not get to the end, `how_loose` times
/// the tolerance, has stalled.
std::optional<std::vector<SolvedCell>> trust_more(const std::vector<SolvedCell>& cells, std::span<const double> weight,
                                                  const GridProblem& problem, const GridRun& run, double how_loose,
                                                  ThreadPool& pool);

}  // namespace cavity
