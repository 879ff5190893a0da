// Which cells of a question are solved on one prepared table, and by what: the grid, and where features outnumber
// samples the few that keep so few features that their places are sampled. It may be called again and again on the same
// table, with other labels.
#pragma once

#include <string>

#include "prepare/prepare.hpp"
#include "search/cells.hpp"
#include "search/grid_solver.hpp"

namespace cavity {

/// Of what takes samples^2 x features (or the other way round): one update of EP, the kernel of all features.
inline constexpr std::size_t most_ep_samples = 2000;
inline constexpr double most_ep_operations = 2e11;

/// `problem` is that of the table's design. Where the solver is left to us and converges nowhere, the exact sampler
/// takes over if that is cheap.
Cells search(const Prepared& prepared, const GridProblem& problem, const FitOptions& options, ThreadPool& pool);

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
