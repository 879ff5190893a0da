#include "fit/check_loo.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.hpp"
#include "design/some_samples.hpp"
#include "infer/gamp.hpp"
#include "infer/predictive.hpp"
#include "model/activation_kind.hpp"
#include "search/fewer_samples.hpp"

namespace cavity {

namespace {

std::vector<std::size_t> draw(std::size_t units, std::size_t count, std::uint64_t seed) {
  std::vector<std::size_t> order(units);
  std::iota(order.begin(), order.end(), 0);
  Random random(seed, 0x100);
  for (std::size_t i = 0; i < std::min(count, units); ++i) std::swap(order[i], order[i + random.below(units - i)]);
  order.resize(std::min(count, units));
  return order;
}

// What is left out at a time: samples, or groups of them.
std::vector<std::vector<std::size_t>> draw_left_out(const GridProblem& problem, std::size_t count, std::uint64_t seed) {
  std::vector<std::vector<std::size_t>> out;
  const std::size_t units = problem.groups ? problem.groups->count() : problem.labels.size();
  for (const std::size_t unit : draw(units, count, seed))
    out.push_back(problem.groups ? problem.groups->members[unit] : std::vector{unit});
  return out;
}

std::vector<std::size_t> all_but(std::size_t samples, std::span<const std::size_t> left_out) {
  std::vector<std::size_t> out;
  for (std::size_t mu = 0; mu < samples; ++mu)
    if (std::ranges::find(left_out, mu) == left_out.end()) out.push_back(mu);
  return out;
}

Matrix rows_of(const Covariates& covariates, const std::vector<std::size_t>& rows) {
  if (covariates.count() == 0) return Matrix(static_cast<Eigen::Index>(rows.size()), 0);
  return covariates.values(rows, Eigen::all);
}

// Of the rows of `all` beyond those that were fitted.
std::vector<double> field_variances(const Problem& refit, const Design& all, const Matrix& covariates,
                                    const Posterior& p, Solver solver, ThreadPool& pool) {
  const std::size_t fitted = refit.labels.size(), fresh = all.samples() - fitted;
  if (solver == Solver::gamp) {
    const std::vector<double> own = own_field_variances(all, p.variance, covariates, p.covariate_variance, pool);
    return {own.begin() + static_cast<std::ptrdiff_t>(fitted), own.end()};
  }
  if (p.feature_site_precision.empty()) return std::vector<double>(fresh, p.common_field_variance);
  const PredictiveVariance variance(refit, p.feature_site_precision, p.sample_site_precision, pool);
  return variance(all, covariates.bottomRows(static_cast<Eigen::Index>(fresh)), pool);
}

// Cold, so that it need not find the peak that all samples have found; from there only where nothing else converges.
Posterior refit(const GridProblem& without, const SolvedCell& cell, const GridRun& run,
                const std::vector<std::size_t>& samples, ThreadPool& pool) {
  GridRun one = run;
  one.done = nullptr;
  const Grid grid{{cell.where.density}, {{cell.where.noise}}, {{cell.where.width}}};
  Posterior cold = *solve_grid(without, grid, one, pool).front().posterior;
  if (usable(cold.status) || !cell.state) return cold;
  const EpState start = told_by(*cell.state, samples);
  for (const bool newton : {false, true}) {
    EpResult warm = fit_ep(without.at(cell.where), solver_options(one), {&start, newton}, pool);
    if (usable(warm.posterior.status)) return std::move(warm.posterior);
  }
  return cold;
}

// Probability of the left-out samples' own labels by a fit without them; nothing when that fit did not converge.
std::vector<double> refit_probabilities(const GridProblem& problem, const SolvedCell& cell, const GridRun& run,
                                        std::span<const std::size_t> left_out, ThreadPool& pool) {
  std::vector<std::size_t> order = all_but(problem.labels.size(), left_out);
  const SomeSamples design(problem.design, order);
  std::vector<std::int8_t> labels;
  for (const std::size_t mu : order) labels.push_back(problem.labels[mu]);
  const std::size_t fitted = order.size();
  order.insert(order.end(), left_out.begin(), left_out.end());
  const SomeSamples all(problem.design, order);  // the left-out samples last
  const Matrix z = rows_of(problem.covariates, order);
  const Covariates covariates{z.topRows(static_cast<Eigen::Index>(fitted)), problem.covariates.precision};
  const GridProblem without{design, labels, covariates, problem.activation};
  const Posterior p = refit(without, cell, run, all_but(problem.labels.size(), left_out), pool);
  if (!usable(p.status)) return {};
  const std::vector<double> field = field_means(all, p.mean, z, p.covariate_mean, pool);
  const Problem fitted_problem = without.at(cell.where);
  const std::vector<double> variance = field_variances(fitted_problem, all, z, p, run.solver, pool);
  std::vector<double> out;
  for (std::size_t i = 0; i < left_out.size(); ++i)
    out.push_back(
        average_likelihood(fitted_problem.activation, problem.labels[left_out[i]] * field[fitted + i], variance[i]));
  return out;
}

void compare(double refit, double cavity, LooCheck& check) {
  const double difference = std::abs(refit - cavity);
  ++check.checked;
  check.changed_labels += (refit < 0.5) != (cavity < 0.5);
  check.largest_difference = std::max(check.largest_difference, difference);
  check.mean_difference += difference;
}

}  // namespace

LooCheck check_loo(const GridProblem& problem, const SolvedCell& cell, const GridRun& run, std::size_t count,
                   ThreadPool& pool) {
  const auto left_out = draw_left_out(problem, count, run.seed);
  std::vector<std::vector<double>> probability(left_out.size());
  pool.run(left_out.size(), [&](std::size_t i) {
    ThreadPool serial(1);
    probability[i] = refit_probabilities(problem, cell, run, left_out[i], serial);
  });
  LooCheck check;
  for (std::size_t i = 0; i < left_out.size(); ++i) {
    ++(probability[i].empty() ? check.failed : check.refits);
    for (std::size_t k = 0; k < probability[i].size(); ++k)
      compare(probability[i][k], std::exp(cell.left_out.log_probability[left_out[i][k]]), check);
  }
  if (check.checked > 0) check.mean_difference /= static_cast<double>(check.checked);
  return check;
}

}  // namespace cavity
