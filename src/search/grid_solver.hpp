// Runs one solver over the whole grid.
#pragma once

#include <functional>

#include "infer/loose_tolerance.hpp"
#include "infer/problem.hpp"
#include "model/activation_kind.hpp"
#include "search/cells.hpp"
#include "search/grid.hpp"

namespace cavity {

class Checkpoint;

struct GridProblem {
  const Design& design;
  std::span<const std::int8_t> labels;
  const Covariates& covariates;
  ActivationKind activation;
  const SampleGroups* groups = nullptr;  // see Problem
  /// Where columns may end: those that served a problem much like this, the best first; the others are not looked at.
  /// None: all are.
  std::span<const std::size_t> columns{};

  Problem at(const GridPoint& point) const {
    return {design,        labels, covariates, make_activation(activation, point.noise, point.width, point.density),
            point.density, groups};
  }
};

struct GridRun {
  Solver solver = Solver::ep;  // not automatic
  int max_iterations = 0;      // 0: the solver's own
  double tolerance = 1e-6;
  std::uint64_t seed = 1;
  bool may_end = false;                                          // ep, gamp: a column of the grid may end early
  double amp_share = 0;                                          // 0: adapts
  std::function<bool(std::size_t cell, const Posterior&)> done;  // after each cell, one at a time; false stops
  std::function<bool()> keep_going;                              // after each update, from any thread; false stops
  bool loose =
      false;  // ep: to loose_tolerance only, where cells may end; those that turn out to be needed are not settled
  Checkpoint* checkpoint = nullptr;  // where finished cells come from and go to
};

/// What a single cell of the run is solved with.
SolverOptions solver_options(const GridRun& run);

/// What was visited, in the grid's order.
std::vector<SolvedCell> solve_grid(const GridProblem& problem, const Grid& grid, const GridRun& run, ThreadPool& pool);

}  // namespace cavity
