// The grid is walked with a loose tolerance, since most cells say no more than that they are not needed. Those that are
// get solved to the tolerance that was asked for.
#pragma once

#include <optional>

#include "fit/choose.hpp"
#include "search/solve.hpp"

namespace cavity {

struct SettleEffort {
  double looser = 1;  // the end is so many times the tolerance
  /// Of a stack: nats a sample by which a cell must lead those whose leave-one-out is earned, lest it is given up
  /// instead of earning its own. None: all earn it.
  std::optional<double> lead{};
};

/// Chooses, earns the leave-one-out of cells of the choice that keep few features, solves the cells of the choice to
/// the end, and chooses again, until all of them are settled. A cell that does not get there has stalled.
Choice settle(const GridProblem& problem, const FitOptions& options, Solved& solved, ThreadPool& pool,
              const SettleEffort& effort = {});

}  // namespace cavity
