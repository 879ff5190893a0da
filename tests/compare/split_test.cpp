#include "compare/split.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "cavity/errors.hpp"
#include "support/errors.hpp"
#include "support/tables.hpp"

namespace cavity {
namespace {

Dataset table(std::size_t samples, std::size_t positive) {
  Dataset out = test::skewed_table(samples, 4);
  for (std::size_t i = 0; i < samples; ++i) out.labels[i] = i < positive ? 1 : -1;
  return out;
}

std::size_t positives(const Dataset& data, const std::vector<std::size_t>& samples) {
  return static_cast<std::size_t>(
      std::count_if(samples.begin(), samples.end(), [&](std::size_t i) { return data.labels[i] > 0; }));
}

TEST(Split, CutsEverySampleIntoOneOfTwoParts) {
  const Dataset data = table(30, 12);
  CompareOptions options;
  options.train = 20;
  std::set<std::vector<std::size_t>> seen;
  for (std::size_t s = 1; s <= 50; ++s) {
    const Split split = draw_split(data, options, s);
    EXPECT_EQ(split.train.size(), 20u);
    std::set<std::size_t> all(split.train.begin(), split.train.end());
    all.insert(split.test.begin(), split.test.end());
    EXPECT_EQ(all.size(), 30u);
    seen.insert(split.train);
    EXPECT_EQ(draw_split(data, options, s).train, split.train);
  }
  EXPECT_EQ(seen.size(), 50u);
}

TEST(Split, StratifiedKeepsTheProportions) {
  CompareOptions options;
  options.stratified = true;
  for (const auto& [positive, train, expected] :
       {std::tuple{12u, 20u, 8u}, std::tuple{1u, 20u, 1u}, std::tuple{29u, 20u, 19u}, std::tuple{15u, 2u, 1u}}) {
    const Dataset data = table(30, positive);
    options.train = train;
    for (std::size_t s = 1; s <= 10; ++s) {
      const Split split = draw_split(data, options, s);
      EXPECT_EQ(split.train.size(), train);
      EXPECT_EQ(positives(data, split.train), expected);
    }
  }
}

TEST(Split, AnEmptyClassIsDrawnAgainThenRefused) {
  CompareOptions options;
  options.train = 15;
  const Dataset three = table(30, 3);
  for (std::size_t s = 1; s <= 200; ++s) EXPECT_GE(positives(three, draw_split(three, options, s).train), 1u);
  const Dataset none = table(30, 0);
  test::expect_error<UsageError>([&] { draw_split(none, options, 7); },
                                 {"split 7", "15 training samples out of 30", "`train`", "`stratified`"});
}

TEST(Split, ATakenPartIsACopyOfItsRows) {
  Dataset data = table(6, 3);
  data.covariates.push_back({"age", {"1", "2", "3", "4", "5", "6"}});
  const Dataset part = take_samples(data, {1, 4});
  EXPECT_EQ(part.samples(), 2u);
  EXPECT_EQ(part.features.dense().row(1)[2], data.features.dense().row(4)[2]);
  EXPECT_EQ(part.labels, (std::vector<std::int8_t>{1, -1}));
  EXPECT_EQ(part.covariates[0].values, (std::vector<std::string>{"2", "5"}));
}

}  // namespace
}  // namespace cavity
