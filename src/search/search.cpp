#include "search/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "design/accelerator.hpp"
#include "prepare/block_parts.hpp"
#include "search/checkpoint.hpp"
#include "search/policies.hpp"
#include "search/sampled_cells.hpp"
#include "search/whole_table.hpp"
#include "table/table.hpp"

namespace cavity {

SolverPick pick_solver(Solver asked, const FeatureTable& table, std::size_t features, const Shards& shards) {
  if (asked != Solver::automatic) return {asked, "asked for"};
  const std::size_t samples = table.rows();
  if (table.table().sparse())
    return {Solver::gamp, "rows and columns of a sparse table are uneven, and gamp gives each a variance of its own"};
  const auto small = static_cast<double>(std::min(samples, features)),
             large = static_cast<double>(std::max(samples, features));
  const bool affordable = std::min(samples, features) <= most_ep_samples && small * small * large <= most_ep_operations;
  if (affordable)
    return {Solver::ep,
            fmt::format("{} x {} is within EP's reach, and EP needs no independent features", samples, features)};
  if (const Accelerator* device = shards.accelerator())
    return device->takes_ep(samples, features)
               ? SolverPick{Solver::ep,
                            fmt::format("{} x {} is within EP's reach here ({}), and EP needs no independent "
                                        "features",
                                        samples, features, device->ep_rule())}
               : SolverPick{Solver::gamp, fmt::format("{} x {} is beyond EP's reach here ({})", samples, features,
                                                      device->ep_rule())};
  // On correlated features gamp's error is lower than amp's, and its leave-one-out nearer to it (docs/scaling.md).
  return {Solver::gamp,
          fmt::format("{} x {} is beyond EP's reach (at most {} samples and {:.0e} operations an update); gamp takes "
                      "features and samples with a variance of their own, at a few operations a value",
                      samples, features, most_ep_samples, most_ep_operations)};
}

namespace {

/// Where EP converges nowhere, as it may with one to three features or next to no information, the exact sampler can
/// take over if it is cheap: it needs no fixed point. Noise 0 and evidence are beyond it.
bool sampler_helps(const FitOptions& options, const Grid& grid, const Cells& cells, std::size_t values) {
  constexpr std::size_t most_values = 200;  // samples x features: two seconds or so for the whole grid
  if (options.solver.kind != Solver::automatic || options.selection.by == Selection::evidence || values > most_values)
    return false;
  for (const auto& row : grid.noise)
    if (row.back() <= 0) return false;
  return !std::ranges::any_of(cells.list, [](const SolvedCell& c) { return c.status == Status::converged; });
}

std::vector<SolvedCell> solve_cells(const GridProblem& problem, const Grid& grid, GridRun run,
                                    const FitObserver& observer, ThreadPool& pool) {
  std::size_t finished = run.checkpoint ? run.checkpoint->resumed() : 0;
  if (observer.progress)
    run.done = [&](std::size_t k, const Posterior& p) {
      return observer.progress(
          {++finished, grid.size(), grid.point(k).density, grid.point(k).noise, grid.point(k).width, p.residual});
    };
  return solve_grid(problem, grid, run, pool);
}

}  // namespace

GridRun make_run(Solver solver, const FitOptions& options) {
  GridRun run;
  run.solver = solver;
  run.max_iterations = options.solver.max_iterations;
  run.tolerance = options.solver.tolerance;
  run.seed = options.solver.seed;
  run.amp_share = options.solver.amp_share;
  run.may_end = options.grid.density.empty() && !options.grid.paper;
  run.keep_going = options.observer.keep_going;
  return run;
}

Cells search(const Prepared& prepared, const GridProblem& problem, const FitOptions& options, ThreadPool& pool) {
  const std::size_t samples = problem.labels.size(), inputs = prepared.inputs();
  const Shards& shards = problem.design.shards();
  const SolverPick pick = pick_solver(options.solver.kind, prepared.features, inputs, shards);
  const Grid grid = make_grid(options, features_that_count(prepared.preprocessing), pick.solver);
  Cells out{pick.solver, pick.why};
  GridRun run = make_run(pick.solver, options);
  run.loose = run.may_end && policies().loose;
  std::optional<Checkpoint> checkpoint;
  if (!options.checkpoint.file.empty()) {
    checkpoint.emplace(options.checkpoint, checkpoint_identity(options, pick.solver, grid, prepared, problem),
                       Checkpoint::Sizes{grid.size(), problem.design.features(), samples}, shards);
    run.checkpoint = &*checkpoint;
    out.resumed = checkpoint->resumed();
  }
  out.list = solve_cells(problem, grid, run, options.observer, pool);
  if (pick.solver == Solver::ep && !problem.groups && sampler_helps(options, grid, out, samples * inputs)) {
    const WholeTable whole(prepared, problem);
    out.solver = Solver::gibbs;
    out.why = "ep converged in no cell, and these data are small enough to sample";
    out.list = solve_cells(whole.problem(), grid, make_run(out.solver, options), options.observer, pool);
    for (SolvedCell& cell : out.list) cell = whole.own_part(std::move(cell));
  }
  return out.solver == Solver::ep ? with_sampled_cells(std::move(out), prepared, problem, options, pool) : out;
}

}  // namespace cavity
