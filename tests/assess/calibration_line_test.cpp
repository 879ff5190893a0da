// Calibration and decision curves against what they are defined by.
#include "assess/calibration_line.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "assess/decision_curve.hpp"
#include "base/random.hpp"

namespace cavity {
namespace {

struct Sample {
  std::vector<double> probability;
  std::vector<std::int8_t> labels;
};

/// Labels by logit P = a + b f, stated: f.
Sample drawn(std::size_t count, double a, double b) {
  Random random(3);
  Sample out;
  for (std::size_t i = 0; i < count; ++i) {
    const double f = 1.5 * random.normal(), p = 1 / (1 + std::exp(-(a + b * f)));
    out.probability.push_back(1 / (1 + std::exp(-f)));
    out.labels.push_back(random.uniform() < p ? 1 : -1);
  }
  return out;
}

TEST(CalibrationLine, FindsTheLineThatLabelsFollow) {
  for (const auto& [a, b] : {std::pair(0.0, 1.0), std::pair(0.7, 1.0), std::pair(-0.4, 0.5), std::pair(0.2, 2.0)}) {
    const Sample s = drawn(20000, a, b);
    const CalibrationLine line = calibration_line(s.probability, s.labels);
    EXPECT_NEAR(line.intercept.value, a, 4 * line.intercept.se);
    EXPECT_NEAR(line.slope.value, b, 4 * line.slope.se);
    EXPECT_LT(line.slope.se, 0.05);
    if (b == 1) {
      EXPECT_NEAR(line.in_the_large.value, a, 4 * line.in_the_large.se);
    }
  }
}

TEST(CalibrationLine, SwappingTheClassesTurnsTheIntercept) {
  Sample s = drawn(300, 0.4, 0.8);
  const CalibrationLine one = calibration_line(s.probability, s.labels);
  for (double& p : s.probability) p = 1 - p;
  for (auto& y : s.labels) y = static_cast<std::int8_t>(-y);
  const CalibrationLine other = calibration_line(s.probability, s.labels);
  EXPECT_NEAR(one.slope.value, other.slope.value, 1e-6);
  EXPECT_NEAR(one.intercept.value, -other.intercept.value, 1e-6);
  EXPECT_NEAR(one.in_the_large.value, -other.in_the_large.value, 1e-6);
}

TEST(CalibrationLine, SeparatedSamplesStillHaveOne) {
  const std::vector<double> p = {0, 0.2, 0.9, 1};
  const std::vector<std::int8_t> y = {-1, -1, 1, 1};
  const CalibrationLine line = calibration_line(p, y);
  EXPECT_TRUE(std::isfinite(line.slope.value) && std::isfinite(line.slope.se));
  EXPECT_GT(line.slope.value, 1);
}

TEST(CalibrationCurve, BinsHoldAllSamplesOnce) {
  const Sample s = drawn(137, 0, 1);
  const std::vector<CalibrationBin> bins = calibration_curve(s.probability, s.labels);
  EXPECT_EQ(bins.size(), 10U);
  std::size_t samples = 0;
  double came = 0, last = 0, all = 0;
  for (const CalibrationBin& bin : bins) {
    samples += bin.samples;
    came += bin.came * static_cast<double>(bin.samples);
    EXPECT_GE(bin.stated, last);
    last = bin.stated;
  }
  for (const auto y : s.labels) all += y > 0 ? 1 : 0;
  EXPECT_EQ(samples, 137U);
  EXPECT_NEAR(came, all, 1e-9);
  EXPECT_EQ(calibration_curve(std::vector<double>{0.3}, std::vector<std::int8_t>{1}).size(), 1U);
}

TEST(DecisionCurve, LowThresholdsTreatAllAndHighOnesNone) {
  const Sample s = drawn(400, 0, 1);
  const DecisionPoint low = decide(1e-6, s.probability, s.labels), high = decide(1 - 1e-9, s.probability, s.labels);
  EXPECT_NEAR(low.net_benefit, low.treat_all, 1e-12);
  EXPECT_EQ(low.sensitivity, 1);
  EXPECT_EQ(high.net_benefit, 0);
  EXPECT_EQ(high.specificity, 1);
  EXPECT_TRUE(std::isnan(high.positive_value));
  EXPECT_THROW(decide(1, s.probability, s.labels), std::invalid_argument);
}

TEST(DecisionCurve, NetBenefitIsThatOfTheCosts) {
  const std::vector<double> p = {0.1, 0.3, 0.6, 0.8, 0.9};
  const std::vector<std::int8_t> y = {-1, 1, -1, 1, 1};
  const DecisionPoint d = decide(0.25, p, y);
  EXPECT_EQ(d.true_positive, 3U);
  EXPECT_EQ(d.false_positive, 1U);
  EXPECT_NEAR(d.net_benefit, (3 - 1.0 / 3) / 5, 1e-12);
  EXPECT_NEAR(d.treat_all, (3 - 2.0 / 3) / 5, 1e-12);
  EXPECT_NEAR(d.positive_value, 0.75, 1e-12);
}

}  // namespace
}  // namespace cavity
