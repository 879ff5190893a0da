// The numbers people quote against counts made by hand, and their limits.
#include "cavity/accuracy.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.hpp"
#include "judge/class_weights.hpp"

namespace cavity {
namespace {

using Labels = std::vector<std::int8_t>;

TEST(Accuracy, CountsAndShares) {
  const std::vector<double> p = {0.9, 0.6, 0.4, 0.2, 0.7, 0.1, 0.3};
  const Labels y = {1, 1, 1, -1, -1, -1, -1};
  const Accuracy a = measure_accuracy(p, y);
  EXPECT_EQ(a.true_positive, 2U);
  EXPECT_EQ(a.false_negative, 1U);
  EXPECT_EQ(a.true_negative, 3U);
  EXPECT_EQ(a.false_positive, 1U);
  EXPECT_DOUBLE_EQ(a.sensitivity, 2.0 / 3);
  EXPECT_DOUBLE_EQ(a.specificity, 0.75);
  EXPECT_DOUBLE_EQ(a.balanced_accuracy, 0.5 * (2.0 / 3 + 0.75));
  double wins = 0, brier = 0;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 3; j < 7; ++j) wins += p[i] > p[j] ? 1 : 0;
  for (std::size_t i = 0; i < 7; ++i) brier += std::pow((y[i] > 0 ? 1 : 0) - p[i], 2) / 7;
  EXPECT_DOUBLE_EQ(a.auc, wins / 12);
  EXPECT_NEAR(a.brier, brier, 1e-15);
  EXPECT_GT(a.auc, a.auc_interval.low);
  EXPECT_LT(a.auc, a.auc_interval.high);
}

TEST(Accuracy, ZeroErrorsHaveAnInterval) {
  std::vector<double> p(90, 0.01);
  Labels y(90, -1);
  for (std::size_t i = 0; i < 45; ++i) p[i] = 0.99, y[i] = 1;
  const Accuracy a = measure_accuracy(p, y);
  EXPECT_EQ(a.error.low, 0);
  EXPECT_NEAR(a.error.high, 0.041, 5e-4);
  EXPECT_EQ(a.auc, 1);
  EXPECT_EQ(a.auc_interval.high, 1);
  EXPECT_GT(a.auc_interval.low, 0.9);
  EXPECT_LT(a.auc_interval.low, 0.99);
  EXPECT_EQ(a.sensitivity_interval.high, 1);
}

TEST(Accuracy, WilsonIsSymmetricAndShrinks) {
  const Interval a = wilson_interval(0.2, 50), b = wilson_interval(0.8, 50), many = wilson_interval(0.2, 5000);
  EXPECT_NEAR(a.low, 1 - b.high, 1e-15);
  EXPECT_NEAR(a.high, 1 - b.low, 1e-15);
  EXPECT_LT(many.high - many.low, 0.12 * (a.high - a.low));
}

TEST(Accuracy, TurningTheClassesTurnsEverything) {
  Random random(3);
  std::vector<double> p, q;
  Labels y, z;
  for (int i = 0; i < 40; ++i) {
    y.push_back(i % 3 == 0 ? 1 : -1);
    z.push_back(static_cast<std::int8_t>(-y.back()));
    p.push_back(1 / (1 + std::exp(-(y.back() * 0.5 + random.normal()))));
    q.push_back(1 - p.back());
  }
  const Accuracy a = measure_accuracy(p, y), b = measure_accuracy(q, z);
  EXPECT_DOUBLE_EQ(a.sensitivity, b.specificity);
  EXPECT_NEAR(a.auc, b.auc, 1e-12);
  EXPECT_NEAR(a.auc_se, b.auc_se, 1e-12);
  EXPECT_NEAR(a.brier, b.brier, 1e-12);
}

TEST(ClassWeights, FollowThePopulation) {
  const Labels y = {1, 1, 1, -1};
  const auto w = class_weights(y, std::array{0.9, 0.1});
  EXPECT_NEAR(w[0] + w[1] + w[2], 0.1, 1e-15);
  EXPECT_NEAR(w[3], 0.9, 1e-15);
  // Where the population is as the data, nothing moves; else the average of a calibrated probability follows.
  EXPECT_NEAR(prior_shift(y, {0.25, 0.75}), 1, 1e-15);
  EXPECT_NEAR(shifted(0.75, prior_shift(y, {0.9, 0.1})), 0.1, 1e-15);
  const Accuracy a = measure_accuracy(std::vector<double>{0.9, 0.9, 0.1, 0.1}, y, std::array{0.9, 0.1});
  EXPECT_GT(a.error.high, 0.1 / 3);
  EXPECT_NEAR(a.brier, 0.9 * 0.01 + 0.1 * (0.01 + 0.01 + 0.81) / 3, 1e-12);
}

}  // namespace
}  // namespace cavity
