// Fewer features than samples: factor Lambda = diag(tau, p) + Y^T diag(omega) Y itself, O(features^2 samples).
#include <Eigen/Cholesky>

#include "infer/joint_gaussian_parts.hpp"

namespace cavity {

namespace {

// Y as a dense matrix: affordable here, since features < samples and both products with Sigma need it.
Matrix signed_design(const Problem& problem) {
  const auto n = static_cast<Eigen::Index>(problem.design.features());
  std::vector<std::size_t> all(problem.design.features());
  for (std::size_t l = 0; l < all.size(); ++l) all[l] = l;
  Matrix x;
  problem.design.columns(all, x);
  const Matrix z = signed_covariates(problem);
  Matrix y(x.rows(), n + z.cols());
  y << FieldScale(problem).sign.asDiagonal() * x, z;
  return y;
}

}  // namespace

bool primal_gaussian(const Problem& problem, const GaussianSites& sites, GaussianMarginals& out,
                     SiteCovariance* covariance) {
  const auto n = static_cast<Eigen::Index>(problem.design.features());
  const Matrix y = signed_design(problem);
  const Eigen::Index total = y.cols();
  Matrix lambda = y.transpose() * as_vector(sites.omega).asDiagonal() * y;
  for (Eigen::Index l = 0; l < total; ++l)
    lambda(l, l) +=
        l < n ? sites.tau[static_cast<std::size_t>(l)] : covariate_precision(problem, static_cast<std::size_t>(l - n));
  const Eigen::LLT<Matrix> llt(lambda);
  if (llt.info() != Eigen::Success) return false;
  const Matrix sigma = llt.solve(Matrix::Identity(total, total));
  Vector r = y.transpose() * as_vector(sites.eta);
  r.head(n) += as_vector(sites.nu);
  const Vector mean = sigma * r;
  Vector::Map(out.field_mean.data(), y.rows()) = y * mean;
  Vector::Map(out.field_variance.data(), y.rows()) = (y * sigma).cwiseProduct(y).rowwise().sum();
  for (Eigen::Index l = 0; l < n; ++l) {
    const auto i = static_cast<std::size_t>(l);
    out.mean[i] = mean[l];
    out.variance[i] = sigma(l, l);
    out.cavity_precision[i] = 1 / sigma(l, l) - sites.tau[i];
    out.cavity_linear[i] = mean[l] / sigma(l, l) - sites.nu[i];
  }
  for (Eigen::Index j = n; j < total; ++j) {
    out.covariate_mean[static_cast<std::size_t>(j - n)] = mean[j];
    out.covariate_variance[static_cast<std::size_t>(j - n)] = sigma(j, j);
  }
  if (covariance) {
    covariance->first = 0;
    covariance->count = covariance->features.size();
    const std::vector<Eigen::Index> active(covariance->features.begin(), covariance->features.end());
    Matrix u(total, static_cast<Eigen::Index>(active.size()) + y.rows());
    u << Matrix::Identity(total, total)(Eigen::all, active), y.transpose();
    covariance->values.noalias() = u.transpose() * (sigma * u);
  }
  out.log_determinant = 2 * llt.matrixLLT().diagonal().array().log().sum();
  return true;
}

}  // namespace cavity
