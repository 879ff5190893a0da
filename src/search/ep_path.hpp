// EP over the grid, from dense to sparse, each cell from its neighbours. Cells that are independent run in parallel, so
// that the result does not depend on the number of threads.
#pragma once

#include <functional>
#include <vector>

#include "infer/ep.hpp"
#include "search/grid_solver.hpp"

namespace cavity {

struct EpWalk {
  SolverOptions options;
  /// The best column is followed, and only until it has shown enough; cells that do not converge at once are left
  /// alone. False: all cells are wanted, by whatever start gets there.
  bool may_end = true;
  std::function<bool(std::size_t cell, Posterior&, EpState&)> known;             // from a checkpoint
  std::function<void(std::size_t cell, const Posterior&, const EpState&)> done;  // not visited ones, too
};

struct EpCells {
  std::vector<Posterior> posteriors;  // in the grid's order
  std::vector<EpState> states;        // density 0 where there is none

  bool sound(std::size_t cell) const { return posteriors[cell].status == Status::converged; }
};

EpCells walk_ep(const GridProblem& problem, const Grid& grid, const EpWalk& walk, ThreadPool& pool);

}  // namespace cavity
