// The forecast passes through the fit's own error, falls no further than the parts do, and is the same for any threads.
#include "fit/forecast.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.hpp"

namespace cavity {
namespace {

struct Table {
  Matrix kernel, covariates;
  std::vector<std::uint32_t> classes;
  std::optional<SampleGroups> groups{};

  ForecastInput input() const { return {kernel, covariates, classes, 2, groups ? &*groups : nullptr}; }
};

/// Features of which the first `relevant` lie `shift` higher in class 1.
Table make_table(Eigen::Index samples, Eigen::Index features, Eigen::Index relevant, double shift) {
  Random random(11);
  Matrix x(samples, features);
  Table out{{}, Matrix::Ones(samples, 1), {}};
  for (Eigen::Index i = 0; i < samples; ++i) {
    out.classes.push_back(static_cast<std::uint32_t>(i % 2));
    for (Eigen::Index l = 0; l < features; ++l) x(i, l) = random.normal() + (l < relevant && i % 2 == 1 ? shift : 0);
  }
  x.rowwise() -= x.colwise().mean().eval();
  out.kernel = x * x.transpose();
  return out;
}

const KnownError known{0.2, {0.12, 0.3}, 0.5};

Forecast ask(const Table& table, const ForecastOptions& options = {}, unsigned threads = 1) {
  ThreadPool pool(threads);
  return forecast_error(table.input(), known, options, pool);
}

TEST(Forecast, PassesThroughTheFitAndEndsAtTwiceTheSamples) {
  const Forecast out = ask(make_table(60, 100, 20, 0.8));
  ASSERT_EQ(out.points.size(), 8U);
  EXPECT_EQ(out.points[3].samples, 60);
  EXPECT_EQ(out.points[3].error, known.error);
  EXPECT_NEAR(out.points[3].low, known.interval.low, 1e-12);
  EXPECT_NEAR(out.points[3].high, known.interval.high, 1e-12);
  EXPECT_EQ(out.points.back().samples, 120);
  for (const ForecastPoint& p : out.points) {
    EXPECT_LE(p.low, p.error);
    EXPECT_GE(p.high, p.error);
  }
  for (std::size_t i = 4; i < out.points.size(); ++i) {
    EXPECT_LE(out.points[i].error, out.points[i - 1].error);
    EXPECT_GE(out.points[i].low, 0);
  }
  // Many features of which each says a little: a quarter of the samples finds less.
  EXPECT_GT(out.points.front().error, known.error);
  EXPECT_LT(out.points.back().error, known.error);
}

TEST(Forecast, TheNextDoublingBringsBetweenNothingAndWhatTheLastHas) {
  const Forecast out = ask(make_table(60, 100, 20, 0.8));
  const double last = out.points[1].error - known.error;
  ASSERT_GT(last, 0);
  for (std::size_t i = 4; i < 8; ++i) {
    const double doublings = std::log2(out.points[i].samples / 60);
    EXPECT_NEAR(out.points[i].error, std::max(known.error - 0.5 * doublings * last, 0.0), 1e-12);
    EXPECT_NEAR(out.points[i].low, std::max(known.interval.low - doublings * last, 0.0), 1e-12);
    EXPECT_EQ(out.points[i].high, known.interval.high);
  }
  for (std::size_t i = 0; i < 3; ++i)  // fewer samples lose between nothing and what the kernel loses
    EXPECT_NEAR(out.points[i].low, known.interval.low + std::min(out.points[i].error - known.error, 0.0), 1e-12);
}

TEST(Forecast, TheSameForAnyThreads) {
  const Table table = make_table(40, 60, 10, 0.8);
  const Forecast one = ask(table), two = ask(table, {}, 2);
  ASSERT_EQ(one.points.size(), two.points.size());
  for (std::size_t i = 0; i < one.points.size(); ++i) EXPECT_EQ(one.points[i].error, two.points[i].error);
}

// Two copies of each sample, kept together: parts hold whole groups, and nothing breaks.
TEST(Forecast, PartsHoldWholeGroups) {
  Table table = make_table(48, 60, 10, 0.8);
  SampleGroups pairs;
  for (std::size_t i = 0; i < 24; ++i) {
    pairs.members.push_back({2 * i, 2 * i + 1});
    pairs.of.insert(pairs.of.end(), {i, i});
  }
  table.groups = pairs;
  EXPECT_TRUE(ask(table).known());
}

// 15^3 + 30^3 + 45^3 operations; where one part is all that can be had, it has hundreds of samples.
TEST(Forecast, APartOfEachSizeIsEnough) {
  const Table table = make_table(60, 100, 20, 0.8);
  EXPECT_TRUE(ask(table, {1, 1.01 * 121500}).known());
  EXPECT_FALSE(ask(table, {1, 0.99 * 121500}).known());
}

TEST(Forecast, SaysWhyThereIsNone) {
  Table few = make_table(40, 30, 5, 1);
  for (std::size_t i = 6; i < 40; ++i) few.classes[i] = 0;
  EXPECT_NE(ask(few).why_none.find("fewer than"), std::string::npos);
  EXPECT_FALSE(ask(few).known());
  EXPECT_NE(ask(make_table(40, 30, 5, 1), {1, 10}).why_none.find("operations"), std::string::npos);
}

}  // namespace
}  // namespace cavity
