// Slopes at own variances against the scalar activation.
#include "model/own_slopes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.hpp"

namespace cavity {
namespace {

TEST(OwnSlopes, AreTheScalarOnes) {
  Random random(3);
  for (const AnyActivation& activation :
       {AnyActivation(step(0)), AnyActivation(step(0.1)), AnyActivation(probit(0.5)),
        AnyActivation(ThresholdActivation{0.05, 0.3}), AnyActivation(LogisticActivation{0.7})}) {
    constexpr std::size_t n = 147;
    std::vector<double> mean(n), variance(n), a(n), b(n);
    for (std::size_t i = 0; i < n; ++i) {
      variance[i] = std::exp(2 * random.normal());
      mean[i] = (i % 7 == 0 ? 20 : 2) * random.normal() * std::sqrt(variance[i]);
    }
    own_slopes(activation, mean, variance, a, b);
    for (std::size_t i = 0; i < n; ++i) {
      const Tilt expected = tilt(activation, mean[i], variance[i]);
      EXPECT_NEAR(a[i], expected.a, 1e-11 * (std::abs(expected.a) + 1 / std::sqrt(variance[i])))
          << to_string(activation);
      EXPECT_NEAR(b[i], expected.b, 1e-11 * (std::abs(expected.b) + 1 / variance[i])) << to_string(activation);
    }
  }
}

}  // namespace
}  // namespace cavity
