#include "select/grid_solver.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <stdexcept>

#include "infer/amp.hpp"
#include "infer/bp.hpp"
#include "infer/gibbs.hpp"
#include "select/ep_cell.hpp"

namespace cavity {

namespace {

constexpr int amp_iterations = 500;
constexpr int ep_iterations = 80;

// Reports cells one at a time and turns a refusal into Interrupted.
class Reporter {
 public:
  explicit Reporter(const GridRun& run) : run_(run) {}
  void operator()(std::size_t cell, const Posterior& posterior) {
    if (!run_.done) return;
    const std::lock_guard lock(mutex_);
    if (!run_.done(cell, posterior)) throw Interrupted();
  }

 private:
  const GridRun& run_;
  std::mutex mutex_;
};

// The solutions that cell (i, j) may start from.
EpNeighbours neighbours_of(std::size_t i, std::size_t j, const Grid& grid, const std::vector<EpState>& states) {
  const auto at = [&](std::size_t row, std::size_t column) { return &states[row * grid.columns() + column]; };
  const auto solved = [](const EpState* state) { return state && state->density > 0; };
  EpNeighbours out;
  if (i > 0) out.denser = at(i - 1, j);
  if (j > 0) out.noisier = at(i, j - 1);
  if (i > 0 && j > 0) out.corner = at(i - 1, j - 1);
  if (j > 0) out.noise_of_noisier = grid.noise[i][j - 1];
  if (solved(out.denser) || solved(out.noisier)) return out;
  for (std::size_t row = i; row-- > 0 && !out.edge;)
    if (solved(at(row, j))) out.edge = at(row, j);
  for (std::size_t column = j; column-- > 0 && !out.edge;)
    if (solved(at(i, column))) out.edge = at(i, column);
  return out;
}

std::vector<Posterior> ep_grid(const GridProblem& problem, const Grid& grid, const SolverOptions& options,
                               Reporter& report, ThreadPool& pool) {
  const std::size_t rows = grid.density.size(), columns = grid.columns();
  std::vector<Posterior> out(grid.size());
  std::vector<EpState> states(grid.size());
  std::vector<std::size_t> before;  // the diagonal before
  for (std::size_t diagonal = 0; diagonal < rows + columns - 1; ++diagonal) {
    std::vector<std::size_t> cells;
    for (std::size_t i = 0; i < rows; ++i)
      if (diagonal >= i && diagonal - i < columns) cells.push_back(i * columns + diagonal - i);
    // Cells of a diagonal at the same time; with other processes one after the other, so that all sum up alike.
    const bool together = cells.size() > 1 && problem.design.shards().alone();
    const auto solve = [&](std::size_t k) {
      const std::size_t cell = cells[k], i = cell / columns, j = cell % columns;
      ThreadPool serial(1);
      const EpNeighbours neighbours = neighbours_of(i, j, grid, states);
      EpResult result = solve_ep_cell(problem, grid.point(cell), neighbours, options, together ? serial : pool);
      out[cell] = std::move(result.posterior);
      if (out[cell].status == Status::converged) states[cell] = std::move(result.state);
      report(cell, out[cell]);
    };
    if (together)
      pool.run(cells.size(), solve);
    else
      for (std::size_t k = 0; k < cells.size(); ++k) solve(k);
    for (const std::size_t cell : before) states[cell].history = {};  // the next diagonal starts from this one
    before = std::move(cells);
  }
  return out;
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
        gibbs.observer = [&run](const GibbsDraw&) {
          if (!run.keep_going()) throw Interrupted();
        };
      if (run.max_iterations > 0) {  // sweeps of a chain, a fifth of them to warm up; fit_gibbs keeps 32 at a time
        gibbs.warm_up = run.max_iterations / 5;
        gibbs.draws = std::max(32, (run.max_iterations - gibbs.warm_up) / 32 * 32);
      }
      return fit_gibbs(problem, gibbs, pool).posterior;
    }
    case Solver::ep:
    case Solver::automatic:
      break;
  }
  throw std::logic_error("solver");
}

}  // namespace

std::vector<Posterior> solve_grid(const GridProblem& problem, const Grid& grid, const GridRun& run, ThreadPool& pool) {
  SolverOptions options;
  options.tolerance = run.tolerance;
  options.share = run.amp_share;
  options.max_iterations = run.max_iterations > 0     ? run.max_iterations
                           : run.solver == Solver::ep ? ep_iterations
                                                      : amp_iterations;
  if (run.keep_going)
    options.observer = [&run](const Iteration&) { return run.keep_going() ? true : throw Interrupted(); };
  Reporter report(run);
  if (run.solver == Solver::ep) return ep_grid(problem, grid, options, report, pool);
  if (run.solver == Solver::amp && grid.size() > 1) {
    std::vector<Problem> cells;
    for (std::size_t cell = 0; cell < grid.size(); ++cell) cells.push_back(problem.at(grid.point(cell)));
    return fit_amp_together(
        cells, options, [&](std::size_t k, const Posterior& p) { report(k, p); }, pool);
  }
  std::vector<Posterior> out;
  for (std::size_t cell = 0; cell < grid.size(); ++cell) {
    out.push_back(solve_one(problem.at(grid.point(cell)), run, options, pool));
    report(cell, out.back());
  }
  return out;
}

}  // namespace cavity
