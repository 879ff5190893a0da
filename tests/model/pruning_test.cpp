// The pruning prior against its own generating function ln Z and against a plain loop.
#include "model/pruning.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "base/random.hpp"
#include "cavity/errors.hpp"

namespace cavity {
namespace {

double log_z(double h, double b, double lambda) {
  const double k = lambda - 0.5 * std::log(b) + h * h / (2 * b);
  return k > 30 ? k : std::log1p(std::exp(k));
}

std::vector<double> normals(std::size_t n, double sd, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> h(n);
  for (auto& x : h) x = sd * random.normal();
  return h;
}

TEST(Pruning, MomentsAreDerivativesOfLogZ) {
  for (const double b : {0.4, 1.0, 7.0, 300.0})
    for (const double lambda : {-8.0, -2.0, 0.5})
      for (const double h : {-6.0, -1.0, 0.0, 0.3, 4.0}) {
        const FeatureMoments m = pruned_moments(h, b, lambda);
        const double e = 1e-4;
        EXPECT_NEAR(m.inclusion, (log_z(h, b, lambda + e) - log_z(h, b, lambda - e)) / (2 * e), 1e-7);
        EXPECT_NEAR(m.mean, (log_z(h + e, b, lambda) - log_z(h - e, b, lambda)) / (2 * e), 1e-6);
        EXPECT_NEAR(m.second, -2 * (log_z(h, b * (1 + e), lambda) - log_z(h, b * (1 - e), lambda)) / (2 * e * b),
                    1e-5 * (1 + m.second));
        const double up = pruned_moments(h + e, b, lambda).mean, down = pruned_moments(h - e, b, lambda).mean;
        EXPECT_NEAR(m.variance, (up - down) / (2 * e), 1e-6 * (1 + m.variance));
        EXPECT_NEAR(m.variance, m.second - m.mean * m.mean, 1e-12 * (1 + m.second));
      }
}

TEST(Pruning, VectorisedFormsEqualThePlainLoopAtEveryLength) {
  const PruningPrior prior{1.3, -1.7};
  for (std::size_t n = 1; n <= 35; ++n) {
    const auto h = normals(n, 2, n);
    auto a = normals(n, 1, n + 100);
    for (auto& x : a) x = x * x;
    for (const bool common : {true, false}) {
      const FeatureMessages messages{h, common ? std::span<const double>() : std::span<const double>(a)};
      std::vector<double> inclusion(n), mean(n), variance(n);
      pruned_moments(messages, prior, {inclusion, mean, variance});
      const PruningSums sums = pruning_sums(messages, prior);
      double p = 0, s = 0, soft = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const double b = prior.precision + (common ? 0 : a[i]);
        const FeatureMoments m = pruned_moments(h[i], b, prior.log_odds);
        EXPECT_NEAR(inclusion[i], m.inclusion, 1e-14);
        EXPECT_NEAR(mean[i], m.mean, 1e-13 * (1 + std::abs(m.mean)));
        EXPECT_NEAR(variance[i], m.variance, 1e-13 * (1 + m.variance));
        p += m.inclusion;
        s += m.second;
        soft += log_z(h[i], b, prior.log_odds);
      }
      EXPECT_NEAR(sums.inclusion, p, 1e-12 * n);
      EXPECT_NEAR(sums.second, s, 1e-12 * n * (1 + s));
      EXPECT_NEAR(sums.softplus, soft, 1e-12 * n * (1 + soft));
      EXPECT_EQ(sums.count, n);
    }
  }
}

TEST(Pruning, HessianOfPsiMatchesFiniteDifferences) {
  const auto h = normals(500, 3, 1);
  const PruningPrior prior{2, -2};
  const double e = 1e-5;
  const auto at = [&](double dg, double dl) {
    return pruning_sums({h, {}}, {prior.precision + dg, prior.log_odds + dl});
  };
  const PruningSums s = at(0, 0);
  EXPECT_NEAR(s.spread, (at(0, e).inclusion - at(0, -e).inclusion) / (2 * e), 1e-5);
  EXPECT_NEAR(s.spread_slope, (at(e, 0).inclusion - at(-e, 0).inclusion) / (2 * e), 1e-4);
  EXPECT_NEAR(s.curvature, -0.5 * (at(e, 0).second - at(-e, 0).second) / (2 * e), 1e-3);
}

TEST(Pruning, ConditionsHoldFromAnyStart) {
  for (const double c : {1e-3, 0.01, 0.1, 0.5, 0.9, 1.0})
    for (const double sd : {1e-3, 0.5, 3.0, 30.0})
      for (const PruningPrior start : {PruningPrior{1, 0}, PruningPrior{500, 20}, PruningPrior{0.01, -30}}) {
        const auto h = normals(3000, sd, 7);
        const PruningSolution solution = solve_pruning({h, {}}, {c}, start);
        const PruningSums sums = pruning_sums({h, {}}, solution.prior);
        SCOPED_TRACE(::testing::Message() << "C " << c << " sd " << sd << " steps " << solution.steps);
        EXPECT_NEAR(sums.inclusion / sums.count, c, 1e-10 * c);
        EXPECT_NEAR(sums.second / sums.count, c, 1e-10 * c);
        EXPECT_LE(solution.mismatch, 1e-10);
      }
}

TEST(Pruning, OddsAloneMeetTheInclusionWithIndividualPrecisions) {
  const auto h = normals(2000, 4, 3);
  auto a = normals(2000, 1, 4);
  for (auto& x : a) x = 5 * x * x - 0.5;  // cavity precisions may be negative
  for (const double c : {0.003, 0.2}) {
    const PruningSolution solution = solve_pruning({h, a}, {c, false}, {1, 0});
    EXPECT_EQ(solution.prior.precision, 1);
    const PruningSums sums = pruning_sums({h, a}, solution.prior);
    EXPECT_NEAR(sums.inclusion / sums.count, c, 1e-10 * c);
  }
}

// Of millions of features, too, the rounding of Psi stays below what solve_pruning takes for it (4e-15 and more):
// otherwise it searches for progress in noise, thousands of passes over all features.
TEST(Pruning, SumsOfMillionsAreExactEnoughForNewton) {
  const std::size_t n = 2'000'000;
  const auto h = normals(n, 1e-3, 8), u = normals(n, 1e-3, 9);
  std::vector<double> a(n);
  for (std::size_t i = 0; i < n; ++i) a[i] = u[i] * u[i];
  for (const PruningPrior prior : {PruningPrior{1, 1e-7}, PruningPrior{1, -1e-7}, PruningPrior{1, 3e-7}}) {
    long double soft = 0, inclusion = 0;
    for (std::size_t i = 0; i < n; ++i) {
      soft += log_z(h[i], prior.precision + a[i], prior.log_odds);
      inclusion += pruned_moments(h[i], prior.precision + a[i], prior.log_odds).inclusion;
    }
    const PruningSums sums = pruning_sums({h, a}, prior);
    EXPECT_NEAR(static_cast<double>(sums.softplus / soft), 1, 1.5e-15);
    EXPECT_NEAR(static_cast<double>(sums.inclusion / inclusion), 1, 1.5e-15);
  }
}

TEST(Pruning, WarmStartTakesFewSteps) {
  auto h = normals(2000, 2, 5);
  const PruningSolution cold = solve_pruning({h, {}}, {0.05}, uninformed_prior(0.05));
  for (auto& x : h) x *= 1.01;
  EXPECT_LE(solve_pruning({h, {}}, {0.05}, cold.prior).steps, 5);
}

TEST(Pruning, UninformedPriorSolvesTheProblemWithoutMessages) {
  const std::vector<double> h(10, 0.0);
  const PruningSolution solution = solve_pruning({h, {}}, {0.3}, {3, 3});
  EXPECT_NEAR(solution.prior.precision, 1, 1e-9);
  EXPECT_NEAR(solution.prior.log_odds, uninformed_prior(0.3).log_odds, 1e-9);
}

TEST(Pruning, RefusesADensityOutsideItsRange) {
  const std::vector<double> h(3, 1.0);
  for (const double bad : {0.0, -0.1, 1.5, std::nan("")})
    EXPECT_THROW(solve_pruning({h, {}}, {bad}, {1, 0}), UsageError) << bad;
}

}  // namespace
}  // namespace cavity
