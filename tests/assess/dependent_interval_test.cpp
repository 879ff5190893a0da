// Intervals of dependent left-out predictions: those of independent ones where there is no dependence, and wider where
// there is.
#include "assess/dependent_interval.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace cavity {
namespace {

const ChanceSpread independent{0.5, std::sqrt(0.25 / 60), 60}, twice{0.5, 2 * std::sqrt(0.25 / 60), 60};

TEST(DependentInterval, WithoutDependenceItIsWilsons) {
  for (const double share : {0.0, 0.1, 0.4, 1.0}) {
    const Interval wilson = wilson_interval(share, 60);
    for (const ChanceSpread& chance :
         {independent, ChanceSpread{0.5, 0.01, 60}, ChanceSpread{0.5, std::numeric_limits<double>::quiet_NaN(), 60},
          ChanceSpread{std::numeric_limits<double>::quiet_NaN(), 0.1, 60}}) {
      const Interval out = dependent_interval({share, 60}, chance);
      EXPECT_NEAR(out.low, wilson.low, 1e-9) << share;
      EXPECT_NEAR(out.high, wilson.high, 1e-9) << share;
    }
  }
}

TEST(DependentInterval, WithoutDependenceTheAucsIsThatOfAccuracy) {
  std::vector<double> probability;
  std::vector<std::int8_t> labels;
  for (int i = 0; i < 40; ++i) {
    labels.push_back(i % 2 == 0 ? 1 : -1);
    probability.push_back(0.01 * ((i * 7) % 40) + (i % 2 == 0 ? 0.1 : 0));
  }
  const Accuracy a = measure_accuracy(probability, labels);
  const ChanceSpread chance{0.5, std::sqrt(41.0 / (12 * 400)), 40};
  const Interval out = dependent_auc_interval({a.auc, 20, 20}, chance);
  EXPECT_NEAR(out.low, a.auc_interval.low, 1e-9);
  EXPECT_NEAR(out.high, a.auc_interval.high, 1e-9);
  EXPECT_NEAR(auc_dependence({a.auc, 20, 20}, chance), 1, 1e-12);
}

// At chance the variance is chance's, where all is clear that of independent samples.
TEST(DependentInterval, DependenceGoesFromNoneToThatOfChance) {
  EXPECT_NEAR(dependence(0, twice), 1, 1e-12);
  EXPECT_NEAR(dependence(0.5, twice), 4, 1e-12);
  EXPECT_NEAR(dependence(0.8, twice), 4, 1e-12);
  EXPECT_GT(dependence(0.3, twice), dependence(0.1, twice));
  EXPECT_NEAR(auc_dependence({0.5, 30, 30}, {0.5, 2 * std::sqrt(61.0 / (12 * 900)), 60}), 4, 1e-12);
  EXPECT_NEAR(auc_dependence({1, 30, 30}, {0.5, 1, 60}), 1, 1e-12);
}

TEST(DependentInterval, WiderWithDependenceAndWithZ) {
  for (const double share : {0.0, 0.2, 0.5, 0.9}) {
    const Interval narrow = dependent_interval({share, 60}, independent), wide = dependent_interval({share, 60}, twice),
                   less = dependent_interval({share, 60}, twice, z80);
    EXPECT_LE(wide.low, narrow.low);
    EXPECT_GT(wide.high, narrow.high);
    EXPECT_GE(less.low, wide.low);
    EXPECT_LT(less.high, wide.high);
    EXPECT_LE(less.low, share);
    EXPECT_GE(less.high, share);
  }
  EXPECT_EQ(dependent_interval({0, 60}, twice).low, 0);
  EXPECT_EQ(dependent_interval({1, 60}, twice).high, 1);
}

}  // namespace
}  // namespace cavity
