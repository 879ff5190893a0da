#include "compare/split.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "cavity/errors.hpp"
#include "support/errors.hpp"
#include "support/tables.hpp"

namespace cavity {
namespace {

Dataset table(std::size_t samples, std::size_t positive) {
  Dataset out = test::skewed_table(samples, 4);
  for (std::size_t i = 0; i < samples; ++i) out.classes[i] = i < positive ? 1 : 0;
  return out;
}

std::size_t positives(const Dataset& data, const std::vector<std::size_t>& samples) {
  return static_cast<std::size_t>(
      std::count_if(samples.begin(), samples.end(), [&](std::size_t i) { return data.classes[i] == 1; }));
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

// Groups of one to four samples, of one class each but for the last.
Dataset grouped_table(std::size_t groups) {
  std::vector<std::string> names;
  for (std::size_t g = 0; g < groups; ++g) names.insert(names.end(), 1 + g % 4, "p" + std::to_string(g));
  Dataset out = table(names.size(), 0);
  for (std::size_t i = 0; i < names.size(); ++i) out.classes[i] = std::stoi(names[i].substr(1)) % 3 == 0 ? 1 : 0;
  out.classes.back() = 1 - out.classes.back();
  out.groups = names;
  return out;
}

TEST(Split, SamplesOfAGroupAreOnOneSide) {
  const Dataset data = grouped_table(40);
  CompareOptions options;
  options.train = 66;
  std::set<std::vector<std::size_t>> seen;
  for (const bool stratified : {false, true})
    for (std::size_t s = 1; s <= 50; ++s) {
      options.stratified = stratified;
      const Split split = draw_split(data, options, s);
      seen.insert(split.train);
      std::set<std::string> train, test;
      for (const std::size_t i : split.train) train.insert(data.groups[i]);
      for (const std::size_t i : split.test) test.insert(data.groups[i]);
      EXPECT_EQ(train.size() + test.size(), 40u);
      EXPECT_EQ(split.train.size() + split.test.size(), data.samples());
      EXPECT_NEAR(static_cast<double>(split.train.size()), 66, 4);
      if (!stratified) continue;
      const double share = static_cast<double>(split.train.size()) / static_cast<double>(data.samples());
      std::vector<std::size_t> all(data.samples());
      std::iota(all.begin(), all.end(), 0);
      EXPECT_NEAR(static_cast<double>(positives(data, split.train)), share * static_cast<double>(positives(data, all)),
                  4);
    }
  EXPECT_GT(seen.size(), 95u);
}

TEST(Split, AGroupThatHoldsAClassIsRefused) {
  Dataset data = grouped_table(12);
  for (std::size_t i = 0; i < data.samples(); ++i) data.classes[i] = data.groups[i] == "p3" ? 1 : 0;
  test::expect_error<UsageError>([&] { draw_split(data, {}, 2); }, {"split 2", "two groups of class", "12 groups"});
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
  data.groups = {"a", "a", "b", "b", "c", "c"};
  const Dataset part = take_samples(data, {1, 4});
  EXPECT_EQ(part.samples(), 2u);
  EXPECT_EQ(part.features.dense().row(1)[2], data.features.dense().row(4)[2]);
  EXPECT_EQ(part.classes, (std::vector<std::uint32_t>{1, 0}));
  EXPECT_EQ(part.covariates[0].values, (std::vector<std::string>{"2", "5"}));
  EXPECT_EQ(part.groups, (std::vector<std::string>{"a", "c"}));
}

}  // namespace
}  // namespace cavity
