#include "choose/recalibrate.hpp"

#include <gtest/gtest.h>

#include <cmath>

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
