// Symmetric products of packed rows and products of matrices, each against the definition, around the tiles' edges.
#include "kernels/packed_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.hpp"
#include "kernels/matrix_product.hpp"

namespace cavity {
namespace {

Matrix random_matrix(Eigen::Index rows, Eigen::Index cols) {
  Random random(static_cast<std::uint64_t>(1000 * rows + cols));
  Matrix out(rows, cols);
  for (double& x : out.reshaped()) x = random.normal();
  return out;
}

Matrix lower(const Matrix& m) { return m.triangularView<Eigen::Lower>(); }

struct Shape {
  Eigen::Index rows, cols;
};
constexpr Shape shapes[] = {{1, 1}, {1, 300}, {3, 17}, {16, 128}, {17, 129}, {40, 127}, {150, 260}, {300, 33}};

TEST(PackedRows, BothProductsEqualTheDefinitionForAnyNumberOfThreads) {
  for (const Shape& shape : shapes) {
    SCOPED_TRACE(testing::Message() << shape.rows << " x " << shape.cols);
    const Matrix z = random_matrix(shape.rows, shape.cols), w = random_matrix(shape.rows, shape.rows);
    const Matrix symmetric = w.selfadjointView<Eigen::Lower>();
    const Eigen::VectorXd t = random_matrix(shape.cols, 1);
    Matrix sums[2];
    std::vector<double> forms[2];
    for (const unsigned threads : {1U, 3U}) {
      ThreadPool pool(threads);
      AlignedVector<double> tiles(5, 7.0);  // whatever was there before
      const PackedRows<double> packed = pack_matrix(z, tiles, pool);
      Matrix& sum = sums[threads / 2];
      sum = Matrix::Ones(shape.rows, shape.rows);
      add_gram(packed, {t.data(), static_cast<std::size_t>(shape.cols)}, sum, pool);
      PackedTriangle<double> triangle;
      triangle.pack(w, pool);
      forms[threads / 2].resize(static_cast<std::size_t>(shape.cols));
      column_forms(packed, triangle, forms[threads / 2], pool);
    }
    EXPECT_EQ(sums[0], sums[1]);
    EXPECT_EQ(forms[0], forms[1]);
    const Matrix expected = z * t.asDiagonal() * z.transpose() + Matrix::Ones(shape.rows, shape.rows);
    EXPECT_LT(lower(sums[0] - expected).cwiseAbs().maxCoeff(), 1e-11);
    const Eigen::VectorXd exact = (symmetric * z).cwiseProduct(z).colwise().sum();
    EXPECT_LT((Eigen::VectorXd::Map(forms[0].data(), shape.cols) - exact).cwiseAbs().maxCoeff(), 1e-10);
  }
}

TEST(PackedRows, RowsApartGiveTheBitsOfOneMatrix) {
  ThreadPool pool(2);
  for (const Shape& shape : shapes) {
    const Eigen::Index above = shape.rows / 3, below = shape.rows - above;
    if (above == 0) continue;
    SCOPED_TRACE(testing::Message() << shape.rows << " x " << shape.cols);
    const Matrix z = random_matrix(shape.rows, shape.cols);
    const Eigen::VectorXd weight = random_matrix(shape.cols, 1);
    const std::span<const double> t(weight.data(), static_cast<std::size_t>(shape.cols));
    AlignedVector<double> tiles, known_tiles, fresh_tiles;
    Matrix sum = Matrix::Zero(shape.rows, shape.rows), cross = Matrix::Zero(below, above);
    std::vector<double> squares(static_cast<std::size_t>(below));
    add_gram(pack_matrix(z, tiles, pool), t, sum, pool);
    const PackedRows<double> fresh = pack_matrix(z.bottomRows(below), fresh_tiles, pool);
    add_cross(fresh, pack_matrix(z.topRows(above), known_tiles, pool), t, cross, pool);
    add_squares(fresh, t, squares, pool);
    EXPECT_EQ(cross, sum.bottomLeftCorner(below, above));
    for (Eigen::Index i = 0; i < below; ++i) EXPECT_EQ(squares[static_cast<std::size_t>(i)], sum(above + i, above + i));
  }
}

// Products of traces would fall below what floats hold with all their digits, at a hundred times the cost.
TEST(PackedRows, TracesAreNothingInSinglePrecision) {
  EXPECT_EQ(kernels::without_traces<float>(-1e-30), 0.0F);
  EXPECT_EQ(kernels::without_traces<float>(-1e-20), -1e-20F);
  EXPECT_EQ(kernels::without_traces<double>(-1e-30), -1e-30);
  ThreadPool pool(1);
  AlignedVector<float> tiles;
  const PackedRows<float> ones = make_room(20, 40, tiles);
  std::fill(tiles.begin(), tiles.end(), 1.0F);
  PackedTriangle<float> triangle;
  triangle.pack(Matrix::Constant(20, 20, 1e-30), pool);
  std::vector<double> forms(40, 1);
  column_forms(ones, triangle, forms, pool);
  EXPECT_EQ(forms, std::vector<double>(40, 0));
  Matrix sum = Matrix::Zero(20, 20);
  add_gram(ones, std::vector<double>(40, 1e-30), sum, pool);
  EXPECT_EQ(sum, Matrix::Zero(20, 20));
}

TEST(PackedRows, MirroringMakesTheMatrixSymmetric) {
  ThreadPool pool(2);
  for (const Eigen::Index n : {1, 31, 32, 33, 100}) {
    Matrix a = random_matrix(n, n);
    const Matrix expected = a.selfadjointView<Eigen::Lower>();
    mirror_lower(a, pool);
    EXPECT_EQ(a, expected);
  }
}

TEST(MatrixProduct, EqualsTheDefinitionOfPlainAndTransposedFactors) {
  ThreadPool pool(2);
  for (const Shape& shape : shapes) {
    const Matrix a = random_matrix(shape.rows, shape.cols), b = random_matrix(shape.cols, 37);
    Matrix out = Matrix::Ones(shape.rows, 37), square = Matrix::Ones(shape.rows, shape.rows);
    add_product(-2, a, b, out, pool);
    EXPECT_LT((out - Matrix::Ones(shape.rows, 37) + 2 * a * b).cwiseAbs().maxCoeff(), 1e-11);
    add_lower_product(3, a, MatrixView(a).transposed(), square, pool);
    const Matrix expected = Matrix::Ones(shape.rows, shape.rows) + 3 * lower(a * a.transpose());
    EXPECT_LT((square - expected).cwiseAbs().maxCoeff(), 1e-10);
  }
}

TEST(MatrixProduct, OfNoMembersIsNothing) {
  ThreadPool pool(1);
  const Matrix none(5, 0);
  Matrix out = Matrix::Ones(5, 5), empty(5, 0);
  add_lower_product(1, none, MatrixView(none).transposed(), out, pool);
  EXPECT_EQ(out, Matrix(Matrix::Ones(5, 5)));
  add_product(1, out, none, empty, pool);
  EXPECT_EQ(empty.cols(), 0);
}

}  // namespace
}  // namespace cavity
