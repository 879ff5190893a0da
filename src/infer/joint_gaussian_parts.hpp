// The two forms of the joint Gaussian and what they share; see joint_gaussian.hpp.
#pragma once

#include <cmath>

#include "infer/joint_gaussian.hpp"

namespace cavity {

using Vector = Eigen::VectorXd;

inline Eigen::Map<const Vector> as_vector(std::span<const double> v) {
  return {v.data(), static_cast<Eigen::Index>(v.size())};
}

/// diag(y)/sqrt(N) applied from the left: the design's products become products with Y.
struct FieldScale {
  Vector sign;  // y_mu/sqrt(N)
  explicit FieldScale(const Problem& problem);
};

/// diag(y) Z: the covariate columns of Y.
Matrix signed_covariates(const Problem& problem);

/// The dual form, samples x samples. A feature precision below
/// `split_precision` is split: that much stays in the diagonal base, the (negative) rest joins the negative sample
/// sites in a small factor that must stay positive definite. Kept after solving for predictions: variance of a new
/// field in the same form.
class DualGaussian {
 public:
  DualGaussian(const Problem& problem, const GaussianSites& sites, ThreadPool& pool);
  bool factor();
  void marginals(GaussianMarginals& out);
  void site_covariance(SiteCovariance& out) const;

  /// Variance of the field x/sqrt(N) . beta + z . gamma, from k = Y T (x/sqrt(N); z): see predictive_variance.cpp.
  const Matrix& dual_weights() const { return w_; }
  const Matrix& correction() const { return c_; }
  const std::vector<double>& base_variance() const { return t_; }
  const std::vector<std::size_t>& split_features() const { return split_; }  // all of them: new fields have one process
  Matrix split_rows() const;                                                 // a row a split feature

 private:
  void choose_members();
  bool factor_negative();
  Vector base_field_variance() const;
  void refine(const Matrix& dual, std::span<double> q) const;

  const Problem& problem_;
  const GaussianSites& sites_;
  ThreadPool& pool_;
  FieldScale scale_;
  Matrix z_;                                               // diag(y) Z
  std::vector<double> t_;                                  // 1/tau_base
  std::vector<std::size_t> split_;                         // features of this process with tau below the floor
  std::size_t first_split_ = 0;                            // where they stand among those of all processes
  std::vector<double> split_base_, split_tau_, split_nu_;  // of all processes: 1/tau_base, tau, nu
  std::vector<Eigen::Index> negative_;                     // samples with omega < 0
  Matrix k_;                                               // Y T Y^T
  Matrix w_;        // O^(1/2) (I + O^(1/2) K O^(1/2))^-1 O^(1/2), O = max(omega, 0)
  Matrix columns_;  // Y at the split features of all processes
  Matrix f_;        // Y T u of the members of the negative part: samples, then split features
  Matrix wf_;
  Matrix solve_;  // L2^-1 sqrt(d): P = solve^T solve
  Matrix c_;      // (E - W F) solve^T
  double log_determinant_ = 0;
};

/// The primal form, (features + covariates)^2.
bool primal_gaussian(const Problem& problem, const GaussianSites& sites, GaussianMarginals& out,
                     SiteCovariance* covariance);

}  // namespace cavity
