// Fewer features than samples: Lambda = diag(tau, p) + Y^T diag(omega) Y itself is inverted, features^2 samples/2
// multiply-adds for its lower triangle and as many for the fields' variances y_mu^T Sigma y_mu. All in double: features
// that copy each other, or negative tau, leave Lambda few digits.
#include "infer/joint_gaussian_parts.hpp"
#include "kernels/matrix_product.hpp"
#include "kernels/positive_definite.hpp"

namespace cavity {

PrimalGaussian::PrimalGaussian(const Problem& problem, ThreadPool& pool)
    : problem_(problem), pool_(pool), scale_(problem), z_(signed_covariates(problem)) {
  const auto n = static_cast<Eigen::Index>(problem.design.features());
  std::vector<std::size_t> all(problem.design.features());
  for (std::size_t l = 0; l < all.size(); ++l) all[l] = l;
  Matrix x;
  problem.design.columns(all, x);
  Matrix turned(n + z_.cols(), x.rows());
  turned.topRows(n) = (scale_.sign.asDiagonal() * x).transpose();
  turned.bottomRows(z_.cols()) = z_.transpose();
  y_ = pack_matrix(turned, tiles_, pool);
}

bool PrimalGaussian::factor(const GaussianSites& sites, GaussianMarginals& out) {
  const auto n = static_cast<Eigen::Index>(sites.tau.size()), total = n + z_.cols();
  sigma_.setZero(total, total);
  add_gram(y_, sites.omega, sigma_, pool_);
  for (Eigen::Index l = 0; l < total; ++l)
    sigma_(l, l) +=
        l < n ? sites.tau[static_cast<std::size_t>(l)] : covariate_precision(problem_, static_cast<std::size_t>(l - n));
  const auto log_determinant = invert_positive_definite(sigma_, pool_);
  if (!log_determinant) return false;
  out.log_determinant = *log_determinant;
  return true;
}

bool PrimalGaussian::solve(const GaussianSites& sites, GaussianMarginals& out) {
  if (!factor(sites, out)) return false;
  const auto n = static_cast<Eigen::Index>(sites.tau.size()), covariates = z_.cols();
  const auto eta = as_vector(sites.eta);
  const Vector scaled = scale_.sign.cwiseProduct(eta);
  right_.resize(n + covariates);
  const std::span<double> products(right_.data(), sites.tau.size());
  problem_.design.transpose_times({scaled.data(), sites.eta.size()}, products, pool_);
  right_.head(n) += as_vector(sites.nu);
  right_.tail(covariates) = z_.transpose() * eta;
  const Vector mean = sigma_ * right_;
  for (std::size_t l = 0; l < sites.tau.size(); ++l) {
    const auto i = static_cast<Eigen::Index>(l);
    out.mean[l] = mean[i];
    out.variance[l] = sigma_(i, i);
    out.cavity_precision[l] = 1 / sigma_(i, i) - sites.tau[l];
    out.cavity_linear[l] = mean[i] / sigma_(i, i) - sites.nu[l];
  }
  for (Eigen::Index j = 0; j < covariates; ++j) {
    out.covariate_mean[static_cast<std::size_t>(j)] = mean[n + j];
    out.covariate_variance[static_cast<std::size_t>(j)] = sigma_(n + j, n + j);
  }
  problem_.design.times(out.mean, out.field_mean, pool_);
  auto field = Vector::Map(out.field_mean.data(), eta.size());
  field = field.cwiseProduct(scale_.sign) + z_ * mean.tail(covariates);
  triangle_.pack(sigma_, pool_);
  column_forms(y_, triangle_, out.field_variance, pool_);
  return true;
}

// U^T Sigma U with U = (unit vectors of the features, Y^T).
void PrimalGaussian::site_covariance(SiteCovariance& out) const {
  out.first = 0;
  out.count = out.features.size();
  const auto active = static_cast<Eigen::Index>(out.count), samples = static_cast<Eigen::Index>(y_.columns);
  Matrix u = Matrix::Zero(sigma_.rows(), active + samples);
  for (Eigen::Index i = 0; i < active; ++i)
    u(static_cast<Eigen::Index>(out.features[static_cast<std::size_t>(i)]), i) = 1;
  for (Eigen::Index l = 0; l < u.rows(); ++l)
    for (Eigen::Index mu = 0; mu < samples; ++mu) u(l, active + mu) = entry(mu, l);
  Matrix product = Matrix::Zero(sigma_.rows(), u.cols());
  add_product(1, sigma_, u, product, pool_);
  out.values.setZero(u.cols(), u.cols());
  add_lower_product(1, MatrixView(u).transposed(), product, out.values, pool_);
  mirror_lower(out.values, pool_);
}

Matrix PrimalGaussian::field_covariance(std::span<const std::size_t> samples) const {
  Matrix y(sigma_.rows(), static_cast<Eigen::Index>(samples.size()));
  for (Eigen::Index l = 0; l < y.rows(); ++l)
    for (Eigen::Index i = 0; i < y.cols(); ++i)
      y(l, i) = entry(static_cast<Eigen::Index>(samples[static_cast<std::size_t>(i)]), l);
  return y.transpose() * (sigma_ * y);
}

double PrimalGaussian::entry(Eigen::Index sample, Eigen::Index row) const {
  const auto l = static_cast<std::size_t>(row);
  return y_.tile(l / kernels::tile_width, static_cast<std::size_t>(sample))[l % kernels::tile_width];
}

}  // namespace cavity
