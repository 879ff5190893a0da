// Leave-one-out by actual refits, to check what the cavities say.
#pragma once

#include "cavity/fit.hpp"
#include "search/grid_solver.hpp"

namespace cavity {

/// Refits the cell with `count` random samples, or groups of samples, left out, one at a time (the preprocessing
/// stays), and compares what is left out with the cell's own word. Where ep has solved the cell, refits that do not
/// converge cold start from there.
LooCheck check_loo(const GridProblem& problem, const SolvedCell& cell, const GridRun& run, std::size_t count,
                   ThreadPool& pool);

}  // namespace cavity
