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

/// low: the neighbours' solutions as they are, one way round and Newton's step, and no more updates than a few times
/// what cells take; where few features are kept but one start; high: whatever may help.
enum class EpEffort { low, high };

/// Whether fewer features than `few`, and few of all, are kept. Below 40 the posterior may have several peaks: what EP
/// finds there with some effort is one of them.
bool few_kept(const GridPoint& point, std::size_t features, double few = 40);

/// Of a cell that keeps few features, from the denser cell at the loose tolerance: one that takes more is at the edge
/// of where there is a solution.
inline constexpr int easy_updates = 15;

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
