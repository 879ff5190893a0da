#include "infer/anderson.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"
#include "kernels/anderson_kernels.hpp"

namespace cavity {
namespace {

std::vector<double> normal_values(std::size_t count, Random& random) {
  std::vector<double> out(count);
  for (double& x : out) x = random.normal();
  return out;
}

TEST(AndersonKernels, ProductsAreSums) {
  Random random(1);
  for (const std::size_t length : {1U, 7U, 64U, 1030U, 2053U}) {
    const std::vector<double> weight = normal_values(length, random);
    std::vector<std::vector<double>> v;
    std::vector<const double*> vectors;
    for (std::size_t i = 0; i < 6; ++i) v.push_back(normal_values(length, random));
    for (const auto& one : v) vectors.push_back(one.data());
    std::vector<double> out(36);
    kernels::weighted_products(vectors, weight, out.data());
    for (std::size_t i = 0; i < 6; ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        double sum = 0;
        for (std::size_t l = 0; l < length; ++l) sum += weight[l] * weight[l] * v[i][l] * v[j][l];
        EXPECT_NEAR(out[i * 6 + j], sum, 1e-12 * static_cast<double>(length)) << length;
      }
  }
}

// Processes that share the samples but not the features must step alike.
TEST(AndersonKernels, ACoordinateIsRoundedAlikeWhereverItStands) {
  Random random(2);
  constexpr std::size_t length = 61;
  std::vector<std::vector<double>> v;
  for (std::size_t i = 0; i < 5; ++i) v.push_back(normal_values(length, random));
  const std::vector<double> factor = normal_values(5, random);
  const auto from = [&](std::size_t first) {
    std::vector<const double*> vectors;
    for (const auto& one : v) vectors.push_back(one.data() + first);
    std::vector<double> out(length - first, 0.1);
    kernels::add_scaled(vectors, factor, out);
    return out;
  };
  const std::vector<double> whole = from(0);
  for (std::size_t first = 1; first < length; ++first) {
    const std::vector<double> part = from(first);
    for (std::size_t l = first; l < length; ++l) ASSERT_EQ(part[l - first], whole[l]) << first;
  }
}

/// x <- A x + b with the largest eigenvalue 0.99: a linear problem of a few dimensions is solved in about as many
/// steps.
int steps_to_solve(Anderson& anderson, std::vector<double> x, double shift) {
  const std::vector<double> eigenvalue{0.6, 0.4, -0.8, 0.3, 0.1}, weight(x.size(), 1);
  std::vector<double> f(x.size()), step(x.size());
  for (int steps = 0; steps < 1000; ++steps) {
    double residual = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      f[i] = eigenvalue[i] * x[i] + shift - x[i];
      residual += f[i] * f[i];
    }
    if (std::sqrt(residual) < 1e-9) return steps;
    anderson.step(x, f, weight, 1, true, step);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += step[i];
  }
  return 1000;
}

TEST(Anderson, GoesOnFromTheHistoryOfASimilarProblem) {
  const std::vector<double> start(5, 1.0);
  ThreadPool pool(2);
  Anderson first(20, pool);
  const int cold = steps_to_solve(first, start, 1.0);
  EXPECT_LT(cold, 20);
  Anderson second(20, pool);
  second.resume(first.recent(6));
  EXPECT_LT(steps_to_solve(second, start, 1.1), cold);
  EXPECT_EQ(first.recent(2).size(), 2U);
  EXPECT_TRUE(Anderson(20, pool).recent(6).empty());
}

}  // namespace
}  // namespace cavity
