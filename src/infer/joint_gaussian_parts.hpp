// The two forms of the joint Gaussian and what they share; see joint_gaussian.hpp.
#pragma once

#include <cmath>

#include "design/changing_products.hpp"
#include "infer/joint_gaussian.hpp"
#include "kernels/packed_rows.hpp"

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

/// O of a sample whose omega is zero or negative, in units of 1/field^2: it adds nothing, and its row of W keeps its
/// digits.
inline constexpr double next_to_nothing = 1e-30;
/// O K below which a field's variance 1/O - W/O^2 loses its digits and is taken as K . W/O.
inline constexpr double field_cancels = 1e-4;

/// The features' base variances 1/tau_base, and the members of the negative part: samples, then split features.
struct NegativePart {
  std::vector<double> t;
  std::vector<Eigen::Index> negative;                   // samples with omega < 0
  std::vector<std::size_t> split;                       // features of this process with tau below the floor
  std::size_t first_split = 0;                          // where they stand among those of all processes
  std::vector<double> split_base, split_tau, split_nu;  // of all processes: 1/tau_base, tau, nu
  double log_determinant = 0;                           // of diag(tau_base), over all processes
};
NegativePart choose_members(const GaussianSites& sites, const Shards& shards);

/// From s_l = y_l^T u and q_l, what the other sites say of a feature: marginals and cavities.
struct FeatureProducts {
  std::span<const double> s, q;
};
void write_features(const GaussianSites& sites, std::span<const double> t, const FeatureProducts& products,
                    GaussianMarginals& out);

/// The dual form, samples x samples. A feature precision below
/// `split_precision` is split: that much stays in the diagonal base, the (negative) rest joins the negative sample
/// sites in a small factor that must stay positive definite. Kept after solving for predictions: variance of a new
/// field in the same form.
class DualGaussian final : public GaussianForm {
 public:
  DualGaussian(const Problem& problem, ThreadPool& pool, Precision precision);
  bool factor(const GaussianSites& sites);
  bool solve(const GaussianSites& sites, GaussianMarginals& out) override;
  void site_covariance(SiteCovariance& out) const override;
  Matrix field_covariance(std::span<const std::size_t> samples) const override;

  /// Variance of the field x/sqrt(N) . beta + z . gamma, from k = Y T (x/sqrt(N); z): see predictive_variance.cpp.
  const Matrix& dual_weights() const { return w_; }
  const Matrix& correction() const { return c_; }
  const std::vector<double>& base_variance() const { return members_.t; }
  const std::vector<std::size_t>& split_features() const {
    return members_.split;
  }                           // all of them: new fields have one process
  Matrix split_rows() const;  // a row a split feature

 private:
  void marginals(GaussianMarginals& out);
  void multiply_split();
  Matrix member_covariance() const;
  bool factor_negative();
  Vector mean_dual(GaussianMarginals& out, Vector& members) const;
  void field_variances(std::span<double> out) const;
  std::vector<double> forms();
  void refine(std::span<double> q) const;
  double base_covariance(Eigen::Index i, Eigen::Index j) const;

  const Problem& problem_;
  ThreadPool& pool_;
  Precision precision_;
  ChangingProducts products_;
  FieldScale scale_;
  Matrix z_;             // diag(y) Z
  GaussianSites sites_;  // last factored
  NegativePart members_;
  Vector positive_;            // O: max(omega, next to nothing)
  Matrix k_;                   // Y T Y^T
  Matrix w_;                   // O^(1/2) (I + O^(1/2) K O^(1/2))^-1 O^(1/2)
  Matrix columns_;             // Y at the split features of all processes
  Matrix split_f_, split_wf_;  // F and W F of the split features
  Matrix covariance_;          // U^T Sigma_b U of the members of the negative part: samples, then split features
  Matrix solve_;               // L2^-1 sqrt(d): P = solve^T solve
  Matrix c_;                   // (E - W F) solve^T
  Matrix dual_;                // W - c c^T, lower triangle
  double log_determinant_ = 0;
};

/// The primal form, (features + covariates)^2.
class PrimalGaussian final : public GaussianForm {
 public:
  PrimalGaussian(const Problem& problem, ThreadPool& pool);
  bool solve(const GaussianSites& sites, GaussianMarginals& out) override;
  void site_covariance(SiteCovariance& out) const override;
  Matrix field_covariance(std::span<const std::size_t> samples) const override;

 private:
  bool factor(const GaussianSites& sites, GaussianMarginals& out);
  double entry(Eigen::Index sample, Eigen::Index row) const;  // of Y^T

  const Problem& problem_;
  ThreadPool& pool_;
  FieldScale scale_;
  Matrix z_;  // diag(y) Z
  AlignedVector<double> tiles_;
  PackedRows<double> y_;  // Y^T: a row a feature or covariate, a column a sample
  PackedTriangle<double> triangle_;
  Matrix sigma_;
  Vector right_;
};

}  // namespace cavity
