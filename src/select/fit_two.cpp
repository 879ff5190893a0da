// The whole job, top to bottom: prepare the table, solve the grid, choose, and say what is known about the answer.
#include "select/fit_two.hpp"

#include "cavity/errors.hpp"
#include "prepare/make_design.hpp"
#include "select/describe.hpp"
#include "select/fit_and_then.hpp"
#include "select/make_covariates.hpp"
#include "select/pilot.hpp"

namespace cavity {

FitOptions with_rows(const Dataset& data, FitOptions options, const Shards& shards) {
  const Solver solver = pick_solver(options.solver.kind, data.features, data.features.cols(), shards).solver;
  if (!options.preprocessing.equal_rows && assumes_equal_rows(solver)) options.preprocessing.equal_rows = true;
  return options;
}

Covariates fit_covariates(const Prepared& prepared, const FitOptions& options) {
  const bool intercept = options.intercept && options.solver.kind != Solver::bp;
  return make_covariates(prepared.covariates, prepared.samples(), intercept, covariate_prior_precision);
}

Solution solve_and_choose(const Prepared& prepared, const GridProblem& problem, const FitOptions& options,
                          ThreadPool& pool, const SettleEffort& effort) {
  Solution out{solve(prepared, problem, options, pool), {}};
  out.choice = settle(problem, options, out.solved, pool, effort);
  if (out.choice.loo_log_probability.empty())
    throw InputError("no grid cell gave finite numbers: look at the data for extreme values, or try `transform=rank`");
  return out;
}

Fit fit_two(Dataset data, const FitOptions& options, const Shards& shards) {
  return fit_and_then(std::move(data), options, nullptr, shards);
}

Fit fit_and_then(Dataset data, const FitOptions& options,
                 const std::function<void(const Answer&, const Fit&, ThreadPool&)>& then, const Shards& shards) {
  const Labelled labelled = checked_labels(data);
  const std::optional<SampleGroups> groups = checked_groups(data, options, shards);
  check_population(options);
  check_processes(data, options, shards);
  ThreadPool pool(options.threads);
  const FitOptions how = with_rows(data, options, shards);
  const Prepared prepared =
      prepare_by_pilot(std::move(data), {labelled.labels, groups ? &*groups : nullptr}, how, pool, shards);
  const auto design = make_design(prepared, shards);
  const Covariates covariates = fit_covariates(prepared, options);
  const GridProblem problem{*design, labelled.labels, covariates, options.activation.value_or(ActivationKind::step),
                            groups ? &*groups : nullptr};
  const Solution solution = solve_and_choose(prepared, problem, options, pool);
  const Answer answer{labelled, prepared, problem, solution.solved, solution.choice};
  Fit out = describe(answer, options, pool);
  if (then) then(answer, out, pool);
  return out;
}

}  // namespace cavity
