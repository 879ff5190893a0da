#include "prepare/whiten.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "cavity/errors.hpp"
#include "design/dense_design.hpp"

namespace cavity {

namespace {

constexpr std::size_t block_features = 512, block_rows = 32;
constexpr double smallest_ratio = 1e-8;  // of eigenvalues, squared singular values

using FloatMap = Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

struct Spectrum {
  Matrix vectors;                   // a column a direction, largest first
  std::vector<double> eigenvalues;  // of Z Z^T
};

Spectrum spectrum(const Matrix& gram, std::size_t most) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(gram);
  if (solver.info() != Eigen::Success) throw InputError("whitening failed: the singular values did not converge");
  const Eigen::Index size = gram.rows();
  const double largest = solver.eigenvalues()(size - 1);
  Spectrum out;
  for (Eigen::Index k = size - 1; k >= 0 && out.eigenvalues.size() < most; --k) {
    if (solver.eigenvalues()(k) <= smallest_ratio * largest) break;
    out.eigenvalues.push_back(solver.eigenvalues()(k));
  }
  const auto directions = static_cast<Eigen::Index>(out.eigenvalues.size());
  out.vectors = solver.eigenvectors().rightCols(directions).rowwise().reverse();
  return out;
}

/// Columns [first, first + count) of rows [row, row + rows) of Z.
Matrix scaled_block(const FeatureMatrix& values, const Preprocessing& p, std::size_t row, std::size_t rows,
                    std::size_t first, std::size_t count) {
  Matrix z(rows, count);
  for (std::size_t i = 0; i < rows; ++i) {
    const float* from = values.row(row + i) + first;
    for (std::size_t j = 0; j < count; ++j)
      z(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
          (from[j] - p.centre[first + j]) * p.scale[first + j];
  }
  return z;
}

std::size_t blocks(std::size_t total, std::size_t block) { return (total + block - 1) / block; }

/// V S^-1 = Z^T U S^-2, a block of features at a time.
void project(const FeatureMatrix& values, const Matrix& scaled_vectors, Preprocessing& p, ThreadPool& pool) {
  pool.run(blocks(values.cols, block_features), [&](std::size_t block) {
    const std::size_t first = block * block_features, count = std::min(block_features, values.cols - first);
    const Matrix w = scaled_block(values, p, 0, values.rows, first, count).transpose() * scaled_vectors;
    std::transform(w.data(), w.data() + w.size(),
                   p.whitening.begin() + static_cast<std::ptrdiff_t>(first * p.directions),
                   [](double x) { return static_cast<float>(x); });
  });
}

}  // namespace

void fit_whitening(const FeatureMatrix& values, Preprocessing& p, ThreadPool& pool) {
  const std::size_t samples = values.rows, features = values.cols;
  const DenseDesign scaled(view(values), p.centre, p.scale, std::vector<double>(samples, 1.0));
  const bool wide = features >= samples;
  Matrix gram;
  if (wide) {
    scaled.gram(std::vector<double>(features, 1.0), gram, pool);
  } else {
    scaled.feature_gram(std::vector<double>(samples, 1.0), gram, pool);
  }
  Spectrum s = spectrum(gram, std::min(samples - 1, features));
  p.directions = s.eigenvalues.size();
  p.whitening.resize(features * p.directions);
  const double root = std::sqrt(static_cast<double>(samples));
  for (std::size_t k = 0; k < p.directions; ++k)
    s.vectors.col(static_cast<Eigen::Index>(k)) *= root / (wide ? s.eigenvalues[k] : std::sqrt(s.eigenvalues[k]));
  if (wide) return project(values, s.vectors, p, pool);
  std::transform(s.vectors.data(), s.vectors.data() + s.vectors.size(), p.whitening.begin(),
                 [](double x) { return static_cast<float>(x); });
}

FeatureMatrix whiten(const FeatureMatrix& values, const Preprocessing& p, ThreadPool& pool) {
  FeatureMatrix out(values.rows, p.directions);
  const auto directions = static_cast<Eigen::Index>(p.directions);
  pool.run(blocks(values.rows, block_rows), [&](std::size_t block) {
    const std::size_t row = block * block_rows, rows = std::min(block_rows, values.rows - row);
    Matrix sum = Matrix::Zero(static_cast<Eigen::Index>(rows), directions);
    for (std::size_t first = 0; first < values.cols; first += block_features) {
      const std::size_t count = std::min(block_features, values.cols - first);
      const FloatMap w(p.whitening.data() + first * p.directions, static_cast<Eigen::Index>(count), directions);
      sum.noalias() += scaled_block(values, p, row, rows, first, count) * w.cast<double>();
    }
    std::transform(sum.data(), sum.data() + sum.size(), out.row(row), [](double x) { return static_cast<float>(x); });
  });
  return out;
}

}  // namespace cavity
