#include "choose/expected_share.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace cavity {
namespace {

double expected(const std::vector<double>& first, const std::vector<double>& second) {
  return ExpectedShare(first, second).of_all();
}

TEST(ExpectedShare, OfOneSampleIsTheIntegral) {
  // (1 - w) p + w q under w = 0, w = 1 and uniform, 10 to 1 to 5: moments of a straight line.
  const double p = 0.3, q = 0.8, sum = 10 * p + q + 5 * (p + q) / 2, first = q + 5 * (p / 6 + q / 3);
  EXPECT_NEAR(expected({std::log(p)}, {std::log(q)}), first / sum, 1e-4);
}

TEST(ExpectedShare, IsThePriorsWhereBothAreAlike) {
  const std::vector<double> a = {-0.1, -0.7, -2, -0.3};
  EXPECT_NEAR(expected(a, a), (1 + 5 * 0.5) / 16, 1e-12);
}

TEST(ExpectedShare, BecomesSureWithSamples) {
  const auto after = [](std::size_t samples) {
    return expected(std::vector<double>(samples, std::log(0.5)), std::vector<double>(samples, std::log(0.6)));
  };
  EXPECT_LT(after(3), 0.5);
  EXPECT_GT(after(300), 0.99);
}

TEST(ExpectedShare, WithoutSomeIsThatOfTheOthers) {
  const std::vector<double> a = {-0.1, -0.7, -2, -0.3}, b = {-0.6, -0.2, -0.4, -3};
  const double without = ExpectedShare(a, b).without([](std::size_t mu) { return mu == 2; });
  EXPECT_NEAR(without, expected({-0.1, -0.7, -0.3}, {-0.6, -0.2, -3}), 1e-12);
}

}  // namespace
}  // namespace cavity
