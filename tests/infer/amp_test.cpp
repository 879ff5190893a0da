// AMP: symmetries, the O(N M) form against messages on every edge, and the paper's setting in the large.
#include "infer/amp.hpp"

#include <gtest/gtest.h>

#include "cavity/simulate.hpp"
#include "infer/bp.hpp"
#include "support/sides.hpp"
#include "support/small_problem.hpp"

namespace cavity {
namespace {

Posterior fit(const SmallProblem& small, unsigned threads = 1) {
  ThreadPool pool(threads);
  SolverOptions options;
  options.tolerance = 1e-9;
  const Posterior posterior = fit_amp(small.problem(), options, pool);
  EXPECT_EQ(posterior.status, Status::converged) << posterior.residual;
  return posterior;
}

TEST(Amp, FlippedLabelsFlipTheWeights) {
  SmallProblem small = make_small({.samples = 150, .features = 200, .intercept = true});
  const Posterior a = fit(small);
  for (auto& y : small.labels) y = static_cast<std::int8_t>(-y);
  Posterior b = fit(small);
  for (auto& m : b.mean) m = -m;
  EXPECT_LT(largest_difference(a.mean, b.mean), 1e-7);
  EXPECT_LT(largest_difference(a.inclusion, b.inclusion), 1e-7);
  EXPECT_NEAR(a.covariate_mean[0], -b.covariate_mean[0], 1e-7);
}

TEST(Amp, PermutedFeaturesPermuteThePosterior) {
  const SmallProblem small = make_small({.samples = 150, .features = 200});
  FeatureMatrix x(150, 200);
  for (std::size_t mu = 0; mu < 150; ++mu)
    for (std::size_t l = 0; l < 200; ++l) x.row(mu)[l] = small.values.row(mu)[(7 * l + 3) % 200];
  const SmallProblem permuted(x, small.labels, {});
  const Posterior a = fit(small), b = fit(permuted);
  for (std::size_t l = 0; l < 200; ++l) EXPECT_NEAR(b.inclusion[l], a.inclusion[(7 * l + 3) % 200], 1e-7);
}

TEST(Amp, SameBitsForAnyNumberOfThreads) {
  const SmallProblem small = make_small({.samples = 150, .features = 200});
  EXPECT_EQ(fit(small, 1).mean, fit(small, 3).mean);
}

// The grid's batch is the same algorithm with its products in single precision.
TEST(Amp, ABatchGivesWhatEachRunGivesAlone) {
  const Simulation made = simulate({300, 400, 0.1, 0.05, 3});
  const std::vector<std::int8_t> labels = test::sides(made.data);
  const DenseDesign design(view(made.data.features.dense()));
  const Covariates none;
  std::vector<Problem> problems;
  for (const double density : {0.4, 0.2, 0.1})
    for (const double noise : {0.3, 0.2}) problems.push_back({design, labels, none, step(noise), density});
  ThreadPool pool(2), one(1);
  std::size_t reported = 0;
  const auto together = fit_amp_together(
      problems, {}, [&](std::size_t, const Posterior&) { ++reported; }, pool);
  const auto again = fit_amp_together(problems, {}, {}, one);
  EXPECT_EQ(reported, problems.size());
  for (std::size_t k = 0; k < problems.size(); ++k) {
    const Posterior alone = fit_amp(problems[k], {}, one);
    EXPECT_EQ(together[k].status, Status::converged);
    EXPECT_EQ(together[k].mean, again[k].mean) << "threads";
    EXPECT_EQ(together[k].loo_error, alone.loo_error);
    for (std::size_t mu = 0; mu < 300; ++mu)
      EXPECT_NEAR(together[k].loo_log_probability[mu], alone.loo_log_probability[mu], 1e-4);
  }
}

TEST(Amp, ABatchHonoursAFineTolerance) {
  const Simulation made = simulate({200, 300, 0.1, 0.05, 3});
  const std::vector<std::int8_t> labels = test::sides(made.data);
  const DenseDesign design(view(made.data.features.dense()));
  const Covariates none;
  std::vector<Problem> problems;
  for (const double noise : {0.35, 0.3, 0.25, 0.2}) problems.push_back({design, labels, none, step(noise), 0.3});
  SolverOptions options;
  options.tolerance = 1e-11;
  ThreadPool pool(1);
  for (const Posterior& p : fit_amp_together(problems, options, {}, pool)) EXPECT_LT(p.residual, 1e-11);
}

// Root mean square difference of the posterior means.
double difference_from_bp(std::size_t n, std::uint64_t seed) {
  const Simulation made = simulate({n, n, 0.2, 0.1, seed});
  const std::vector<std::int8_t> labels = test::sides(made.data);
  const DenseDesign design(view(made.data.features.dense()));
  const Covariates none;
  const Problem problem{design, labels, none, step(0.1), 0.2};
  SolverOptions options;
  options.tolerance = 1e-6;
  ThreadPool pool(1);
  const Posterior amp = fit_amp(problem, options, pool), bp = fit_bp(problem, options);
  EXPECT_EQ(amp.status, Status::converged) << n << ' ' << seed;
  EXPECT_EQ(bp.status, Status::converged) << n << ' ' << seed;
  double square = 0;
  for (std::size_t l = 0; l < n; ++l) square += std::pow(amp.mean[l] - bp.mean[l], 2);
  return std::sqrt(square / static_cast<double>(n));
}

TEST(Amp, ApproachesBeliefPropagation) {
  std::vector<double> difference;
  for (const std::size_t n : {200, 400, 800}) {
    double sum = 0;
    constexpr std::uint64_t seeds = 6;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) sum += difference_from_bp(n, seed) / seeds;
    difference.push_back(sum);
  }
  std::cout << "rms difference " << difference[0] << ' ' << difference[1] << ' ' << difference[2] << '\n';
  // N^-1/2 from 200 to 800 is a factor 2; a little is left for the few seeds.
  EXPECT_LT(difference[2], difference[0] / 1.8);
  EXPECT_LT(difference[2], 0.05);
}

TEST(Amp, ReachesTheErrorOfTheTheoryAndKnowsIt) {
  constexpr std::size_t n = 2000;
  constexpr int seeds = 20;
  std::vector<double> error, loo;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const Simulation made = simulate({n, n, 0.1, 0.05, seed});
    const std::vector<std::int8_t> labels = test::sides(made.data);
    const DenseDesign design(view(made.data.features.dense()));
    const Covariates none;
    SolverOptions options;
    options.tolerance = 1e-5;
    ThreadPool pool(2);
    const Posterior posterior = fit_amp({design, labels, none, step(0.05), 0.1}, options, pool);
    EXPECT_EQ(posterior.status, Status::converged);
    error.push_back(true_error(made.teacher, posterior.mean, 0.05));
    loo.push_back(posterior.loo_error);
  }
  const auto mean = [](const std::vector<double>& v) { return std::accumulate(v.begin(), v.end(), 0.0) / seeds; };
  const auto standard_error = [&](const std::vector<double>& v) {
    double square = 0;
    for (const double x : v) square += (x - mean(v)) * (x - mean(v));
    return std::sqrt(square / (seeds - 1) / seeds);
  };
  std::vector<double> gap(loo);
  for (int i = 0; i < seeds; ++i) gap[static_cast<std::size_t>(i)] -= error[static_cast<std::size_t>(i)];
  std::cout << "true error " << mean(error) << " +- " << standard_error(error) << ", leave-one-out " << mean(loo)
            << ", gap " << mean(gap) << " +- " << standard_error(gap) << '\n';
  EXPECT_NEAR(mean(error), 0.1757, 3 * standard_error(error));
  EXPECT_LT(std::abs(mean(gap)), 3 * standard_error(gap));
}

}  // namespace
}  // namespace cavity
