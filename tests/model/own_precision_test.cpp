// The SIMD passes over features with precisions of their own against the scalar formulas, at lengths around a vector's.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.hpp"
#include "model/log_odds.hpp"
#include "model/pruning.hpp"

namespace cavity {
namespace {

struct Messages {
  std::vector<double> h, a, evidence;
};
Messages random_messages(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  Messages out{std::vector<double>(n), std::vector<double>(n), std::vector<double>(n)};
  for (std::size_t l = 0; l < n; ++l) {
    out.h[l] = 3 * random.normal();
    out.a[l] = std::exp(2 * random.normal()) - 0.5;
  }
  kernels::log_odds_evidence(out.h, out.a, out.evidence);
  return out;
}

TEST(OwnPrecision, MomentsAreTheScalarOnes) {
  for (const std::size_t n : {0, 1, 3, 4, 7, 8, 9, 16, 33}) {
    const Messages given = random_messages(n, n);
    std::vector<double> p(n), m(n), v(n);
    kernels::own_moments({given.h, given.a, given.evidence}, -1.5, {p, m, v});
    double kept = 0, spread = 0;
    for (std::size_t l = 0; l < n; ++l) {
      const FeatureMoments expected = pruned_moments(given.h[l], 1 + given.a[l], -1.5);
      EXPECT_NEAR(p[l], expected.inclusion, 1e-14);
      EXPECT_NEAR(m[l], expected.mean, 1e-13 * (1 + std::abs(expected.mean)));
      EXPECT_NEAR(v[l], expected.variance, 1e-13 * (1 + expected.variance));
      kept += expected.inclusion;
      spread += expected.inclusion * (1 - expected.inclusion);
    }
    const auto sums = kernels::inclusion_sums(given.evidence, -1.5);
    EXPECT_NEAR(sums.inclusion, kept, 1e-12 * (1 + kept));
    EXPECT_NEAR(sums.spread, spread, 1e-12 * (1 + spread));
  }
}

TEST(OwnPrecision, LogOddsMeetTheDensityFromAnyStart) {
  const Messages given = random_messages(501, 5);
  int steps = 0;
  const auto sums = [&](double log_odds) {
    ++steps;
    return kernels::inclusion_sums(given.evidence, log_odds);
  };
  for (const double density : {0.999, 0.5, 0.01, 1e-4})
    for (const double start : {-500.0, -3.0, 0.0, 40.0, 900.0}) {
      const double found = solve_log_odds({density, 501, 1e-12}, start, sums);
      EXPECT_NEAR(sums(found).inclusion / 501, density, 1e-11 * density) << density << ' ' << start;
      steps = 0;
      solve_log_odds({density, 501, 1e-12}, found + 0.01, sums);
      EXPECT_LE(steps, 5);
    }
}

}  // namespace
}  // namespace cavity
