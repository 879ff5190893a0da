#include "fit/folds.hpp"

#include <algorithm>
#include <functional>

#include "assess/deal_folds.hpp"
#include "infer/gamp.hpp"
#include "infer/loose_tolerance.hpp"

namespace cavity {

namespace {

// Times the tolerance of the fit, and five or so updates are enough where the solution is near. To 1e-3 in up to 30
// cells that fail cost arcene half as much time again, for the same answer.
constexpr double ep_looser = 1e4;
constexpr int most_ep_updates = 10;

struct Fields {
  std::vector<double> mean, variance;  // a sample
};

/// A cell without some of its samples, by few updates from the cell.
using Refit = std::function<Posterior(const std::vector<bool>& left_out, ThreadPool&)>;

Refit refit_of(const Problem& problem, const SolvedCell& cell, SolverOptions options, ThreadPool& pool) {
  if (cell.by == Method::gamp) {
    options.tolerance *= looser;
    return [&problem, options, start = messages_of(problem, *cell.posterior, pool)](const std::vector<bool>& left_out,
                                                                                    ThreadPool& threads) {
      return fit_gamp(problem, options, {&start, &left_out}, threads).posterior;
    };
  }
  options.tolerance *= ep_looser;
  options.max_iterations = most_ep_updates;
  return [&problem, options, &cell](const std::vector<bool>& left_out, ThreadPool& threads) {
    EpStart start{cell.state.get()};
    start.left_out = &left_out;
    return fit_ep(problem, options, start, threads).posterior;
  };
}

/// What the others say of a fold's samples goes to `fields`. False: no solution without them near by.
bool leave_out(const Refit& refit, const std::vector<bool>& left_out, ThreadPool& pool, Fields& fields) {
  const Posterior without = refit(left_out, pool);
  if (without.status != Status::converged) return false;
  for (std::size_t mu = 0; mu < left_out.size(); ++mu) {
    if (!left_out[mu]) continue;
    fields.mean[mu] = without.cavity_mean[mu];
    fields.variance[mu] = without.cavity_variance[mu];
  }
  return true;
}

/// The first fold before the others: where it fails they would only cost. With other processes one after the other, so
/// that all sum up alike.
bool all_found(std::size_t count, const std::function<bool(std::size_t, ThreadPool&)>& found, bool alone,
               ThreadPool& pool) {
  if (!found(0, pool)) return false;
  std::vector<char> good(count, 1);
  if (alone) {
    pool.run(count - 1, [&](std::size_t k) { good[k + 1] = found(k + 1, pool); });
  } else {
    for (std::size_t k = 1; k < count && good[k - 1]; ++k) good[k] = found(k, pool);
  }
  return std::ranges::count(good, 0) == 0;
}

/// The samples of each part left out together. Nothing: a part's solution is not found.
std::optional<LeftOut> leave_out_parts(const Problem& problem, const Refit& refit, const std::vector<std::size_t>& part,
                                       ThreadPool& pool) {
  Fields fields{std::vector<double>(part.size()), std::vector<double>(part.size())};
  const auto found = [&](std::size_t k, ThreadPool& threads) {
    std::vector<bool> left_out;
    for (const std::size_t p : part) left_out.push_back(p == k);
    return leave_out(refit, left_out, threads, fields);
  };
  if (!all_found(*std::ranges::max_element(part) + 1, found, problem.design.shards().alone(), pool))
    return std::nullopt;
  Posterior said;
  leave_out(problem.activation, fields.mean, fields.variance, said);
  return LeftOut{Right::folds, std::move(said.loo_log_probability), std::move(fields.variance), said.loo_error,
                 said.loo_log_loss};
}

}  // namespace

std::optional<LeftOut> leave_out_folds(const Problem& problem, const SolvedCell& cell, const SolverOptions& options,
                                       ThreadPool& pool) {
  return leave_out_parts(problem, refit_of(problem, cell, options, pool),
                         deal_folds(problem.labels, problem.groups, folds_to_earn), pool);
}

std::optional<LeftOut> leave_out_groups(const Problem& problem, const SolvedCell& cell, const SolverOptions& options,
                                        ThreadPool& pool) {
  std::optional<LeftOut> out = leave_out_parts(problem, refit_of(problem, cell, options, pool),
                                               deal_folds(problem.labels, problem.groups, most_parts), pool);
  if (out) out->right = Right::groups;
  return out;
}

}  // namespace cavity
