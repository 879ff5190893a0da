#include "fit/absent_features.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "cavity/errors.hpp"
#include "design/rows_at.hpp"
#include "kernels/matrix_product.hpp"
#include "kernels/positive_definite.hpp"

namespace cavity {

namespace {

constexpr std::size_t panel = 1024;  // features
constexpr std::size_t batch = 256;   // new samples
// In units of the gram matrix's mean diagonal.
constexpr double penalties[] = {1e-3, 1e-2, 0.1, 1, 10, 100, 10000}, level = 100;

Matrix left_out_by(const Matrix& inverse, const Matrix& values, ThreadPool& pool) {
  Matrix out = Matrix::Zero(values.rows(), values.cols());
  add_product(1, inverse, values, out, pool);
  return inverse.diagonal().cwiseInverse().asDiagonal() * out;
}

Matrix targets_left_out(const Matrix& inverse, const AbsentRegression::Targets& targets, ThreadPool& pool) {
  Matrix out = left_out_by(inverse, targets.values, pool);
  for (std::size_t k = 0; k < targets.falls.size(); ++k) {
    if (targets.falls[k].size() == 0) continue;
    const Matrix& falls = targets.falls[k];
    for (Eigen::Index mu = 0; mu < out.rows(); ++mu)
      out(mu, static_cast<Eigen::Index>(k)) -= inverse.col(mu).dot(falls.col(mu)) / inverse(mu, mu);
  }
  return out;
}

double weighed_squares(const Matrix& missed, const std::vector<double>& weight) {
  double sum = 0;
  for (Eigen::Index k = 0; k < missed.cols(); ++k)
    sum += weight[static_cast<std::size_t>(k)] * missed.col(k).squaredNorm() / static_cast<double>(missed.rows());
  return sum;
}

}  // namespace

Matrix products_over(const Design& rows, const Design& others, std::span<const std::size_t> features,
                     ThreadPool& pool) {
  const bool same = &rows == &others;
  Matrix out = Matrix::Zero(static_cast<Eigen::Index>(rows.samples()), static_cast<Eigen::Index>(others.samples()));
  Matrix left, right;
  for (std::size_t first = 0; first < features.size(); first += panel) {
    const auto part = features.subspan(first, std::min(panel, features.size() - first));
    rows.columns(part, left);
    if (!same) others.columns(part, right);
    const Matrix& other = same ? left : right;
    if (same)
      add_lower_product(1, left, MatrixView(other).transposed(), out, pool);
    else
      add_product(1, left, MatrixView(other).transposed(), out, pool);
  }
  if (same) out.triangularView<Eigen::StrictlyUpper>() = out.transpose();
  return out;
}

AbsentRegression::AbsentRegression(const Matrix& gram, const Targets& targets, ThreadPool& pool)
    : missed_(std::numeric_limits<double>::infinity()) {
  if (const double trace = gram.trace(); trace > 0) size_ = trace / static_cast<double>(gram.rows());
  for (const double penalty : penalties) {
    Matrix inverse = gram / size_;
    inverse.array() += level;
    inverse.diagonal().array() += penalty;
    if (!invert_positive_definite(inverse, pool)) continue;
    const double missed = weighed_squares(targets_left_out(inverse, targets, pool), targets.weight);
    if (!(missed < missed_)) continue;
    missed_ = missed;
    inverse_ = std::move(inverse);
  }
  if (inverse_.size() == 0) throw InputError("the model's training rows overflow: the file is damaged; fit again");
}

Matrix AbsentRegression::combination(const Matrix& products, ThreadPool& pool) const {
  Matrix out = Matrix::Zero(products.rows(), inverse_.cols());
  const Matrix with_level = products.array() / size_ + level;
  add_product(1, with_level, inverse_, out, pool);
  return out;
}

/// The features that are there weighed by 1 and the others by 0, or copied where that costs less than the others do.
Matrix AbsentRegression::combinations(const DenseDesign& training, const DenseDesign& fresh,
                                      std::span<const std::size_t> there, ThreadPool& pool) const {
  const std::size_t features = training.features();
  const bool copied = fresh.samples() * (features - there.size()) > training.samples() * features;
  std::optional<RowsAt> known;
  if (copied) known.emplace(training, RowRange{0, training.samples()}, there, true);
  std::vector<double> weight(copied ? there.size() : features, copied ? 1 : 0);
  for (std::size_t j = 0; !copied && j < there.size(); ++j) weight[there[j]] = 1;
  Matrix out(static_cast<Eigen::Index>(fresh.samples()), static_cast<Eigen::Index>(training.samples())), products;
  for (std::size_t first = 0; first < fresh.samples(); first += batch) {
    const RowRange rows{first, std::min(batch, fresh.samples() - first)};
    if (copied)
      known->design().gram_beside(RowsAt(fresh, rows, there, false).design(), weight, products, {}, pool);
    else
      training.gram_beside(rows_of(fresh, rows), weight, products, {}, pool);
    out.middleRows(static_cast<Eigen::Index>(first), products.rows()) = combination(products, pool);
  }
  return out;
}

Matrix AbsentRegression::left_out(const Targets& targets, ThreadPool& pool) const {
  return targets_left_out(inverse_, targets, pool);
}

Matrix AbsentRegression::left_out(const Matrix& values, ThreadPool& pool) const {
  return left_out_by(inverse_, values, pool);
}

Matrix AbsentRegression::left_out(const Matrix& values, std::span<const Eigen::Index> samples, ThreadPool& pool) const {
  Matrix rows(static_cast<Eigen::Index>(samples.size()), inverse_.cols());
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    const Eigen::Index mu = samples[static_cast<std::size_t>(i)];
    rows.row(i) = inverse_.row(mu) / inverse_(mu, mu);
  }
  Matrix out = Matrix::Zero(rows.rows(), values.cols());
  add_product(1, rows, values, out, pool);
  return out;
}

double AbsentRegression::operations(std::size_t samples) {
  const auto m = static_cast<double>(samples);
  return static_cast<double>(std::size(penalties)) * m * m * m;
}

}  // namespace cavity
