#include "fit/recalibrate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/random.hpp"
#include "model/normal.hpp"

namespace cavity {
namespace {

// Labels of fields z with slope `slope`, said with slope 1.
std::vector<double> said(std::size_t samples, double slope) {
  Random random(5);
  std::vector<double> out;
  for (std::size_t mu = 0; mu < samples; ++mu) {
    const double z = random.normal();
    const double sign = random.uniform() < normal_cdf(slope * z) ? 1 : -1;
    out.push_back(std::log(normal_cdf(sign * z)));
  }
  return out;
}

TEST(Recalibrate, FindsTheSlopeOfManySamples) {
  ThreadPool pool(2);
  const auto found = fit_recalibration(said(5000, 3), pool);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->slope, 3, 0.3);
}

// The same expectation by a plain sum over many values of ln t and ln k.
Recalibration expected(const std::vector<double>& log_probability) {
  constexpr int count = 120;
  const double low = std::log(0.05 / static_cast<double>(log_probability.size() + 1)), high = std::log(0.2);
  const double reach = 3, slope_step = 2 * reach / count, floor_step = (high - low) / count;
  double sum = 3, slope = 0, floor = 0;  // as they are: 3 to 1
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < count; ++j) {
      const double t = -reach + (i + 0.5) * slope_step, k = std::exp(low + (j + 0.5) * floor_step);
      double log_mass = -0.5 * t * t / 0.25 - std::log(0.5 * std::sqrt(2 * M_PI)) + std::log(slope_step / count);
      for (const double x : log_probability) log_mass += std::log(recalibrated({k, std::exp(t)}, std::exp(x))) - x;
      const double mass = std::exp(log_mass);
      sum += mass;
      slope += mass * t;
      floor += mass * k;
    }
  return {floor / sum, std::exp(slope / sum)};
}

TEST(Recalibrate, IsTheExpectation) {
  ThreadPool pool(2);
  for (const auto& [samples, slope] : {std::pair(20, 1.5), std::pair(60, 3.0), std::pair(150, 0.5)}) {
    const std::vector<double> log_probability = said(static_cast<std::size_t>(samples), slope);
    const auto found = fit_recalibration(log_probability, pool);
    const Recalibration plain = expected(log_probability);
    ASSERT_TRUE(found) << samples;
    EXPECT_NEAR(found->slope, plain.slope, 0.01 * plain.slope) << samples;
    EXPECT_NEAR(found->floor, plain.floor, 0.02 * plain.floor) << samples;
  }
}

TEST(Recalibrate, CrossedIsByTheOtherNineTenths) {
  ThreadPool pool(2);
  const std::vector<double> all = said(60, 3),
                            crossed = cross_recalibrated_log_probability(all, {0.1, 1}, nullptr, pool);
  std::vector<double> others;
  for (std::size_t mu = 0; mu < all.size(); ++mu)
    if (mu % 10 != 4) others.push_back(all[mu]);
  const auto without = fit_recalibration(others, pool);
  ASSERT_TRUE(without);
  for (std::size_t mu = 4; mu < all.size(); mu += 10)
    EXPECT_EQ(crossed[mu], std::log(recalibrated(*without, std::exp(all[mu]))));
}

TEST(Recalibrate, IsANumberWhereOneIsCertainAndWrong) {
  ThreadPool pool(2);
  std::vector<double> log_probability = said(40, 2);
  log_probability[3] = -std::numeric_limits<double>::infinity();
  const auto found = fit_recalibration(log_probability, pool);
  ASSERT_TRUE(found);
  EXPECT_GT(found->floor, 0.001);
  EXPECT_LT(found->floor, 0.2);
  EXPECT_TRUE(std::isfinite(found->slope));
}

TEST(Recalibrate, IsLessSteepWhereFewSamplesAllComeRight) {
  const std::vector<double> all_right(40, std::log(0.8));  // any slope fits them, the steepest best
  ThreadPool pool(2);
  const auto few = fit_recalibration(all_right, pool),
             many = fit_recalibration(std::vector<double>(4000, std::log(0.8)), pool);
  ASSERT_TRUE(few);
  ASSERT_TRUE(many);
  EXPECT_LT(few->slope, 3);
  EXPECT_GT(many->slope, 1.2 * few->slope);
}

}  // namespace
}  // namespace cavity
