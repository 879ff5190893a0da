#include "choose/settle.hpp"

#include "infer/ep.hpp"

namespace cavity {

namespace {

constexpr int most_rounds = 4;  // the weights hardly move from one to the next

void finish(const GridProblem& problem, const GridRun& run, Solved& solved, std::size_t cell, ThreadPool& pool) {
  Posterior& loose = solved.posteriors[cell];
  EpState& state = solved.states[cell];
  const SolverOptions options = solver_options(run);
  EpResult result = fit_ep(problem.at(solved.grid.point(cell)), options, {&state, false}, pool);
  if (result.posterior.status != Status::converged)
    result = fit_ep(problem.at(solved.grid.point(cell)), options, {&state, true}, pool);
  if (result.posterior.status == Status::converged)
    loose = std::move(result.posterior);
  else
    loose.status = Status::stalled;
  state = {};
}

}  // namespace

Choice settle(const GridProblem& problem, const FitOptions& options, Solved& solved, ThreadPool& pool) {
  const auto choice = [&] {
    return choose(options.selection.by, solved.grid, solved.posteriors, problem.design.total_features());
  };
  Choice out = choice();
  const GridRun run = make_run(solved.solver, options);
  for (int round = 0; round < most_rounds && !solved.states.empty(); ++round) {
    std::vector<std::size_t> loose;
    for (std::size_t cell = 0; cell < solved.states.size(); ++cell)
      if (out.weight[cell] > 0 && solved.states[cell].density > 0 && solved.posteriors[cell].residual > run.tolerance)
        loose.push_back(cell);
    if (loose.empty()) break;
    for (const std::size_t cell : loose) finish(problem, run, solved, cell, pool);
    out = choice();
  }
  return out;
}

}  // namespace cavity
