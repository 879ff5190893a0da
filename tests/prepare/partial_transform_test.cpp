// Transforms of whole samples where only some features are there.
#include "prepare/partial_transform.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"

namespace cavity {
namespace {

/// Features of different levels, the same in all samples, and noise.
FeatureMatrix raw_values(std::size_t samples, std::size_t features, std::uint64_t seed) {
  Random random(seed);
  FeatureMatrix out(samples, features);
  for (std::size_t mu = 0; mu < samples; ++mu)
    for (std::size_t l = 0; l < features; ++l)
      out.row(mu)[l] = static_cast<float>(
          std::exp(4 * static_cast<double>(l) / static_cast<double>(features) + 0.5 * random.normal()));
  return out;
}

class PartialTransforms : public testing::TestWithParam<Transform> {};

TEST_P(PartialTransforms, StronglyExpressedOnesGetTheValuesThatTheyHaveAmongAll) {
  constexpr std::size_t features = 400;
  ThreadPool pool(1);
  FeatureMatrix training = raw_values(30, features, 1);
  const RowTransform whole(GetParam(), features);
  RowTransform each = whole;
  for (std::size_t mu = 0; mu < 30; ++mu) each({training.row(mu), features});
  std::vector<std::uint32_t> there;
  for (std::uint32_t l = features / 2; l < features; ++l) there.push_back(l);
  PartialTransform mend(GetParam(), training, there, pool);
  const FeatureMatrix raw = raw_values(5, features, 2);
  FeatureMatrix known = raw, right = raw;
  for (std::size_t mu = 0; mu < 5; ++mu) {
    each({right.row(mu), features});
    for (std::size_t l = 0; l < features; ++l) {  // another unit, and nothing of the weak half
      float& value = known.row(mu)[l];
      value = l < features / 2 ? 1e4F : 20 * value;
    }
    each({known.row(mu), features});
    mend({known.row(mu), features});
    double off = 0;
    for (const std::uint32_t l : there) off += std::abs(known.row(mu)[l] - right.row(mu)[l]) / 200;
    EXPECT_LT(off, 0.1);
  }
}

INSTANTIATE_TEST_SUITE_P(Both, PartialTransforms, testing::Values(Transform::rank, Transform::asinh),
                         [](const auto& about) { return to_string(about.param); });

TEST(PartialTransforms, RanksOfThoseThereDoNotAskWhetherAllWereRankedBefore) {
  ThreadPool pool(1);
  FeatureMatrix training = raw_values(10, 50, 1), raw = raw_values(1, 50, 2);
  RowTransform each(Transform::rank, 50);
  for (std::size_t mu = 0; mu < 10; ++mu) each({training.row(mu), 50});
  raw.row(0)[7] = raw.row(0)[21];  // a tie
  FeatureMatrix ranked = raw;
  each({ranked.row(0), 50});
  const std::vector<std::uint32_t> there = {0, 3, 7, 8, 21, 40, 49};
  PartialTransform mend(Transform::rank, training, there, pool);
  mend({raw.row(0), 50});
  mend({ranked.row(0), 50});
  for (const std::uint32_t l : there) EXPECT_EQ(raw.row(0)[l], ranked.row(0)[l]) << l;
}

TEST(PartialTransforms, OthersStayAsTheyAre) {
  ThreadPool pool(1);
  FeatureMatrix training = raw_values(4, 6, 1), row = raw_values(1, 6, 2);
  const FeatureMatrix before = row;
  const std::vector<std::uint32_t> there = {0, 3};
  PartialTransform mend(Transform::none, training, there, pool);
  mend({row.row(0), 6});
  EXPECT_EQ(row.values, before.values);
}

}  // namespace
}  // namespace cavity
