#include "choose/settle.hpp"

#include "choose/ep_folds.hpp"
#include "grid/ep_cell.hpp"

namespace cavity {

namespace {

void keep_folds(const Posterior& from, Posterior& to) {
  to.by_folds = true;
  to.cavity_mean = from.cavity_mean;
  to.cavity_variance = from.cavity_variance;
  to.loo_log_probability = from.loo_log_probability;
  to.loo_error = from.loo_error;
  to.loo_log_loss = from.loo_log_loss;
}

void finish(const GridProblem& problem, const GridRun& run, Solved& solved, std::size_t cell, ThreadPool& pool) {
  Posterior& loose = solved.posteriors[cell];
  EpState& state = solved.states[cell];
  const SolverOptions options = solver_options(run);
  EpResult result = fit_ep(problem.at(solved.grid.point(cell)), options, {&state, false}, pool);
  if (result.posterior.status != Status::converged)
    result = fit_ep(problem.at(solved.grid.point(cell)), options, {&state, true}, pool);
  if (result.posterior.status == Status::converged) {
    if (loose.by_folds) keep_folds(loose, result.posterior);
    loose = std::move(result.posterior);
    result.state.history = {};
    solved.solutions.resize(solved.posteriors.size());
    solved.solutions[cell] = std::move(result.state);
  } else {
    loose.status = Status::stalled;
  }
  state = {};
}

struct Unsettled {
  std::vector<std::size_t> rosy, loose;  // cells with weight, in turn
};

Unsettled find_unsettled(const GridProblem& problem, const GridRun& run, const Solved& solved, const Choice& choice) {
  Unsettled out;
  for (std::size_t cell = 0; cell < solved.states.size(); ++cell) {
    const Posterior& p = solved.posteriors[cell];
    if (choice.weight[cell] == 0 || solved.states[cell].density == 0) continue;
    if (!p.by_folds && few_kept(solved.grid.point(cell), problem.design.total_features()))
      out.rosy.push_back(cell);
    else if (p.residual > run.tolerance)
      out.loose.push_back(cell);
  }
  return out;
}

}  // namespace

Choice settle(const GridProblem& problem, const FitOptions& options, Solved& solved, ThreadPool& pool) {
  const auto choice = [&] {
    return choose(options.selection.by, solved.grid, solved.posteriors, problem.design.total_features(),
                  problem.groups);
  };
  Choice out = choice();
  const GridRun run = make_run(solved.solver, options);
  // Every round settles a cell for good.
  for (Unsettled unsettled = find_unsettled(problem, run, solved, out);
       !unsettled.rosy.empty() || !unsettled.loose.empty(); unsettled = find_unsettled(problem, run, solved, out)) {
    for (const std::size_t cell : unsettled.rosy)
      leave_out_folds(problem.at(solved.grid.point(cell)), solved.states[cell], solver_options(run), pool,
                      solved.posteriors[cell]);
    if (unsettled.rosy.empty())
      for (const std::size_t cell : unsettled.loose) finish(problem, run, solved, cell, pool);
    out = choice();
  }
  return out;
}

}  // namespace cavity
