#include "fit/left_out_fields.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <span>

#include "kernels/matrix_product.hpp"

namespace cavity {

namespace {

/// D of a field of variance V without the sample: what it is with the sample less V a(D; V). The field as it is where
/// there is none, as with sites that do not belong to the solution.
double without_own(const AnyActivation& activation, double field, double variance) {
  if (!(variance > 0)) return field;
  const auto with = [&](double d) { return d + variance * tilt(activation, d, variance).a; };
  double high = field, low = field - std::sqrt(variance);
  if (!(with(high) >= field)) return field;
  for (int k = 0; with(low) > field; ++k, low -= field - low)
    if (k == 20) return field;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    (with(middle) > field ? high : low) = middle;
  }
  return 0.5 * (low + high);
}

Matrix weighted_gram(const DenseDesign& training, const std::vector<double>& weights, ThreadPool& pool) {
  Matrix out;
  training.gram(weights, out, pool);
  return out / static_cast<double>(training.features());
}

}  // namespace

LeftOutFields::LeftOutFields(const DenseDesign& training, const Covariates& covariates, const KeptCell& cell,
                             const std::vector<double>& fields, const std::vector<std::int8_t>& labels,
                             ThreadPool& pool)
    : feature_variance_(cell.feature_variance), fields_(fields) {
  Matrix k = weighted_gram(training, feature_variance_, pool);
  k.noalias() += covariates.values * covariates.values.transpose() / cell.covariate_precision;
  const auto m = k.rows();
  reach_ = Matrix::Identity(m, m);
  if (!cell.sample_precision.empty()) {
    const Eigen::Map<const Eigen::VectorXd> omega(cell.sample_precision.data(), m);
    reach_ += omega.asDiagonal() * k;
    reach_ = reach_.partialPivLu().inverse().eval();
  }
  for (Eigen::Index i = 0; i < m; ++i) {
    const auto mu = static_cast<std::size_t>(i);
    const double b = k.row(i).dot(reach_.col(i)), y = labels[mu];
    const double omega = cell.sample_precision.empty() ? 0 : cell.sample_precision[mu];
    fields_[mu] = y * without_own(cell.activation, y * fields[mu], b / (1 - omega * b));
    reach_.col(i) *= b > 0 ? (fields[mu] - fields_[mu]) / b : 0;
  }
}

Matrix LeftOutFields::falls(const DenseDesign& training, const std::vector<std::size_t>& features,
                            ThreadPool& pool) const {
  constexpr std::size_t panel = 1024;  // features
  const Eigen::Index m = reach_.rows();
  Matrix part = Matrix::Zero(m, m), columns, weighted;
  for (std::size_t first = 0; first < features.size(); first += panel) {
    const auto some = std::span(features).subspan(first, std::min(panel, features.size() - first));
    training.columns(some, columns);
    Eigen::RowVectorXd weight(columns.cols());
    for (std::size_t j = 0; j < some.size(); ++j)
      weight[static_cast<Eigen::Index>(j)] = feature_variance_[some[j]] / static_cast<double>(training.features());
    weighted = columns.array().rowwise() * weight.array();
    add_lower_product(1, weighted, MatrixView(columns).transposed(), part, pool);
  }
  part.triangularView<Eigen::StrictlyUpper>() = part.transpose();
  Matrix out = Matrix::Zero(m, m);
  add_product(1, part, reach_, out, pool);
  return out;
}

}  // namespace cavity
