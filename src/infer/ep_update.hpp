// One EP update as a map on the cavities; ep.cpp iterates it.
#pragma once

#include "infer/ep.hpp"

namespace cavity {

/// Which site precisions may be negative.
struct SiteSigns {
  bool negative_samples = true, negative_features = true;
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
  /// False when Lambda is not positive definite.
  bool operator()(std::span<const double> x, const SiteSigns& signs, std::span<double> next);

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
  double residual_ = 0;
};

}  // namespace cavity
