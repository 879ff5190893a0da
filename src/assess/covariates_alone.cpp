#include "assess/covariates_alone.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "assess/deal_folds.hpp"
#include "base/matrix.hpp"
#include "model/normal.hpp"

namespace cavity {

namespace {

using Vector = Eigen::VectorXd;

/// Rows times their labels: y (1, z).
Matrix signed_rows(const FeatureMatrix& encoded, std::span<const std::int8_t> labels) {
  Matrix out(static_cast<Eigen::Index>(labels.size()), static_cast<Eigen::Index>(encoded.cols + 1));
  for (std::size_t i = 0; i < labels.size(); ++i) {
    out(static_cast<Eigen::Index>(i), 0) = labels[i];
    for (std::size_t j = 0; j < encoded.cols; ++j)
      out(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j + 1)) = labels[i] * encoded.row(i)[j];
  }
  return out;
}

/// d ln Phi(x)/dx; -x below what Phi can hold.
double slope_of_log(double x) { return x < -30 ? -x : std::exp(-0.5 * x * x) / (2.5066282746310002 * normal_cdf(x)); }

/// The mode without the samples of one fold; concave, so that Newton's steps with the curvature s (s + x) get there.
Vector fit_without(const Matrix& rows, std::size_t fold, std::span<const std::size_t> fold_of, Vector weights) {
  const Vector prior = Vector::Constant(rows.cols(), alone_precision);
  for (int step = 0; step < 50; ++step) {
    Vector gradient = -prior.cwiseProduct(weights);
    Matrix curvature = prior.asDiagonal();
    for (Eigen::Index i = 0; i < rows.rows(); ++i) {
      if (fold_of[static_cast<std::size_t>(i)] == fold) continue;
      const double x = rows.row(i).dot(weights), slope = slope_of_log(x);
      gradient += slope * rows.row(i).transpose();
      curvature.noalias() += slope * (slope + x) * rows.row(i).transpose() * rows.row(i);
    }
    const Vector change = curvature.llt().solve(gradient);
    weights += change / std::max(1.0, change.norm());
    if (change.norm() < 1e-8) break;
  }
  return weights;
}

}  // namespace

std::vector<double> leave_out_covariates(const FeatureMatrix& encoded, std::span<const std::int8_t> labels,
                                         const SampleGroups* groups, ThreadPool& pool) {
  const Matrix rows = signed_rows(encoded, labels);
  const std::size_t samples = labels.size(), units = groups ? groups->count() : samples;
  const std::size_t folds = std::min(units, most_parts);
  std::vector<std::size_t> fold_of(samples);
  for (std::size_t i = 0; i < samples; ++i) fold_of[i] = (groups ? groups->of[i] : i) % folds;
  const Vector all = fit_without(rows, folds, fold_of, Vector::Zero(rows.cols()));
  std::vector<double> out(samples);
  pool.run(folds, [&](std::size_t fold) {
    const Vector weights = fit_without(rows, fold, fold_of, all);
    for (std::size_t i = 0; i < samples; ++i)
      if (fold_of[i] == fold) out[i] = normal_cdf(rows.row(static_cast<Eigen::Index>(i)).dot(weights));
  });
  return out;
}

}  // namespace cavity
