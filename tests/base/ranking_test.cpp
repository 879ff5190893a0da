#include "base/ranking.hpp"

#include <gtest/gtest.h>

#include <random>
#include <utility>

namespace cavity {
namespace {

TEST(Ranking, IsAStableSortByFallingValueCutAtItsHead) {
  std::mt19937_64 random(3);
  std::vector<int> values(200);
  for (int& value : values) value = static_cast<int>(random() % 7);  // many equals
  std::vector<std::size_t> expected(values.size());
  std::iota(expected.begin(), expected.end(), std::size_t{0});
  std::stable_sort(expected.begin(), expected.end(),
                   [&](std::size_t a, std::size_t b) { return values[a] > values[b]; });
  const auto value_of = [&](std::size_t l) { return values[l]; };
  EXPECT_EQ(falling_order(values.size(), value_of), expected);
  expected.resize(31);
  EXPECT_EQ(falling_order(values.size(), 31, value_of), expected);
  EXPECT_EQ(falling_order(2, 31, [](std::size_t l) { return std::pair(1, l); }), (std::vector<std::size_t>{1, 0}));
  EXPECT_TRUE(falling_order(0, value_of).empty());
}

}  // namespace
}  // namespace cavity
