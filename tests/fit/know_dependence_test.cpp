// Intervals of a fit after what chance does is known: never narrower, and where nothing is shown they reach to
// guessing.
#include "fit/know_dependence.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace cavity {
namespace {

/// 40 samples of two classes of one size, 28 called right; of labels dealt by chance an error of .5 +- `sd`.
Fit judged(double p, double sd) {
  Fit out;
  out.data.samples = 40;
  out.data.class_counts = {20, 20};
  for (std::uint32_t i = 0; i < 40; ++i) out.data.classes.push_back(i % 2);
  out.loo.error = 0.3;
  out.loo.error_se = std::sqrt(0.21 / 40);
  out.loo.error_interval = wilson_interval(0.3, 40);
  out.permutation.p = p;
  out.permutation.permutations = 999;
  out.permutation.mean = {0.5, 0.5, 0.5, 0.5};
  out.permutation.sd = {sd, sd, sd, sd};
  QuestionFit& question = out.questions.emplace_back();
  Accuracy& a = question.accuracy;
  a.true_positive = a.true_negative = 14;
  a.false_positive = a.false_negative = 6;
  a.sensitivity = a.specificity = 0.7;
  a.sensitivity_interval = a.specificity_interval = wilson_interval(0.7, 20);
  a.error = out.loo.error_interval;
  a.auc = 0.75;
  a.auc_se = 0.08;
  a.auc_interval = {0.6, 0.86};
  return out;
}

TEST(KnowDependence, WithoutATestNothingChanges) {
  Fit fit = judged(0.01, 0.2);
  fit.permutation.permutations = 0;
  const Interval before = fit.loo.error_interval;
  know_dependence(fit);
  EXPECT_EQ(fit.loo.error_interval.low, before.low);
  EXPECT_EQ(fit.loo.error_interval.high, before.high);
  EXPECT_EQ(fit.questions[0].accuracy.auc_interval.low, 0.6);
}

TEST(KnowDependence, ChanceThatSpreadsAsIndependentSamplesChangesNothing) {
  Fit fit = judged(0.01, 0.02);
  const Fit before = fit;
  know_dependence(fit);
  EXPECT_NEAR(fit.loo.error_interval.low, before.loo.error_interval.low, 1e-9);
  EXPECT_NEAR(fit.loo.error_interval.high, before.loo.error_interval.high, 1e-9);
  EXPECT_NEAR(fit.loo.error_se, before.loo.error_se, 1e-12);
}

TEST(KnowDependence, NeverNarrower) {
  const Fit before = judged(0.01, 0.12);
  Fit fit = before;
  know_dependence(fit);
  const auto wider = [](const Interval& a, const Interval& b) { return a.low < b.low && a.high > b.high; };
  EXPECT_TRUE(wider(fit.loo.error_interval, before.loo.error_interval));
  EXPECT_GT(fit.loo.error_se, before.loo.error_se);
  const Accuracy &now = fit.questions[0].accuracy, &was = before.questions[0].accuracy;
  EXPECT_TRUE(wider(now.error, was.error));
  EXPECT_TRUE(wider(now.sensitivity_interval, was.sensitivity_interval));
  EXPECT_TRUE(wider(now.specificity_interval, was.specificity_interval));
  EXPECT_TRUE(wider(now.auc_interval, was.auc_interval));
  EXPECT_GT(now.auc_se, was.auc_se);
}

TEST(KnowDependence, WhereNothingIsShownTheyReachToGuessing) {
  Fit fit = judged(0.3, 0.02);
  fit.loo.error = 0.1;
  fit.loo.error_interval = wilson_interval(0.1, 40);
  know_dependence(fit);
  EXPECT_EQ(fit.loo.error_interval.high, 0.5);
  EXPECT_EQ(fit.questions[0].accuracy.auc_interval.low, 0.5);
  Fit uneven = judged(0.3, 0.02);  // 10 of 40: guessing errs in a quarter of these, in more of others
  uneven.data.class_counts = {30, 10};
  for (std::uint32_t i = 0; i < 40; ++i) uneven.data.classes[i] = i % 4 == 0 ? 1 : 0;
  uneven.loo.error_interval = {0.01, 0.1};
  uneven.loo.error = 0.05;
  know_dependence(uneven);
  const double z = 2.5758293035489004, n = 40, p = 0.25;  // 99 %
  const double high = (p + z * z / (2 * n) + z * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n))) / (1 + z * z / n);
  EXPECT_NEAR(uneven.loo.error_interval.high, high, 1e-9);
}

}  // namespace
}  // namespace cavity
