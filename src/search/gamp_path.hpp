// gamp over the grid, column by column from dense to sparse, each cell from the last. Along a column the leave-one-out
// log loss is smooth: the column ends where it has clearly passed its best, or where cells do not settle, and what lies
// beyond is not visited.
#pragma once

#include <functional>
#include <vector>

#include "search/grid_solver.hpp"

namespace cavity {

struct GampWalk {
  SolverOptions options;
  bool may_end = true;                                           // columns may end early; false: all cells are wanted
  std::function<bool(std::size_t cell, Posterior&)> known;       // from a checkpoint
  std::function<void(std::size_t cell, const Posterior&)> done;  // not visited ones, too
};

/// One posterior a grid point, in the grid's order.
std::vector<Posterior> walk_gamp(const GridProblem& problem, const Grid& grid, const GampWalk& walk, ThreadPool& pool);

}  // namespace cavity
