#include "prepare/whiten.hpp"
#include "prepare/make_design.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>

#include "prepare/prepare.hpp"
#include "support/tables.hpp"

namespace cavity {
namespace {

constexpr PreprocessingOptions plain{PreprocessingOptions::Choice::none, true, false};
constexpr PreprocessingOptions whitened{PreprocessingOptions::Choice::none, true, true};

Matrix to_matrix(const FeatureMatrix& m) {
  return Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
             m.values.data(), static_cast<Eigen::Index>(m.rows), static_cast<Eigen::Index>(m.cols))
      .cast<double>();
}

/// More features than samples, fewer, and more than one block of either.
class Whiten : public testing::TestWithParam<std::pair<std::size_t, std::size_t>> {
 protected:
  ThreadPool pool_{2};
};

TEST_P(Whiten, DirectionsAreUncorrelatedWithUnitVariance) {
  const auto [samples, features] = GetParam();
  const Prepared p = prepare(test::skewed_table(samples, features), whitened, pool_);
  const std::size_t directions = std::min(samples - 1, features);
  ASSERT_EQ(p.preprocessing.directions, directions);
  EXPECT_EQ(p.preprocessing.inputs(), directions);
  EXPECT_EQ(p.features.dense().cols, directions);
  const Matrix x = to_matrix(p.features.dense());
  const Matrix covariance = x.transpose() * x / static_cast<double>(samples);
  EXPECT_LT((covariance - Matrix::Identity(covariance.rows(), covariance.cols())).cwiseAbs().maxCoeff(), 1e-4);
  EXPECT_LT(x.colwise().mean().cwiseAbs().maxCoeff(), 1e-4);
}

TEST_P(Whiten, SpansTheSameRowsAsADirectDecomposition) {
  const auto [samples, features] = GetParam();
  const Prepared p = prepare(test::skewed_table(samples, features), whitened, pool_);
  Prepared raw = prepare(test::skewed_table(samples, features), plain, pool_);
  Matrix z = to_matrix(raw.features.dense());
  for (Eigen::Index l = 0; l < z.cols(); ++l) {
    const auto at = static_cast<std::size_t>(l);
    z.col(l) = (z.col(l).array() - raw.columns.centre[at]) * raw.columns.scale[at];
  }
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(z);
  const Matrix u =
      qr.householderQ() * Matrix::Identity(z.rows(), static_cast<Eigen::Index>(p.preprocessing.directions));
  const Matrix x = to_matrix(p.features.dense());
  // Signs, and directions of nearly equal length, are free; the row products are not.
  EXPECT_LT((x * x.transpose() / static_cast<double>(samples) - u * u.transpose()).cwiseAbs().maxCoeff(), 1e-4);
}

INSTANTIATE_TEST_SUITE_P(Shapes, Whiten,
                         testing::Values(std::pair{12, 40}, std::pair{60, 15}, std::pair{30, 30}, std::pair{40, 1100}),
                         [](const auto& shape) {
                           return std::to_string(shape.param.first) + "x" + std::to_string(shape.param.second);
                         });

TEST(WhitenCorners, RepeatedSamplesAndFeaturesLoseADirection) {
  ThreadPool pool(1);
  Dataset wide = test::skewed_table(10, 40);
  std::copy_n(wide.features.dense().row(0), 40, wide.features.dense().row(1));
  EXPECT_EQ(prepare(std::move(wide), whitened, pool).preprocessing.directions, 8U);
  Dataset tall = test::skewed_table(40, 10);
  for (std::size_t i = 0; i < 40; ++i) tall.features.dense().row(i)[3] = tall.features.dense().row(i)[4];
  EXPECT_EQ(prepare(std::move(tall), whitened, pool).preprocessing.directions, 9U);
}

TEST(WhitenCorners, TwoSamplesHaveOneDirection) {
  ThreadPool pool(1);
  const Prepared p = prepare(test::skewed_table(2, 9), whitened, pool);
  EXPECT_EQ(p.preprocessing.directions, 1U);
  EXPECT_NEAR(p.features.dense().values[0], -p.features.dense().values[1], 1e-5);
  EXPECT_EQ(p.notes.back(), "whitened to 1 principal direction");
}

}  // namespace
}  // namespace cavity
