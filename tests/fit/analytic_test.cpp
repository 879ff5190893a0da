// The average over halves against halves that were drawn, on random data, and what it makes of given messages.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "cavity/errors.hpp"
#include "cavity/simulate.hpp"
#include "cavity/stability.hpp"
#include "fit/selection_shares.hpp"
#include "model/normal.hpp"
#include "support/errors.hpp"

namespace cavity {
namespace {

double mean_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum / static_cast<double>(a.size());
}

StabilityOptions random_table_options(double width) {
  StabilityOptions out;
  out.fit.solver.kind = Solver::gamp;
  out.fit.grid.density = {0.1};
  out.fit.grid.noise = {0.05};
  out.fit.grid.width = {width};
  out.fit.preprocessing.transform = PreprocessingOptions::Choice::none;
  out.pairs = 40;
  out.selected = 40;
  return out;
}

TEST(Analytic, IsTheAverageOverRealHalves) {
  for (const double width : {0.0, 0.5}) {
    SCOPED_TRACE(width);
    const Dataset data = simulate({.samples = 600, .features = 600, .teacher = 0.1, .noise = 0.05, .seed = 6}).data;
    StabilityOptions options = random_table_options(width);
    const Stability drawn = stability(data, options);
    options.analytic = true;
    const Stability average = stability(data, options);
    EXPECT_EQ(drawn.failed, 0U);
    EXPECT_EQ(average.halves, 0U);
    EXPECT_NEAR(average.mean_selected, 40, 0.01);
    EXPECT_LT(mean_difference(drawn.mean, average.mean), 0.015);
    EXPECT_LT(mean_difference(drawn.share, average.share), 0.03);
    EXPECT_LT(mean_difference(drawn.sd, average.sd), 0.03);
    EXPECT_GT(std::accumulate(average.sd.begin(), average.sd.end(), 0.0), 1);
    EXPECT_LT(mean_difference(drawn.mean, average.mean),
              0.3 * mean_difference(drawn.mean, average.fit.model.questions[0].features.inclusion));
  }
}

TEST(Analytic, HasTheSameBitsForAnyNumberOfThreads) {
  const Dataset data = simulate({.samples = 200, .features = 300, .teacher = 0.1, .noise = 0.05, .seed = 6}).data;
  StabilityOptions options = random_table_options(0);
  options.analytic = true;
  options.fit.threads = 1;
  const Stability one = stability(data, options);
  options.fit.threads = 3;
  const Stability three = stability(data, options);
  EXPECT_EQ(one.share, three.share);
  EXPECT_EQ(one.mean, three.mean);
}

TEST(Analytic, IsOfGampAlone) {
  StabilityOptions options = random_table_options(0);
  options.fit.solver.kind = Solver::ep;
  options.analytic = true;
  test::expect_error<UsageError>(
      [&] {
        stability(simulate({.samples = 40, .features = 60, .teacher = 0.1, .noise = 0.05, .seed = 6}).data, options);
      },
      {"`analytic`", "`solver=gamp`"});
}

HalfAverage messages(std::vector<double> linear, double deviation) {
  HalfAverage out;
  out.deviation.assign(linear.size(), deviation);
  out.precision.assign(linear.size(), 1);
  out.linear = std::move(linear);
  out.log_odds = -2;
  return out;
}

TEST(SelectionShares, AddUpToWhatIsSelected) {
  std::vector<double> linear;
  for (int l = 0; l < 200; ++l) linear.push_back(0.03 * l);
  const SelectionShares s = selection_shares({messages(linear, 1)}, {1}, {25, {}});
  EXPECT_NEAR(std::accumulate(s.share.begin(), s.share.end(), 0.0), 25, 1e-6);
  EXPECT_TRUE(std::is_sorted(s.share.begin(), s.share.end()));
  EXPECT_TRUE(std::is_sorted(s.mean.begin(), s.mean.end()));
}

TEST(SelectionShares, OfOneOfTwoAlikeIsHalf) {
  const SelectionShares s = selection_shares({messages({4, 4, 0}, 0.5)}, {1}, {1, {}});
  EXPECT_NEAR(s.share[0], 0.5, 1e-3);
  EXPECT_NEAR(s.share[2], 0, 1e-6);
}

TEST(SelectionShares, MessagesOfBothSignsCount) {
  const HalfAverage zero = messages({0}, 1);
  const SelectionShares s = selection_shares({zero}, {1}, {0.1, {}});
  EXPECT_NEAR(s.share[0], 0.1, 1e-6);
  // Var and mean of the inclusion by a fine sum.
  double mean = 0, square = 0;
  for (int i = -4000; i < 4000; ++i) {
    const double z = (i + 0.5) / 500, mass = normal_cdf((i + 1) / 500.0) - normal_cdf(i / 500.0);
    const double p = inclusion_at(zero, 0, z);
    mean += mass * p;
    square += mass * p * p;
  }
  EXPECT_NEAR(s.mean[0], mean, 2e-3);
  EXPECT_NEAR(s.sd[0], std::sqrt(square - mean * mean), 2e-3);
}

TEST(SelectionShares, ALowerRateSelectsFewer) {
  std::vector<double> linear;
  for (int l = 0; l < 100; ++l) linear.push_back(0.08 * l);
  const auto selected = [&](double rate) {
    const SelectionShares s = selection_shares({messages(linear, 1)}, {1}, {0, rate});
    return std::accumulate(s.share.begin(), s.share.end(), 0.0);
  };
  EXPECT_LT(selected(0.05), selected(0.2));
  EXPECT_GT(selected(0.05), 1);
}

}  // namespace
}  // namespace cavity
