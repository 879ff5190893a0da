// Against products in double made anew at every call, along an iteration whose weights settle.
#include "design/changing_products.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "design/design_cases.hpp"

namespace cavity {
namespace {

constexpr std::size_t samples = 90, features = 300;
constexpr double little = 0.01;

struct Settling {
  std::vector<double> t, direction;

  Settling() : t(features), direction(features) {
    Random random(3);
    for (auto& x : t) x = 0.1 + random.uniform();
    for (auto& x : direction) x = random.normal();
  }
  void step(double size) {
    for (std::size_t l = 0; l < features; ++l) t[l] *= 1 + size * direction[l];
  }
};

double distance(const Matrix& a, const Matrix& b) { return (a - b).cwiseAbs().maxCoeff() / b.cwiseAbs().maxCoeff(); }

double distance(std::span<const double> a, std::span<const double> b) {
  double largest = 0, size = 0;
  for (std::size_t l = 0; l < a.size(); ++l) {
    largest = std::max(largest, std::abs(a[l] - b[l]));
    size = std::max(size, std::abs(b[l]));
  }
  return largest / size;
}

TEST(ChangingProducts, GramOfSmallChangesKeepsTheDigitsOfDouble) {
  const auto c = test::dense_case(samples, features);
  ThreadPool pool(2);
  ChangingProducts products(*c->design, little);
  Settling weights;
  Matrix exact;
  products.gram(weights.t, Precision::full, pool);
  for (const double size : {3e-3, 1e-3, 1e-4, 1e-5}) {
    weights.step(size);
    c->design->gram(weights.t, exact, pool);
    const Matrix& got = products.gram(weights.t, Precision::full, pool);
    EXPECT_NE(got, exact);  // by the change, in floats
    EXPECT_LE(distance(got, exact), 1e-9);
  }
}

TEST(ChangingProducts, LargeChangesAreMultipliedAnew) {
  const auto c = test::dense_case(samples, features);
  ThreadPool pool(2);
  ChangingProducts products(*c->design, little);
  Settling weights;
  Matrix exact;
  std::vector<double> forms(features);
  for (int call = 0; call < 3; ++call) {
    weights.step(0.05);
    c->design->gram(weights.t, exact, pool);
    EXPECT_EQ(products.gram(weights.t, Precision::full, pool), exact);
    c->design->quadratic(exact, forms, pool);
    EXPECT_TRUE(std::ranges::equal(products.quadratic(exact, Precision::full, pool), forms));
    EXPECT_FALSE(products.rounded());
  }
}

TEST(ChangingProducts, FormsOfSmallChangesKeepTheDigitsOfDouble) {
  const auto c = test::dense_case(samples, features);
  ThreadPool pool(2);
  ChangingProducts products(*c->design, little);
  Settling weights;
  Matrix w;
  std::vector<double> exact(features);
  c->design->gram(weights.t, w, pool);
  products.quadratic(w, Precision::full, pool);
  for (const double size : {3e-3, 1e-3, 1e-4, 1e-5}) {
    weights.step(size);
    c->design->gram(weights.t, w, pool);
    c->design->quadratic(w, exact, pool);
    const std::span<const double> got = products.quadratic(w, Precision::full, pool);
    EXPECT_TRUE(products.rounded());
    EXPECT_LE(distance(got, exact), 3e-9);
  }
}

TEST(ChangingProducts, AWeightThatIsNoNumberIsForgotten) {
  const auto c = test::dense_case(samples, features);
  ThreadPool pool(1);
  ChangingProducts products(*c->design, little);
  Settling weights;
  Matrix exact;
  c->design->gram(weights.t, exact, pool);
  std::vector<double> broken = weights.t;
  broken[7] = std::nan("");
  products.gram(weights.t, Precision::full, pool);
  products.gram(broken, Precision::full, pool);
  EXPECT_EQ(products.gram(weights.t, Precision::full, pool), exact);
}

}  // namespace
}  // namespace cavity
