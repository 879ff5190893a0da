// Credible sets from draws written by hand: which features fill which place is known.
#include "infer/place_sets.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "support/double_design.hpp"

namespace cavity {
namespace {

PlaceDraws draws_of(const std::vector<std::vector<std::uint32_t>>& places) {
  PlaceDraws out;
  for (const auto& draw : places) {
    out.size.push_back(static_cast<std::uint32_t>(draw.size()));
    out.place.insert(out.place.end(), draw.begin(), draw.end());
  }
  return out;
}

/// Independent columns, but 1 follows 0 closely.
test::DoubleDesign columns(Eigen::Index features) {
  Random random(4);
  Matrix x = Matrix::NullaryExpr(200, features, [&random] { return random.normal(); });
  x.col(1) = -x.col(0) + 0.3 * x.col(1);
  return test::DoubleDesign(x);
}

TEST(CredibleSets, CopiesShareAPlaceEvenWhenSometimesBothAreKept) {
  ThreadPool pool(1);
  std::vector<std::vector<std::uint32_t>> places;
  for (int i = 0; i < 60; ++i) places.push_back({0, 5});
  for (int i = 0; i < 38; ++i) places.push_back({5, 1});
  for (int i = 0; i < 2; ++i) places.push_back({1, 5, 0});
  const std::vector<CredibleSet> sets = credible_sets(draws_of(places), columns(8), {}, pool);
  ASSERT_EQ(sets.size(), 2U);  // the third place of two draws is not told
  EXPECT_EQ(sets[0].features, (std::vector<std::uint32_t>{5}));
  EXPECT_EQ(sets[1].features, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_DOUBLE_EQ(sets[1].filled, 1);
  EXPECT_DOUBLE_EQ(sets[1].share[0], 0.62);
  EXPECT_DOUBLE_EQ(sets[1].probability, 1);
}

TEST(CredibleSets, FeaturesThatAreNeverKeptTogetherShareAPlace) {
  ThreadPool pool(1);
  std::vector<std::vector<std::uint32_t>> places;
  for (std::uint32_t i = 0; i < 100; ++i) places.push_back({2, i < 50 ? 3U : i < 90 ? 4U : i < 95 ? 5U : 6U});
  const std::vector<CredibleSet> sets = credible_sets(draws_of(places), columns(8), {}, pool);
  ASSERT_EQ(sets.size(), 2U);
  EXPECT_EQ(sets[0].features, (std::vector<std::uint32_t>{2}));
  EXPECT_EQ(sets[1].features, (std::vector<std::uint32_t>{3, 4}));  // 90 % of the draws
  EXPECT_DOUBLE_EQ(sets[1].probability, 0.9);
  EXPECT_DOUBLE_EQ(sets[1].filled, 1);
}

TEST(CredibleSets, ChainsThatSawOthersConfirmNothing) {
  ThreadPool pool(1);
  std::vector<std::vector<std::uint32_t>> places;
  for (std::uint32_t i = 0; i < 100; ++i) places.push_back({i / 25 + 2});  // each chain is sure of its own
  EXPECT_TRUE(credible_sets(draws_of(places), columns(8), {}, pool).empty());
  for (std::uint32_t i = 0; i < 100; i += 2) places[i] = {7};  // and every second time of another
  const std::vector<CredibleSet> half = credible_sets(draws_of(places), columns(8), {}, pool);
  ASSERT_FALSE(half.empty());
  EXPECT_EQ(half[0].features.front(), 7U);
  EXPECT_DOUBLE_EQ(half[0].probability, 0.5);
  EXPECT_DOUBLE_EQ(half[0].filled, 1);
  for (std::uint32_t i = 0; i < 100; ++i) places[i] = {i % 4 + 2};  // all have seen the same four
  const std::vector<CredibleSet> agreed = credible_sets(draws_of(places), columns(8), {}, pool);
  EXPECT_EQ(agreed[0].features.size(), 4U);
  EXPECT_DOUBLE_EQ(agreed[0].probability, 1);
}

TEST(CredibleSets, APlaceThatIsRarelyThereSaysHowOften) {
  ThreadPool pool(1);
  std::vector<std::vector<std::uint32_t>> places(100);
  for (std::size_t i = 0; i < 100; ++i)
    if (i % 10 < 3) places[i] = {7};
  const std::vector<CredibleSet> sets = credible_sets(draws_of(places), columns(8), {}, pool);
  ASSERT_EQ(sets.size(), 1U);
  EXPECT_DOUBLE_EQ(sets[0].filled, 0.3);
  EXPECT_DOUBLE_EQ(sets[0].probability, 0.3);
  EXPECT_TRUE(credible_sets(draws_of({{}, {}}), columns(8), {}, pool).empty());
}

}  // namespace
}  // namespace cavity
