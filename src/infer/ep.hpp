// Expectation propagation: the same model without the assumption of independent features. Every sample and every
// feature has its own Gaussian site and the joint Gaussian keeps the covariance: O(samples^2 features) an update.
#pragma once

#include "infer/anderson.hpp"
#include "infer/joint_gaussian.hpp"
#include "infer/posterior.hpp"
#include "infer/problem.hpp"
#include "infer/solver_options.hpp"

namespace cavity {

/// The cavities next to a solution, a step further on: where the next, similar problem starts.
struct EpState {
  std::vector<double> linear, precision;   // a feature: h_l, A_l
  std::vector<double> mean, log_variance;  // a sample: D_mu, ln V_mu
  PruningPrior prior;
  double density = 0;
  AndersonHistory history{};  // of the iteration that led here; may be empty
};

/// The same cavities in the units of another density: beta ~ sqrt(C), so fields scale with it and messages against it.
EpState rescaled(const EpState& state, double density);

struct EpResult {
  Posterior posterior;
  EpState state;
};

/// Which site precisions may be negative. They all may in EP proper; a restricted fit is an approximation that is tried
/// when there is no other answer (status `restricted`).
enum class EpSites { free, positive_samples, positive };

struct EpStart {
  const EpState* state = nullptr;  // cavities of a similar problem; none: a cold start
  bool newton = false;             // precondition by Newton's step: for sparse problems, O((active + samples)^3) each
  EpSites sites = EpSites::free;
  /// Samples that take no part: their cavities are then what the others say of them. Not with Newton's step. None: all
  /// take part.
  const std::vector<bool>* left_out = nullptr;
};

/// Converged when the largest relative mismatch between tilted and Gaussian moments (feature means, feature variances,
/// field means) is below `tolerance`.
EpResult fit_ep(const Problem& problem, const SolverOptions& options, const EpStart& start, ThreadPool& pool);

}  // namespace cavity
