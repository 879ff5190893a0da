#include "kernels/positive_definite.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "base/random.hpp"

namespace cavity {
namespace {

Matrix random_positive_definite(Eigen::Index n, double shift) {
  Random random(static_cast<std::uint64_t>(n));
  Matrix x(n, n + 3);
  for (Eigen::Index i = 0; i < x.size(); ++i) x.data()[i] = random.normal();
  return x * x.transpose() / static_cast<double>(n) + shift * Matrix::Identity(n, n);
}

TEST(PositiveDefinite, InverseAndDeterminantOfAnySize) {
  ThreadPool pool(1);
  for (const Eigen::Index n : {1, 2, 15, 16, 17, 63, 64, 65, 128, 200, 333}) {
    const Matrix a = random_positive_definite(n, 0.1);
    Matrix inverse = a;
    const auto log_determinant = invert_positive_definite(inverse, pool);
    ASSERT_TRUE(log_determinant.has_value()) << n;
    EXPECT_LT((a * inverse - Matrix::Identity(n, n)).cwiseAbs().maxCoeff(), 1e-10) << n;
    EXPECT_EQ(inverse, inverse.transpose()) << n;
    const Matrix lower = a.llt().matrixL();
    EXPECT_NEAR(*log_determinant, 2 * lower.diagonal().array().log().sum(), 1e-9 * static_cast<double>(n));
  }
}

TEST(PositiveDefinite, ReadsTheLowerTriangleOnly) {
  ThreadPool pool(1);
  Matrix a = random_positive_definite(70, 0.1), b = a;
  b.triangularView<Eigen::StrictlyUpper>().setConstant(std::numeric_limits<double>::quiet_NaN());
  ASSERT_TRUE(invert_positive_definite(a, pool) && invert_positive_definite(b, pool));
  EXPECT_EQ(a, b);
}

TEST(PositiveDefinite, RefusesTheRestAndLeavesItAlone) {
  ThreadPool pool(2);
  for (const Eigen::Index bad : {0, 69, 129}) {
    Matrix a = random_positive_definite(130, 0.1);
    a(bad, bad) = -1;
    const Matrix before = a;
    EXPECT_FALSE(invert_positive_definite(a, pool).has_value());
    EXPECT_EQ(a, before);
  }
  Matrix nan = Matrix::Constant(5, 5, std::numeric_limits<double>::quiet_NaN());
  EXPECT_FALSE(invert_positive_definite(nan, pool).has_value());
}

TEST(PositiveDefinite, ThreadsChangeNoBit) {
  Matrix one = random_positive_definite(300, 0.1), four = one;
  ThreadPool alone(1), pool(4);
  EXPECT_EQ(*invert_positive_definite(one, alone), *invert_positive_definite(four, pool));
  EXPECT_EQ(one, four);
}

}  // namespace
}  // namespace cavity
