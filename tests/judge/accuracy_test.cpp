// The numbers people quote against counts made by hand, and their limits.
#include "cavity/accuracy.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.hpp"
#include "judge/class_weights.hpp"
#include "judge/guessing.hpp"

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

TEST(Guessing, CoinFlipsCountedByHand) {
  // 5 of 8 are positive: guessed. One of them is lost, and two negative ones are gained.
  const Labels y = {1, 1, 1, 1, 1, -1, -1, -1};
  const std::vector<double> p = {0.9, 0.8, 0.5, 0.7, 0.4, 0.1, 0.2, 0.6};
  const AgainstGuessing found = against_guessing(p, y, {});
  EXPECT_EQ(found.gained, 2U);
  EXPECT_EQ(found.lost, 1U);
  EXPECT_DOUBLE_EQ(found.p_value, 1);  // at most one head of three, twice
  const std::vector<double> sure = {0.9, 0.9, 0.9, 0.9, 0.9, 0.1, 0.1, 0.1};
  EXPECT_DOUBLE_EQ(against_guessing(sure, y, {}).p_value, 2.0 / 8);
  const Guess guess = best_guess({3, 5}, {});
  EXPECT_EQ(guess.of_class, 1U);
  EXPECT_DOUBLE_EQ(guess.error, 3.0 / 8);
  EXPECT_DOUBLE_EQ(guess.brier, 15.0 / 64);
  EXPECT_DOUBLE_EQ(best_guess({50, 50}, {}).log_loss, std::log(2));
}

TEST(Guessing, APopulationTurnsTheGuessAndTheTest) {
  const Labels y = {1, 1, 1, 1, 1, -1, -1, -1};
  const std::vector<double> p = {0.9, 0.8, 0.5, 0.7, 0.4, 0.1, 0.2, 0.6};
  const AgainstGuessing rare = against_guessing(p, y, std::array{0.9, 0.1});
  EXPECT_EQ(best_guess({3, 5}, std::array{0.9, 0.1}).of_class, 0U);
  EXPECT_EQ(rare.gained, 4U);
  EXPECT_EQ(rare.lost, 1U);
  // By hand: 0.1 x 4/5 is gained, 0.9 x 1/3 lost; variances at 5/7 and 2/5.
  const double spread = std::sqrt(0.01 * 10 / 49 / 5 + 0.81 * 6 / 25 / 3);
  EXPECT_NEAR(rare.p_value, std::erfc((0.3 - 0.08) / spread / std::sqrt(2)), 1e-12);
  const std::vector<double> guesses(8, 0.1);
  EXPECT_EQ(against_guessing(guesses, y, std::array{0.9, 0.1}).p_value, 1);
  EXPECT_GT(against_guessing(p, y, std::array{0.99, 0.01}).p_value, 0.1);
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
