// All cells of the grid on one prepared table. It may be called again and again on the same table, with other labels.
#pragma once

#include <string>
#include <vector>

#include "grid/grid_solver.hpp"
#include "prepare/prepare.hpp"

namespace cavity {

inline constexpr std::size_t most_ep_samples = 2000;

struct Solved {
  Solver solver = Solver::ep;  // what ran
  std::string why;             // the reason
  Grid grid;
  std::vector<Posterior> posteriors;  // a grid point
  std::size_t resumed_cells = 0;      // that came from a checkpoint
};

/// `problem` is that of the table's design. Where the solver is left to us and converges nowhere, the exact sampler
/// takes over if that is cheap.
Solved solve(const Prepared& prepared, const GridProblem& problem, const FitOptions& options, ThreadPool& pool);

/// How a solver runs under these options: without progress or checkpoint.
GridRun make_run(Solver solver, const FitOptions& options);

}  // namespace cavity
