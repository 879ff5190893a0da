// Leave-one-out by actual refits, to check what the cavities say.
#pragma once

#include "select/grid_solver.hpp"

namespace cavity {

struct LooCheck {
  std::size_t checked = 0, changed_labels = 0, failed = 0;
  double largest_difference = 0, mean_difference = 0;  // of the probability of the sample's own label
};

/// Refits the grid point with `count` random samples left out, one at a time (the preprocessing stays), and compares
/// the left-out sample's probability with the cavity's.
LooCheck check_loo(const GridProblem& problem, const GridPoint& point, const GridRun& run, const Posterior& posterior,
                   std::size_t count, ThreadPool& pool);

}  // namespace cavity
