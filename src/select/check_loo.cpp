#include "select/check_loo.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/random.hpp"
#include "design/some_samples.hpp"
#include "infer/gamp.hpp"
#include "infer/predictive.hpp"
#include "model/activation_kind.hpp"

namespace cavity {

namespace {

std::vector<std::size_t> draw(std::size_t samples, std::size_t count, std::uint64_t seed) {
  std::vector<std::size_t> order(samples);
  std::iota(order.begin(), order.end(), 0);
  Random random(seed, 0x100);
  for (std::size_t i = 0; i < std::min(count, samples); ++i) std::swap(order[i], order[i + random.below(samples - i)]);
  order.resize(std::min(count, samples));
  return order;
}

// All samples but one.
std::vector<std::size_t> all_but(std::size_t samples, std::size_t left_out) {
  std::vector<std::size_t> out;
  for (std::size_t mu = 0; mu < samples; ++mu)
    if (mu != left_out) out.push_back(mu);
  return out;
}

Matrix rows_of(const Covariates& covariates, const std::vector<std::size_t>& rows) {
  if (covariates.count() == 0) return Matrix(static_cast<Eigen::Index>(rows.size()), 0);
  return covariates.values(rows, Eigen::all);
}

// Of the last row of `all` and of its covariates.
double field_variance(const Problem& refit, const Design& all, const Matrix& covariates, const Posterior& p,
                      Solver solver, ThreadPool& pool) {
  if (solver == Solver::gamp)
    return own_field_variances(all, p.variance, covariates, p.covariate_variance, pool).back();
  if (p.feature_site_precision.empty()) return p.common_field_variance;
  const PredictiveVariance variance(refit, p.feature_site_precision, p.sample_site_precision, pool);
  return variance(all, covariates.bottomRows(1), pool).front();
}

// Probability of the left-out sample's own label by a fit without it; none when that fit did not converge.
std::optional<double> refit_probability(const GridProblem& problem, const GridPoint& point, const GridRun& run,
                                        std::size_t left_out, ThreadPool& pool) {
  std::vector<std::size_t> order = all_but(problem.labels.size(), left_out);
  const SomeSamples design(problem.design, order);
  std::vector<std::int8_t> labels;
  for (const std::size_t mu : order) labels.push_back(problem.labels[mu]);
  order.push_back(left_out);
  const SomeSamples all(problem.design, order);  // the left-out sample last
  const Matrix z = rows_of(problem.covariates, order);
  const Covariates covariates{z.topRows(z.rows() - 1), problem.covariates.precision};
  GridRun one = run;
  one.done = nullptr;
  const Grid grid{{point.density}, {{point.noise}}, {{point.width}}};
  const GridProblem without{design, labels, covariates, problem.activation};
  const Posterior p = solve_grid(without, grid, one, pool).front();
  if (!usable(p.status)) return std::nullopt;
  const double field = field_means(all, p.mean, z, p.covariate_mean, pool).back();
  const Problem refit = without.at(point);
  return average_likelihood(refit.activation, problem.labels[left_out] * field,
                            field_variance(refit, all, z, p, run.solver, pool));
}

}  // namespace

LooCheck check_loo(const GridProblem& problem, const GridPoint& point, const GridRun& run, const Posterior& posterior,
                   std::size_t count, ThreadPool& pool) {
  const std::vector<std::size_t> left_out = draw(problem.labels.size(), count, run.seed);
  std::vector<std::optional<double>> probability(left_out.size());
  pool.run(left_out.size(), [&](std::size_t i) {
    ThreadPool serial(1);
    probability[i] = refit_probability(problem, point, run, left_out[i], serial);
  });
  LooCheck check;
  for (std::size_t i = 0; i < left_out.size(); ++i) {
    if (!probability[i]) {
      ++check.failed;
      continue;
    }
    const double cavity = std::exp(posterior.loo_log_probability[left_out[i]]);
    const double difference = std::abs(*probability[i] - cavity);
    ++check.checked;
    check.changed_labels += (*probability[i] < 0.5) != (cavity < 0.5);
    check.largest_difference = std::max(check.largest_difference, difference);
    check.mean_difference += difference;
  }
  if (check.checked > 0) check.mean_difference /= static_cast<double>(check.checked);
  return check;
}

}  // namespace cavity
