// Leave-one-out by actual refits, to check what the cavities say.
#pragma once

#include "cavity/fit.hpp"
#include "search/grid_solver.hpp"

namespace cavity {

struct CheckedCell {
  GridPoint point;
  const Posterior& posterior;
  const EpState* state = nullptr;  // of its solution, where ep has one: refits that do not converge cold start from it
};

/// Refits the grid point with `count` random samples, or groups of samples, left out, one at a time (the preprocessing
/// stays), and compares what is left out with the cavities' probabilities.
LooCheck check_loo(const GridProblem& problem, const CheckedCell& cell, const GridRun& run, std::size_t count,
                   ThreadPool& pool);

}  // namespace cavity
