// Expectation propagation: the same model without the assumption of independent features. Every sample and every
// feature has its own Gaussian site and the joint Gaussian keeps the covariance: O(samples^2 features) an update.
#pragma once

#include <optional>

#include "infer/joint_gaussian.hpp"
#include "infer/posterior.hpp"

namespace cavity {

/// The cavities at a solution: where the next, similar problem starts.
struct EpState {
  std::vector<double> linear, precision;  // a feature: h_l, A_l
  std::vector<double> mean, log_variance;  // a sample: D_mu, ln V_mu
  PruningPrior prior;
  double density = 0;
};

struct EpResult {
  Posterior posterior;
  EpState state;
};

/// Converged when the largest relative mismatch between tilted and Gaussian moments (feature means, feature variances,
/// field means) is below `tolerance`. Site precisions may be negative; when no positive definite solution is found,
/// first those of the samples, then those of the features are kept from going negative (status `restricted`).
EpResult fit_ep(const Problem& problem, const SolverOptions& options, const EpState* start, ThreadPool& pool);

}  // namespace cavity
