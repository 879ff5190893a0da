// One EP update as a map on the cavities; ep.cpp iterates it.
#pragma once

#include "infer/ep.hpp"
#include "infer/ep_newton.hpp"

namespace cavity {

/// Which site precisions may be negative.
struct SiteSigns {
  bool negative_samples = true, negative_features = true;
};

/// How a feature's site answers its cavity and the odds, and its inclusion the cavity.
struct FeatureResponse {
  SiteResponse by_cavity;
  double precision_by_odds, linear_by_odds, inclusion_by_first, inclusion_by_second;
};

class EpUpdate {
 public:
  EpUpdate(const Problem& problem, ThreadPool& pool, Precision precision = Precision::full);

  /// x = (h, A, D, ln V) of length 2 (features + samples).
  std::size_t length() const { return 2 * (n_ + m_); }
  std::vector<double> pack(const EpState& state) const;
  EpState unpack(std::span<const double> x) const;

  /// The cavities of the prior alone, with weak sample sites: where a cold start begins. False: not positive definite.
  bool cold_start(std::span<double> x);

  /// Tilts every site at the cavities x, solves the joint Gaussian and writes the cavities it implies to `next`.
  /// False when Lambda is not positive definite. With `for_newton`, what newton_direction needs is kept.
  bool operator()(std::span<const double> x, const SiteSigns& signs, std::span<double> next, bool for_newton = false);

  /// Whether Newton's system, O((active + samples)^3), is affordable here.
  bool newton_possible() const;
  /// After an update with `for_newton`: the step dx for f = next - x; plain f for features outside the active set.
  /// False when the system is singular.
  bool newton_direction(std::span<const double> f, std::span<double> dx) const;

  /// Of the last successful update.
  double residual() const { return residual_; }
  void coordinate_weights(std::span<double> out) const;
  std::span<const double> mean() const { return gaussian_.mean; }
  Posterior posterior() const;

  PruningPrior prior;
  const std::vector<bool>* left_out = nullptr;  // EpStart

 private:
  void tilt_features(std::span<const double> x, const SiteSigns& signs);
  void tilt_samples(std::span<const double> x, const SiteSigns& signs);
  void write_cavities(std::span<double> next) const;
  void measure_residual(const SiteSigns& signs);
  double log_partition() const;
  double density_correction() const;
  void leave_groups_out(const SampleGroups& groups, Posterior& out) const;
  void choose_active();
  FeatureResponse feature_response(std::size_t l) const;
  void add_features(std::span<const double> f, NewtonSystem& system, std::vector<double>& reduced) const;
  SiteResponse sample_response(std::size_t mu) const;

  const Problem& problem_;
  std::size_t n_, m_;
  JointGaussian joint_;
  GaussianSites sites_;
  GaussianMarginals gaussian_;
  std::vector<double> inclusion_, mean_, variance_;            // tilted, a feature
  std::vector<double> bounded_;                                // A_l kept in its domain
  std::vector<double> field_, cavity_mean_, cavity_variance_;  // tilted field mean; cavities the tilt was taken at
  std::vector<double> cavity_linear_;
  std::vector<Tilt> tilts_;
  SiteCovariance active_;
  double residual_ = 0;
};

}  // namespace cavity
