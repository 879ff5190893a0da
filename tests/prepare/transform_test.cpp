#include "prepare/transform.hpp"
#include "cavity/read.hpp"

#include <gtest/gtest.h>

#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "cavity/simulate.hpp"
#include "prepare/prepare.hpp"
#include "support/tables.hpp"

namespace cavity {
namespace {

std::vector<float> transformed(Transform kind, std::vector<float> row) {
  RowTransform(kind, row.size())(row);
  return row;
}

double score(double rank, double count) { return boost::math::quantile(boost::math::normal(), (rank - 0.5) / count); }

TEST(Transform, RanksAverageTies) {
  const auto row = transformed(Transform::rank, {3, -1e30F, 3, 0.0F, -0.0F, 7});
  const double expected[] = {4.5, 1, 4.5, 2.5, 2.5, 6};
  for (std::size_t l = 0; l < row.size(); ++l) EXPECT_NEAR(row[l], score(expected[l], 6), 1e-6);
  EXPECT_EQ(transformed(Transform::rank, {4, 4, 4}), (std::vector<float>{0, 0, 0}));
  EXPECT_EQ(transformed(Transform::rank, {4}), (std::vector<float>{0}));
}

TEST(Transform, RanksFollowASortForAnyFloats) {
  Random random(3);
  std::vector<float> row(5000);
  for (float& value : row) value = static_cast<float>(random.normal() * std::exp(20 * random.normal()));
  auto sorted = row;
  std::sort(sorted.begin(), sorted.end());
  const auto scores = transformed(Transform::rank, row);
  for (std::size_t l = 0; l < row.size(); ++l) {
    const auto [low, high] = std::equal_range(sorted.begin(), sorted.end(), row[l]);
    const double rank = 0.5 * static_cast<double>((low - sorted.begin()) + (high - sorted.begin()) + 1);
    EXPECT_NEAR(scores[l], score(rank, 5000), 1e-5);
  }
}

TEST(Transform, RanksIgnoreAnyIncreasingMap) {
  std::vector<float> row{0.5F, -2, 9, 3, 3, 1e4F}, mapped;
  for (const float value : row) mapped.push_back(std::atan(value) * 1000);
  EXPECT_EQ(transformed(Transform::rank, row), transformed(Transform::rank, mapped));
}

TEST(Transform, AsinhIgnoresUnitsAndOffset) {
  const std::vector<float> row{0, 1, 2, 4, 8, 1024};
  const auto a = transformed(Transform::asinh, row);
  std::vector<float> other;
  for (const float value : row) other.push_back(value * 100 - 50);
  const auto b = transformed(Transform::asinh, other);
  const double centre = 3, spread = 1.4826 * 2.5;  // deviations 3 2 1 1 5 1021
  for (std::size_t l = 0; l < row.size(); ++l) {
    EXPECT_NEAR(a[l], std::asinh((row[l] - centre) / spread), 1e-6);
    EXPECT_NEAR(a[l], b[l], 1e-5);
  }
}

TEST(Transform, AsinhOfMostlyEqualValuesIsFinite) {
  EXPECT_GT(transformed(Transform::asinh, {0, 0, 0, 0, 5})[4], 1);
  EXPECT_EQ(transformed(Transform::asinh, {2, 2, 2}), (std::vector<float>{0, 0, 0}));
}

Transform automatic(Dataset table) {
  ThreadPool pool(1);
  return prepare(std::move(table), {}, pool).preprocessing.transform;
}

TEST(Transform, AutomaticRanksManySkewedMeasurements) {
  EXPECT_EQ(automatic(test::skewed_table(30, 200)), Transform::rank);
  EXPECT_EQ(automatic(test::skewed_table(30, 49)), Transform::none);
}

TEST(Transform, AutomaticLeavesGaussianDataAlone) {
  for (const std::uint64_t seed : {1, 2, 3})
    for (const std::size_t features : {50, 300, 2000})
      EXPECT_EQ(automatic(simulate({.samples = 60, .features = features, .seed = seed}).data), Transform::none);
}

TEST(Transform, AutomaticLeavesColumnsOfDifferentUnitsAlone) {
  Dataset table = test::skewed_table(50, 60);
  Random random(1);
  for (std::size_t i = 0; i < 50; ++i)
    for (std::size_t l = 0; l < 60; ++l)
      table.features.dense().row(i)[l] =
          static_cast<float>(std::pow(10.0, static_cast<double>(l) / 5 - 6) * (1 + 0.1 * random.normal()));
  EXPECT_EQ(automatic(table), Transform::none);
  table.features = FeatureMatrix(50, 8);  // few of them: age, weight, counts, ...
  for (float& value : table.features.dense().values) value = static_cast<float>(std::exp(3 * random.normal()));
  table.feature_names.resize(8);
  EXPECT_EQ(automatic(table), Transform::none);
}

TEST(Transform, AutomaticLeavesSparseAndBinaryTablesAlone) {
  Dataset table = test::skewed_table(50, 300);
  Random random(1);
  for (float& value : table.features.dense().values) value = random.bernoulli(0.1) ? 1.0F : 0.0F;
  EXPECT_EQ(automatic(table), Transform::none);
}

TEST(Transform, AutomaticOnGenes) {
  const char* folder = std::getenv("CAVITY_DATA");
  const std::filesystem::path path = folder != nullptr ? folder : CAVITY_DATA_DIR;
  if (!std::filesystem::exists(path / "colon.csv.gz")) GTEST_SKIP() << "no data in " << path;
  for (const std::string name : {"colon", "leukemia", "prostate", "breast"})
    EXPECT_EQ(automatic(read_dataset((path / (name + ".csv.gz")).string())), Transform::rank) << name;
}

}  // namespace
}  // namespace cavity
