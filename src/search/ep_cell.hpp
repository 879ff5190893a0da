// One EP cell of the grid, by whatever start gets there.
#pragma once

#include "infer/ep.hpp"
#include "search/grid_solver.hpp"

namespace cavity {

/// Solutions next door: the same noise at a higher density, the same density at a higher noise. An empty state means
/// that neighbour has none.
struct EpNeighbours {
  const EpState* denser = nullptr;
  const EpState* noisier = nullptr;
  const EpState* corner = nullptr;  // both at once: with it the start is extrapolated
  GridPoint noisier_at{};
  const EpState* edge = nullptr;  // where both have none: the last solution on the way to them, if there is one
};

/// low: the nearest solution as it is, and no more updates than a few times what cells take; high: whatever may help.
enum class EpEffort { low, high };

struct EpSearch {
  SolverOptions options;
  EpEffort effort = EpEffort::high;
};

/// With high effort, starts tried in order, each within the update limit, until one converges: extrapolated from all
/// three neighbours, from the denser cell, from the noisier one, both again with Newton's step, through a point half
/// way; then with restricted site precisions. Beyond the edge of what can be solved a single start is made, from there:
/// the neighbours have tried the rest. `iterations` counts the updates of the start that led to the answer.
EpResult solve_ep_cell(const GridProblem& problem, const GridPoint& point, const EpNeighbours& neighbours,
                       const EpSearch& search, ThreadPool& pool);

}  // namespace cavity
