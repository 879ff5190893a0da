#include "search/grid_solver.hpp"

#include <algorithm>
#include <mutex>
#include <stdexcept>

#include "infer/amp.hpp"
#include "infer/bp.hpp"
#include "infer/gibbs.hpp"
#include "search/checkpoint.hpp"
#include "search/ep_path.hpp"
#include "search/gamp_path.hpp"

namespace cavity {

namespace {

constexpr int amp_iterations = 500;
constexpr int ep_iterations = 80;

// Reports cells one at a time, to the checkpoint first, and turns a refusal into Interrupted.
class Reporter {
 public:
  explicit Reporter(const GridRun& run) : run_(run) {}
  bool known(std::size_t cell, Posterior& posterior, EpState* state = nullptr) {
    return run_.checkpoint && run_.checkpoint->restore(cell, posterior, state);
  }
  void operator()(std::size_t cell, const Posterior& posterior, const EpState* state = nullptr) {
    const std::lock_guard lock(mutex_);
    if (run_.checkpoint) run_.checkpoint->add(cell, posterior, state);
    if (run_.done && !run_.done(cell, posterior)) throw Interrupted();
  }

 private:
  const GridRun& run_;
  std::mutex mutex_;
};

/// Those that were visited.
std::vector<SolvedCell> as_cells(const Grid& grid, Solver solver, std::vector<Posterior> posteriors) {
  std::vector<SolvedCell> out;
  for (std::size_t cell = 0; cell < posteriors.size(); ++cell)
    if (posteriors[cell].status != Status::not_visited)
      out.push_back(
          solved_cell(grid.point(cell), cell % grid.columns(), method_of(solver), std::move(posteriors[cell])));
  // What gamp's cavities say is not enough wherever features are correlated.
  for (SolvedCell& cell : out) cell.settled = solver != Solver::gamp || cell.status != Status::converged;
  return out;
}

std::vector<SolvedCell> ep_grid(const GridProblem& problem, const Grid& grid, const GridRun& run, SolverOptions options,
                                Reporter& report, ThreadPool& pool) {
  const bool loose = run.may_end && run.loose;
  if (loose) options.tolerance = std::max(options.tolerance, loose_tolerance);
  EpCells cells =
      walk_ep(problem, grid,
              {options, run.may_end,
               [&](std::size_t cell, Posterior& p, EpState& state) { return report.known(cell, p, &state); },
               [&](std::size_t cell, const Posterior& p, const EpState& state) { report(cell, p, &state); }},
              pool);
  std::vector<SolvedCell> out;
  for (std::size_t cell = 0; cell < grid.size(); ++cell) {
    if (cells.posteriors[cell].status == Status::not_visited) continue;
    SolvedCell& one = out.emplace_back(
        solved_cell(grid.point(cell), cell % grid.columns(), Method::ep, std::move(cells.posteriors[cell])));
    if (cells.states[cell].density == 0) continue;
    one.settled = !loose;
    one.state = std::make_shared<const EpState>(std::move(cells.states[cell]));
  }
  return out;
}

// Cells of a checkpoint are not in the batch, but it is a batch as long as it would have been one with them.
std::vector<Posterior> amp_grid(const GridProblem& problem, const Grid& grid, const SolverOptions& options,
                                Reporter& report, ThreadPool& pool) {
  std::vector<Posterior> out(grid.size());
  std::vector<std::size_t> cells;
  std::vector<Problem> problems;
  std::vector<int> updates_of_known;
  for (std::size_t cell = 0; cell < grid.size(); ++cell) {
    if (report.known(cell, out[cell])) {
      updates_of_known.push_back(out[cell].iterations);
    } else {
      cells.push_back(cell);
      problems.push_back(problem.at(grid.point(cell)));
    }
  }
  const auto done = [&](std::size_t k, const Posterior& p) { report(cells[k], p); };
  std::vector<Posterior> solved = fit_amp_together(problems, options, done, pool, updates_of_known);
  for (std::size_t k = 0; k < cells.size(); ++k) out[cells[k]] = std::move(solved[k]);
  return out;
}

std::vector<Posterior> gamp_grid(const GridProblem& problem, const Grid& grid, const GridRun& run,
                                 const SolverOptions& options, Reporter& report, ThreadPool& pool) {
  return walk_gamp(problem, grid,
                   {options, run.may_end, [&](std::size_t cell, Posterior& p) { return report.known(cell, p); },
                    [&](std::size_t cell, const Posterior& p) { report(cell, p); }},
                   pool);
}

Posterior solve_one(const Problem& problem, const GridRun& run, SolverOptions options, ThreadPool& pool) {
  switch (run.solver) {
    case Solver::amp:
      return fit_amp(problem, options, pool);
    case Solver::bp:
      return fit_bp(problem, options);
    case Solver::gibbs: {
      GibbsOptions gibbs;
      gibbs.seed = run.seed;
      if (run.keep_going)
        gibbs.each_sweep = [&run] {
          if (!run.keep_going()) throw Interrupted();
        };
      if (run.max_iterations > 0) {  // sweeps of a chain, a fifth of them to warm up; fit_gibbs keeps 32 at a time
        gibbs.warm_up = run.max_iterations / 5;
        gibbs.draws = std::max(32, (run.max_iterations - gibbs.warm_up) / 32 * 32);
      }
      return fit_gibbs(problem, gibbs, pool).posterior;
    }
    case Solver::ep:
    case Solver::gamp:
    case Solver::automatic:
      break;
  }
  throw std::logic_error("solver");
}

}  // namespace

SolverOptions solver_options(const GridRun& run) {
  SolverOptions options;
  options.tolerance = run.tolerance;
  options.share = run.amp_share;
  options.max_iterations = run.max_iterations > 0     ? run.max_iterations
                           : run.solver == Solver::ep ? ep_iterations
                                                      : amp_iterations;
  if (run.keep_going)
    options.observer = [&run](const Iteration&) { return run.keep_going() ? true : throw Interrupted(); };
  return options;
}

std::vector<SolvedCell> solve_grid(const GridProblem& problem, const Grid& grid, const GridRun& run, ThreadPool& pool) {
  const SolverOptions options = solver_options(run);
  Reporter report(run);
  if (run.solver == Solver::ep) return ep_grid(problem, grid, run, options, report, pool);
  if (run.solver == Solver::gamp)
    return as_cells(grid, run.solver, gamp_grid(problem, grid, run, options, report, pool));
  if (run.solver == Solver::amp && grid.size() > 1)
    return as_cells(grid, run.solver, amp_grid(problem, grid, options, report, pool));
  std::vector<Posterior> out(grid.size());
  for (std::size_t cell = 0; cell < grid.size(); ++cell) {
    if (report.known(cell, out[cell])) continue;
    out[cell] = solve_one(problem.at(grid.point(cell)), run, options, pool);
    report(cell, out[cell]);
  }
  return as_cells(grid, run.solver, std::move(out));
}

}  // namespace cavity
