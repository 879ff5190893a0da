// A weight of k is the same as k copies: what lets quadrature nodes and features share one solve.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "model/pruning.hpp"

namespace cavity {
namespace {

TEST(PruningWeight, CountsCopies) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal(0, 3);
  for (const std::size_t n : {1u, 3u, 8u, 17u}) {
    std::vector<double> h, copies, weight;
    for (std::size_t i = 0; i < n; ++i) {
      h.push_back(normal(random));
      weight.push_back(static_cast<double>(1 + i % 3));
      for (std::size_t k = 0; k < 1 + i % 3; ++k) copies.push_back(h.back());
    }
    const PruningPrior prior{1.7, -0.8};
    const PruningSums a = pruning_sums({h, {}, weight}, prior), b = pruning_sums({copies}, prior);
    EXPECT_DOUBLE_EQ(a.count, static_cast<double>(copies.size()));
    EXPECT_NEAR(a.inclusion, b.inclusion, 1e-13 * b.inclusion);
    EXPECT_NEAR(a.second, b.second, 1e-13 * b.second);
    EXPECT_NEAR(a.softplus, b.softplus, 1e-13 * b.softplus);
    EXPECT_NEAR(a.curvature, b.curvature, 1e-13 * b.curvature);
    const PruningSolution one = solve_pruning({h, {}, weight}, {0.4}, prior),
                          two = solve_pruning({copies}, {0.4}, prior);
    EXPECT_NEAR(one.prior.precision, two.prior.precision, 1e-9);
    EXPECT_NEAR(one.prior.log_odds, two.prior.log_odds, 1e-9);
  }
}

// From a start that is no use the solver makes its own, and that must count weights as well.
TEST(PruningWeight, ColdStartCountsCopies) {
  std::vector<double> h, copies, weight;
  for (int i = 1; i <= 400; ++i) {
    h.push_back(0.05 * i);
    weight.push_back(i <= 200 ? 40 : 1);
    copies.insert(copies.end(), i <= 200 ? 40 : 1, h.back());
  }
  const PruningPrior useless{1e-3, 50};
  const PruningSolution one = solve_pruning({h, {}, weight}, {0.01}, useless),
                        two = solve_pruning({copies}, {0.01}, useless);
  EXPECT_LT(one.mismatch, 1e-9);
  EXPECT_LT(two.mismatch, 1e-9);
  EXPECT_NEAR(one.prior.log_odds, two.prior.log_odds, 1e-7);
}

}  // namespace
}  // namespace cavity
