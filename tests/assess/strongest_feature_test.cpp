// The feature that tells most against a plain loop, and what it adds to all features together.
#include "assess/strongest_feature.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "assess/permutation.hpp"
#include "base/random.hpp"
#include "design/dense_design.hpp"

namespace cavity {
namespace {

using Classes = std::vector<std::uint32_t>;
using Order = std::vector<std::size_t>;

FeatureMatrix noise(std::size_t samples, std::size_t features, std::uint64_t seed) {
  FeatureMatrix out(samples, features);
  Random random(seed);
  for (float& x : out.values) x = static_cast<float>(random.normal());
  return out;
}

Classes halves(std::size_t samples) {
  Classes out;
  for (std::size_t i = 0; i < samples; ++i) out.push_back(i % 2 == 0 ? 0 : 1);
  return out;
}

Order shuffled(std::size_t samples, std::uint64_t seed) {
  Order out(samples);
  std::iota(out.begin(), out.end(), 0);
  Random random(seed);
  for (std::size_t i = samples; i > 1; --i) std::swap(out[i - 1], out[random.below(i)]);
  return out;
}

/// |correlation| of a feature with the labels in an order: without covariates that is all.
double correlation(const FeatureMatrix& x, std::size_t l, const Classes& classes, const Order& order) {
  const auto samples = static_cast<double>(x.rows);
  double mean_x = 0, mean_y = 0, xx = 0, yy = 0, xy = 0;
  for (std::size_t i = 0; i < x.rows; ++i) {
    mean_x += static_cast<double>(x.row(i)[l]) / samples;
    mean_y += classes[order[i]] / samples;
  }
  for (std::size_t i = 0; i < x.rows; ++i) {
    const double dx = static_cast<double>(x.row(i)[l]) - mean_x, dy = classes[order[i]] - mean_y;
    xx += dx * dx;
    yy += dy * dy;
    xy += dx * dy;
  }
  return std::abs(xy) / std::sqrt(xx * yy);
}

struct Table {
  FeatureMatrix x;
  Classes classes;
  Matrix covariates = Matrix::Ones(static_cast<Eigen::Index>(x.rows), 1);
  DenseDesign design{view(x)};

  Labelling labelled() const { return {covariates, classes, 2, nullptr}; }
  PermutationTest test(bool one_by_one) const {
    ThreadPool pool(1);
    const Matrix kernel = feature_kernel(design, pool);
    return permutation_test({kernel, covariates, classes, 2, nullptr, one_by_one ? &design : nullptr}, {}, pool)
        .test.value();
  }
};

TEST(StrongestFeature, IsTheLargestCorrelation) {
  const Table table{noise(30, 600, 1), halves(30)};
  const std::vector<Order> orders = {shuffled(30, 1), shuffled(30, 2), shuffled(30, 3)};
  ThreadPool one(1), three(3);
  const std::vector<double> found = strongest_feature(table.design, table.labelled(), orders, one);
  for (std::size_t i = 0; i < orders.size(); ++i) {
    double largest = 0;
    for (std::size_t l = 0; l < 600; ++l)
      largest = std::max(largest, correlation(table.x, l, table.classes, orders[i]));
    EXPECT_NEAR(found[i], largest, 1e-9);
  }
  EXPECT_EQ(strongest_feature(table.design, table.labelled(), orders, three), found);
}

TEST(StrongestFeature, IsClearedOfCovariates) {
  Table table{noise(40, 50, 2), halves(40)};
  table.covariates = Matrix::Ones(40, 2);
  for (Eigen::Index i = 0; i < 40; ++i)
    table.covariates(i, 1) = static_cast<double>(table.x.row(static_cast<std::size_t>(i))[7]);
  for (std::size_t i = 0; i < 40; ++i)
    table.classes[i] = table.x.row(i)[7] > 0 ? 1 : 0;  // only what the covariate says
  std::vector<Order> orders(1, Order(40));
  std::iota(orders[0].begin(), orders[0].end(), 0);
  ThreadPool pool(1);
  const double with = strongest_feature(table.design, table.labelled(), orders, pool).front();
  table.covariates = Matrix::Ones(40, 1);
  const double without = strongest_feature(table.design, table.labelled(), orders, pool).front();
  EXPECT_GT(without, 0.7);
  EXPECT_LT(with, 0.6);
}

TEST(StrongestFeature, FindsOneOfThousandsThatAllTogetherDoNot) {
  Table table{noise(60, 4000, 3), halves(60)};
  for (std::size_t i = 0; i < 60; ++i) table.x.row(i)[1234] += table.classes[i] == 1 ? 3.0F : 0.0F;
  const PermutationTest together = table.test(false), both = table.test(true);
  EXPECT_GT(together.p, 0.05);
  EXPECT_EQ(both.p_together, together.p);
  EXPECT_DOUBLE_EQ(both.p_strongest, 0.001);
  EXPECT_LE(both.p, 0.002);
}

TEST(StrongestFeature, TheSmallerOfTwoIsNotMoreOftenSmall) {
  int small = 0;
  constexpr int tables = 60;
  for (std::uint64_t seed = 0; seed < tables; ++seed) {
    const Table table{noise(30, 80, 100 + seed), halves(30)};
    const PermutationTest found = table.test(true);
    EXPECT_GE(found.p + 1e-12, std::min(found.p_together, found.p_strongest));
    small += found.p < 0.2 ? 1 : 0;
  }
  EXPECT_NEAR(small, 0.2 * tables, 3 * std::sqrt(0.16 * tables));
}

}  // namespace
}  // namespace cavity
