// The dual form of EP's joint Gaussian (infer/dual_gaussian.cpp has the formulas) on the device. What differs: W is
// kept as R^T R, R = L^-1 O^(1/2) with S = L L^T, so that quadratic forms are squared lengths, half the work of W y_l:
//   q_l = |R y_l|^2 - |c^T y_l|^2.
// With M = (R e_mu/O_mu of the negative samples, -R F of the split features), E - W F = R^T M and the members'
// covariance is diag(1/O, T) - M^T M; a negative sample's own variance cancels there and is K_mu . W_mu/O_mu.
#pragma once

#include <memory>

#include "cuda/device_values.hpp"
#include "infer/joint_gaussian_parts.hpp"

namespace cavity::cuda {

class DeviceGaussian final : public GaussianForm {
 public:
  /// All must outlive this.
  DeviceGaussian(const Device& device, const DeviceValues& values, const Problem& problem, ThreadPool& pool);

  bool solve(const GaussianSites& sites, GaussianMarginals& out) override;
  /// On the processor, by its own form: Newton's system, which asks for it, is solved there and small.
  void site_covariance(SiteCovariance& out) const override;
  Matrix field_covariance(std::span<const std::size_t> samples) const override;

 private:
  bool factor();
  void multiply_members();
  bool factor_members();
  std::vector<double> own_variances() const;
  DeviceArray<double> weights_of(const std::vector<int>& samples) const;
  DeviceArray<double> times_weights(const double* vector) const;
  struct Means;
  Means means(GaussianMarginals& out) const;
  void field_variances(GaussianMarginals& out) const;
  void covariates(const Means& means, GaussianMarginals& out) const;
  std::vector<double> forms() const;
  void add_split(const Means& means, std::vector<double>& s, std::vector<double>& q) const;
  std::vector<double> member_roots() const;
  int member_count() const { return static_cast<int>(part_.negative.size() + part_.split.size()); }

  const Device& device_;
  const DeviceValues& values_;
  const Problem& problem_;
  ThreadPool& pool_;
  const int n_;  // samples
  FieldScale scale_;
  Matrix z_;  // diag(y) Z
  DeviceArray<double> sign_;

  GaussianSites sites_;
  NegativePart part_;
  std::vector<double> positive_, k_diagonal_, own_;  // O; of K; of K - K W K
  DeviceArray<double> t_, root_t_, k_, r_;
  DeviceArray<double> f_, m_, share_, covariance_, solve_, c_, cross_;  // cross: covariance solve^T
  double log_determinant_ = 0;
};

}  // namespace cavity::cuda
