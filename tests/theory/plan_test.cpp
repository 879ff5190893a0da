#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "cavity/errors.hpp"
#include "cavity/theory.hpp"

namespace cavity {
namespace {

TEST(Plan, FindsTheSmallestNumberOfSamples) {
  for (const Perceptron& truth :
       {Perceptron{0.01, ActivationKind::step, 0.05}, Perceptron{0.1, ActivationKind::step, 0},
        Perceptron{0.3, ActivationKind::probit, 0.1}})
    for (const double target : {0.4, 0.25, 0.15}) {
      const Plan plan = plan_samples(5000, truth, target);
      ASSERT_TRUE(plan.reachable);
      EXPECT_EQ(plan.samples, std::round(plan.samples));
      EXPECT_LE(plan.error_sbc, target);
      EXPECT_GT(plan_error(5000, truth, plan.samples - 1).error_sbc, target);
      EXPECT_DOUBLE_EQ(plan_error(5000, truth, plan.samples).error_sbc, plan.error_sbc);
    }
}

TEST(Plan, SaysWhatTheBestErrorIs) {
  const Plan step = plan_samples(1000, {0.1, ActivationKind::step, 0.08}, 0.05);
  EXPECT_FALSE(step.reachable);
  EXPECT_DOUBLE_EQ(step.best_error, 0.08);
  EXPECT_FALSE(plan_samples(1000, {0.1, ActivationKind::step, 0.08}, 0.08).reachable);
  const Plan probit = plan_samples(1000, {0.25, ActivationKind::probit, 0.5}, 0.1);
  EXPECT_FALSE(probit.reachable);
  EXPECT_NEAR(probit.best_error, std::atan2(0.5, 0.5) / std::numbers::pi, 1e-14);
}

TEST(Plan, LearningCurvesFall) {
  const std::vector<double> samples{10, 100, 1000, 10000, 100000};
  const auto curve = learning_curve(2000, {0.05, ActivationKind::step, 0.1}, samples);
  ASSERT_EQ(curve.size(), samples.size());
  for (std::size_t i = 1; i < curve.size(); ++i) EXPECT_LT(curve[i].error_sbc, curve[i - 1].error_sbc);
  EXPECT_DOUBLE_EQ(curve[2].ratio, 0.5);
}

TEST(Plan, NonsenseIsRefused) {
  const Perceptron truth{0.1, ActivationKind::step, 0.05};
  EXPECT_THROW(plan_samples(1000, truth, 0.5), UsageError);
  EXPECT_THROW(plan_samples(1000, truth, 0), UsageError);
  EXPECT_THROW(plan_samples(0, truth, 0.2), UsageError);
  EXPECT_THROW(plan_error(1000, truth, 0), UsageError);
}

}  // namespace
}  // namespace cavity
