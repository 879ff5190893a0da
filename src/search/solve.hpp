// All cells of the grid on one prepared table. It may be called again and again on the same table, with other labels.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cavity/place_draws.hpp"

#include "prepare/prepare.hpp"
#include "search/grid_solver.hpp"
#include "search/place_inputs.hpp"

namespace cavity {

inline constexpr std::size_t most_ep_samples = 2000;

struct Solved {
  Solver solver = Solver::ep;  // what ran
  std::string why;             // the reason
  Grid grid;
  std::vector<Posterior> posteriors;          // a grid point
  std::vector<EpState> states;                // ep, where it stopped at a loose tolerance; density 0 where it has none
  std::size_t resumed_cells = 0;              // that came from a checkpoint
  std::map<std::size_t, PlaceDraws> draws{};  // of the cells whose places were sampled
  std::shared_ptr<const PlaceInputs> place_inputs{};  // what they see; none: what inference sees
  std::vector<EpState> solutions{};                   // ep, where it went to the end; density 0 where it did not

  const Design& place_design(const Design& seen_by_inference) const {
    return place_inputs ? static_cast<const Design&>(place_inputs->design) : seen_by_inference;
  }

  /// Where a cell was solved, if ep has solved it.
  const EpState* solution(std::size_t cell) const {
    for (const auto* all : {&solutions, &states})
      if (cell < all->size() && (*all)[cell].density > 0) return &(*all)[cell];
    return nullptr;
  }
};

/// `problem` is that of the table's design. Where the solver is left to us and converges nowhere, the exact sampler
/// takes over if that is cheap.
Solved solve(const Prepared& prepared, const GridProblem& problem, const FitOptions& options, ThreadPool& pool);

/// What runs where `asked` is automatic, and the reason.
struct SolverPick {
  Solver solver;
  std::string why;
};
SolverPick pick_solver(Solver asked, const FeatureTable& features, std::size_t inputs,
                       const Shards& shards = Shards::whole());

/// Whether a solver takes rows of different lengths for rows of one length.
inline bool assumes_equal_rows(Solver solver) { return solver == Solver::amp || solver == Solver::bp; }

/// How a solver runs under these options: without progress or checkpoint.
GridRun make_run(Solver solver, const FitOptions& options);

}  // namespace cavity
