// The numbers people quote against counts made by hand, and their limits.
#include "cavity/accuracy.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "assess/class_weights.hpp"
#include "assess/guessing.hpp"
#include "base/random.hpp"

namespace cavity {
namespace {

using Labels = std::vector<std::int8_t>;
using Shares = std::vector<double>;

/// The second class is called from 1/2 on; the first is that of -1.
AgainstGuessing against_guess(const std::vector<double>& p, const Labels& y, const Shares& shares,
                              std::span<const std::size_t> group_of = {}) {
  std::vector<std::uint32_t> called, classes;
  for (std::size_t i = 0; i < y.size(); ++i) {
    called.push_back(p[i] >= 0.5 ? 1 : 0);
    classes.push_back(y[i] > 0 ? 1 : 0);
  }
  const Guess guess = best_guess(class_counts(classes, 2), shares);
  return against_guessing(called, classes, guess.of_class, shares, group_of);
}

Guess guess_of(const std::vector<std::size_t>& counts, const Shares& shares) { return best_guess(counts, shares); }

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
  const AgainstGuessing found = against_guess(p, y, {});
  EXPECT_EQ(found.gained, 2U);
  EXPECT_EQ(found.lost, 1U);
  EXPECT_DOUBLE_EQ(found.p_value, 1);  // at most one head of three, twice
  const std::vector<double> sure = {0.9, 0.9, 0.9, 0.9, 0.9, 0.1, 0.1, 0.1};
  EXPECT_DOUBLE_EQ(against_guess(sure, y, {}).p_value, 2.0 / 8);
  const Guess guess = guess_of({3, 5}, {});
  EXPECT_EQ(guess.of_class, 1U);
  EXPECT_DOUBLE_EQ(guess.error, 3.0 / 8);
  EXPECT_DOUBLE_EQ(guess.brier, 15.0 / 64);
  EXPECT_DOUBLE_EQ(guess_of({50, 50}, {}).log_loss, std::log(2));
}

TEST(Guessing, APopulationTurnsTheGuessAndTheTest) {
  const Labels y = {1, 1, 1, 1, 1, -1, -1, -1};
  const std::vector<double> p = {0.9, 0.8, 0.5, 0.7, 0.4, 0.1, 0.2, 0.6};
  const AgainstGuessing rare = against_guess(p, y, Shares{0.9, 0.1});
  EXPECT_EQ(guess_of({3, 5}, Shares{0.9, 0.1}).of_class, 0U);
  EXPECT_EQ(rare.gained, 4U);
  EXPECT_EQ(rare.lost, 1U);
  // By hand: 0.1 x 4/5 is gained, 0.9 x 1/3 lost; variances at 5/7 and 2/5.
  const double spread = std::sqrt(0.01 * 10 / 49 / 5 + 0.81 * 6 / 25 / 3);
  EXPECT_NEAR(rare.p_value, std::erfc((0.3 - 0.08) / spread / std::sqrt(2)), 1e-12);
  const std::vector<double> guesses(8, 0.1);
  EXPECT_EQ(against_guess(guesses, y, Shares{0.9, 0.1}).p_value, 1);
  EXPECT_GT(against_guess(p, y, Shares{0.99, 0.01}).p_value, 0.1);
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

/// 30 samples that err now and then.
struct Samples {
  std::vector<double> p;
  Labels y;
  std::vector<std::size_t> group;
};
Samples noisy_samples() {
  Random random(5);
  Samples out;
  for (std::size_t i = 0; i < 30; ++i) {
    out.y.push_back(i % 3 == 0 ? 1 : -1);
    out.p.push_back(1 / (1 + std::exp(-(out.y.back() + 1.5 * random.normal()))));
    out.group.push_back(i);
  }
  return out;
}
/// Each sample and its copies, a group.
Samples copied(const Samples& once, std::size_t times) {
  Samples out;
  for (std::size_t k = 0; k < times; ++k) {
    out.p.insert(out.p.end(), once.p.begin(), once.p.end());
    out.y.insert(out.y.end(), once.y.begin(), once.y.end());
    out.group.insert(out.group.end(), once.group.begin(), once.group.end());
  }
  return out;
}

void expect_equal(const Interval& a, const Interval& b) {
  EXPECT_NEAR(a.low, b.low, 1e-9);
  EXPECT_NEAR(a.high, b.high, 1e-9);
}

TEST(Groups, CopiesOfASampleSayNothingNew) {
  const Samples once = noisy_samples(), twice = copied(once, 3);
  const Accuracy alone = measure_accuracy(once.p, once.y),
                 grouped = measure_accuracy(twice.p, twice.y, {}, twice.group);
  const Accuracy blind = measure_accuracy(twice.p, twice.y);
  EXPECT_GT(alone.auc, 0.6);
  EXPECT_LT(alone.sensitivity, 1);
  EXPECT_LT(alone.specificity, 1);
  EXPECT_NEAR(grouped.auc_se, alone.auc_se, 1e-12);
  expect_equal(grouped.auc_interval, alone.auc_interval);
  expect_equal(grouped.sensitivity_interval, alone.sensitivity_interval);
  expect_equal(grouped.specificity_interval, alone.specificity_interval);
  EXPECT_LT(blind.auc_se, 0.6 * alone.auc_se);
  EXPECT_GT(blind.sensitivity_interval.low, alone.sensitivity_interval.low + 0.05);
  for (const Shares& population : {Shares(), Shares{0.4, 0.6}}) {
    const double p = against_guess(once.p, once.y, population).p_value;
    EXPECT_NEAR(against_guess(twice.p, twice.y, population, twice.group).p_value, p, 1e-12);
    EXPECT_LT(against_guess(twice.p, twice.y, population).p_value, 0.9 * p);
  }
}

TEST(Groups, OfOneAreSamples) {
  const Samples once = noisy_samples();
  const Accuracy alone = measure_accuracy(once.p, once.y), grouped = measure_accuracy(once.p, once.y, {}, once.group);
  EXPECT_EQ(grouped.auc_se, alone.auc_se);
  expect_equal(grouped.auc_interval, alone.auc_interval);
  expect_equal(grouped.sensitivity_interval, alone.sensitivity_interval);
  EXPECT_EQ(against_guess(once.p, once.y, {}, once.group).p_value, against_guess(once.p, once.y, {}).p_value);
}

TEST(Groups, WithoutAnErrorTheGroupsCount) {
  const Samples many =
      copied({{0.9, 0.9, 0.9, 0.1, 0.1, 0.1, 0.1}, {1, 1, 1, -1, -1, -1, -1}, {0, 1, 2, 3, 4, 5, 6}}, 8);
  const Accuracy a = measure_accuracy(many.p, many.y, {}, many.group);
  expect_equal(a.sensitivity_interval, wilson_interval(1, 3));
  expect_equal(a.specificity_interval, wilson_interval(1, 4));
  expect_equal(a.auc_interval, measure_accuracy(std::span(many.p).first(7), std::span(many.y).first(7)).auc_interval);
}

TEST(Groups, OfBothClassesAreOneThrow) {
  // Before and after: what a patient's two samples add cancels where one is gained and one lost.
  const std::vector<std::uint32_t> truth = {0, 1, 0, 1, 0, 1, 0, 0}, called = {1, 1, 0, 1, 0, 1, 0, 0};
  const std::vector<std::size_t> patient = {0, 0, 1, 1, 2, 2, 3, 3};
  const AgainstGuessing found = against_guessing(called, truth, 0, {}, patient);
  EXPECT_EQ(found.gained, 3U);
  EXPECT_EQ(found.lost, 1U);
  EXPECT_DOUBLE_EQ(found.p_value, 0.5);  // two patients gained, none lost
}

TEST(Guessing, OfMoreClassesIsTheSumOverPairs) {
  const Guess guess = guess_of({2, 3, 5}, {});
  EXPECT_EQ(guess.of_class, 2U);
  EXPECT_DOUBLE_EQ(guess.error, 0.5);
  EXPECT_NEAR(guess.brier, 0.5 * (0.2 * 0.8 + 0.3 * 0.7 + 0.5 * 0.5), 1e-15);
  EXPECT_EQ(guess_of({1, 1, 1}, {}).of_class, 2U);
}

TEST(ClassWeights, FollowTheShares) {
  const Labels y = {1, 1, 1, -1};
  const std::vector<std::uint32_t> classes = {1, 1, 1, 0};
  const auto w = class_weights(classes, Shares{0.9, 0.1});
  EXPECT_NEAR(w[0] + w[1] + w[2], 0.1, 1e-15);
  EXPECT_NEAR(w[3], 0.9, 1e-15);
  // Where the shares are as in the data, nothing moves; the first class's factor is 1.
  const std::vector<std::size_t> counts = {1, 3};
  EXPECT_NEAR(class_shift(Shares{0.25, 0.75}, counts)[1], 1, 1e-15);
  EXPECT_NEAR(class_shift(Shares{0.9, 0.1}, counts)[1], 0.1 / 0.9 / 3, 1e-15);
  EXPECT_EQ(class_shift(Shares{0.9, 0.1}, counts)[0], 1);
  EXPECT_TRUE(class_shift(Shares{}, counts).empty());
  const Accuracy a = measure_accuracy(std::vector<double>{0.9, 0.9, 0.1, 0.1}, y, w);
  EXPECT_GT(a.error.high, 0.1 / 3);
  EXPECT_NEAR(a.brier, 0.9 * 0.01 + 0.1 * (0.01 + 0.01 + 0.81) / 3, 1e-12);
}

}  // namespace
}  // namespace cavity
