// AMP with own variances: the same as AMP where rows and columns are alike, leave-one-out against refits where they are
// not, and what every solver must do.
#include "infer/gamp.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <memory>
#include <numeric>

#include "cavity/simulate.hpp"
#include "design/sharded_design.hpp"
#include "design/some_samples.hpp"
#include "infer/amp.hpp"
#include "support/sides.hpp"
#include "support/small_problem.hpp"
#include "support/thread_shards.hpp"
#include "support/uneven_table.hpp"

namespace cavity {
namespace {

using test::UnevenTable;

SolverOptions fine() {
  SolverOptions options;
  options.tolerance = 1e-8;
  return options;
}

// Root mean square difference of the posterior means.
double difference_from_amp(std::size_t n, std::uint64_t seed) {
  const Simulation made = simulate({n, n, 0.2, 0.1, seed});
  const DenseDesign design(view(made.data.features.dense()));
  const Covariates none;
  const std::vector<std::int8_t> labels = test::sides(made.data);
  const Problem problem{design, labels, none, step(0.1), 0.2};
  ThreadPool pool(1);
  const Posterior amp = fit_amp(problem, {}, pool), gamp = fit_gamp(problem, {}, {}, pool).posterior;
  EXPECT_EQ(amp.status, Status::converged) << n << ' ' << seed;
  EXPECT_EQ(gamp.status, Status::converged) << n << ' ' << seed << ": " << gamp.residual;
  double square = 0;
  for (std::size_t l = 0; l < n; ++l) square += std::pow(amp.mean[l] - gamp.mean[l], 2);
  return std::sqrt(square / static_cast<double>(n));
}

TEST(Gamp, IsAmpWhereRowsAndColumnsAreAlike) {
  std::vector<double> difference;
  for (const std::size_t n : {200, 800}) {
    constexpr std::uint64_t seeds = 4;
    double sum = 0;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) sum += difference_from_amp(n, seed) / seeds;
    difference.push_back(sum);
  }
  std::cout << "rms difference " << difference[0] << ' ' << difference[1] << '\n';
  EXPECT_LT(difference[1], difference[0] / 1.6);  // N^-1/2 is a factor 2
  EXPECT_LT(difference[1], 0.05);
}

// P(label) of a sample that the fit has not seen.
double probability(const Design& all, std::size_t mu, const Problem& problem, const Posterior& fit, ThreadPool& pool) {
  const SomeSamples one(all, {mu});
  const Matrix z = Matrix::Ones(1, 1);
  std::vector<double> field(1);
  one.times(fit.mean, field, pool);
  const double mean = field[0] / std::sqrt(static_cast<double>(all.features())) + fit.covariate_mean[0];
  const auto variance = own_field_variances(one, fit.variance, z, fit.covariate_variance, pool);
  return average_likelihood(problem.activation, mean, variance[0]);
}

TEST(Gamp, LeaveOneOutIsWhatRefitsSay) {
  const UnevenTable table(100, 150, 1);
  const Problem problem = table.problem(0.3, step(0.1));
  ThreadPool pool(1);
  const GampResult whole = fit_gamp(problem, fine(), {}, pool);
  ASSERT_EQ(whole.posterior.status, Status::converged);
  double difference = 0, spread = 0;
  for (std::size_t left_out = 0; left_out < table.samples(); ++left_out) {
    std::vector<std::size_t> others;
    std::vector<std::int8_t> labels;
    for (std::size_t mu = 0; mu < table.samples(); ++mu) {
      if (mu == left_out) continue;
      others.push_back(mu);
      labels.push_back(table.labels[mu]);
    }
    const SomeSamples rest(*table.design, others);
    const Covariates intercept{Matrix::Ones(static_cast<Eigen::Index>(others.size()), 1), table.covariates.precision};
    const Problem refit{rest, labels, intercept, problem.activation, problem.density};
    const Posterior fit = fit_gamp(refit, fine(), {}, pool).posterior;
    ASSERT_EQ(fit.status, Status::converged) << left_out;
    const double positive = probability(*table.design, left_out, refit, fit, pool);
    const double refitted = table.labels[left_out] > 0 ? positive : 1 - positive;
    difference += std::abs(refitted - std::exp(whole.posterior.loo_log_probability[left_out]));
    spread += std::abs(refitted - 0.5);
  }
  std::cout << "mean |leave-one-out - refit| " << difference / 100 << ", mean |refit - 1/2| " << spread / 100 << '\n';
  EXPECT_LT(difference / 100, 0.02);
  EXPECT_GT(spread / 100, 0.1) << "nothing was learned";
}

TEST(Gamp, SameBitsForAnyNumberOfThreads) {
  const UnevenTable table(150, 9000, 2);
  const Problem problem = table.problem(0.3, step(0.1));
  ThreadPool one(1), three(3);
  const GampResult a = fit_gamp(problem, {}, {}, one), b = fit_gamp(problem, {}, {}, three);
  EXPECT_EQ(a.posterior.status, Status::converged);
  EXPECT_EQ(a.posterior.mean, b.posterior.mean);
  EXPECT_EQ(a.posterior.loo_log_probability, b.posterior.loo_log_probability);
}

TEST(Gamp, ProcessesGiveWhatOneGives) {
  const SmallProblem small = make_small({.samples = 120, .features = 200, .intercept = true});
  ThreadPool pool(1);
  const Posterior alone = fit_gamp(small.problem(), fine(), {}, pool).posterior;
  ASSERT_EQ(alone.status, Status::converged);
  test::ThreadShards::run(3, [&](const Shards& shards) {
    const Shards::Part own = shards.part(200);
    auto mine = std::make_unique<DenseDesign>(FeatureView{small.values.data() + own.first, 120, own.count(), 200});
    const ShardedDesign design(std::move(mine), 120, 200, shards);
    ThreadPool threads(1);
    const Problem problem{design, small.labels, small.covariates, small.activation, small.density};
    const Posterior part = fit_gamp(problem, fine(), {}, threads).posterior;
    for (std::size_t l = 0; l < own.count(); ++l) EXPECT_NEAR(part.mean[l], alone.mean[own.first + l], 1e-7);
    EXPECT_LT(largest_difference(part.cavity_mean, alone.cavity_mean), 1e-7);
  });
}

TEST(Gamp, FlippedLabelsFlipTheWeights) {
  UnevenTable table(150, 400, 3);
  const auto fit = [&] {
    ThreadPool pool(1);
    return fit_gamp(table.problem(0.3, step(0.1)), fine(), {}, pool).posterior;
  };
  const Posterior a = fit();
  for (auto& y : table.labels) y = static_cast<std::int8_t>(-y);
  Posterior b = fit();
  for (auto& m : b.mean) m = -m;
  EXPECT_LT(largest_difference(a.mean, b.mean), 1e-6);
  EXPECT_NEAR(a.covariate_mean[0], -b.covariate_mean[0], 1e-6);
}

TEST(Gamp, InterceptKnowsUnbalancedClasses) {
  UnevenTable table(200, 300, 4);
  for (std::size_t mu = 0; mu < 200; ++mu) table.labels[mu] = mu % 10 < 8 ? 1 : -1;  // nothing to do with the features
  const Problem with = table.problem(0.3, probit(0.5));
  const Covariates none;
  const Problem without{*table.design, table.labels, none, with.activation, with.density};
  ThreadPool pool(1);
  const Posterior a = fit_gamp(with, fine(), {}, pool).posterior;
  const Posterior b = fit_gamp(without, fine(), {}, pool).posterior;
  ASSERT_EQ(a.status, Status::converged);
  ASSERT_EQ(b.status, Status::converged);
  EXPECT_GT(a.covariate_mean[0], 3 * std::sqrt(a.covariate_variance[0]));
  EXPECT_LT(a.loo_log_loss, b.loo_log_loss - 0.05);
}

TEST(Gamp, WarmAndColdStartsMeet) {
  const UnevenTable table(200, 600, 5);
  ThreadPool pool(1);
  GampState state;
  for (const double density : {1.0, 0.5, 0.3, 0.2}) {
    const Problem problem = table.problem(density, step(0.15));
    const GampResult cold = fit_gamp(problem, fine(), {}, pool);
    const GampResult warm = fit_gamp(problem, fine(), {state.density > 0 ? &state : nullptr}, pool);
    ASSERT_EQ(cold.posterior.status, Status::converged) << density;
    ASSERT_EQ(warm.posterior.status, Status::converged) << density;
    EXPECT_LT(largest_difference(warm.posterior.mean, cold.posterior.mean), 1e-5) << density;
    EXPECT_LT(largest_difference(warm.posterior.cavity_mean, cold.posterior.cavity_mean), 1e-5) << density;
    state = warm.state;
  }
}

TEST(Gamp, ASettledStateStays) {
  const UnevenTable table(150, 400, 6);
  const Problem problem = table.problem(0.3, step(0.1));
  ThreadPool pool(1);
  const GampResult settled = fit_gamp(problem, fine(), {}, pool);
  ASSERT_EQ(settled.posterior.status, Status::converged);
  const GampResult again = fit_gamp(problem, fine(), {&settled.state}, pool);
  EXPECT_LE(again.posterior.iterations, 3);
  EXPECT_LT(largest_difference(again.posterior.mean, settled.posterior.mean), 1e-6);
}

TEST(Gamp, MeanInclusionIsTheDensity) {
  const UnevenTable table(150, 403, 7);
  ThreadPool pool(2);
  for (const double density : {1.0, 0.4, 0.1}) {
    const Posterior fit = fit_gamp(table.problem(density, step(0.2)), fine(), {}, pool).posterior;
    EXPECT_NEAR(std::accumulate(fit.inclusion.begin(), fit.inclusion.end(), 0.0) / 403, density, 1e-8);
  }
}

// Strongly correlated features, hardly any of which may be kept: no fixed point to find, and no 500 updates to see it.
TEST(Gamp, GivesUpWhereItDoesNotSettle) {
  const SmallProblem small =
      make_small({.samples = 100, .features = 400, .correlation = 0.97, .density = 0.005, .activation = step(0)});
  ThreadPool pool(1);
  const Posterior fit = fit_gamp(small.problem(), fine(), {}, pool).posterior;
  EXPECT_FALSE(usable(fit.status));
  EXPECT_LT(fit.iterations, 200);
}

}  // namespace
}  // namespace cavity
