// Gibbs sampling of the exact posterior at a given prior: the ground truth for EP and AMP on problems small enough for
// it, O(samples x features) a sweep. One draw classifies as the paper's Gibbs learning does.
// EP and AMP solve for the prior (G, lambda) that makes the mean inclusion equal the density; the sampler is given it.
// Mixing: the step activation needs no augmentation and mixes well down to small noise; at noise 0 and with many more
// samples than features the version space is thin and chains move slowly. Probit and logistic are augmented and mix
// slowly when `noise` is small against the fields. Trust the diagnostics.
#pragma once

#include <optional>

#include "infer/posterior.hpp"
#include "infer/problem.hpp"

namespace cavity {

/// One kept draw. Spans are valid during the call only.
struct GibbsDraw {
  int chain, number;
  std::span<const double> weights;  // beta_l = c_l w_l; 0 exactly when pruned
  std::span<const double> covariate_weights;
  std::span<const double> fields;  // x_mu . beta/sqrt(N) + z_mu . gamma, without the label
};
/// Called in order within a chain, but for several chains at once: keep what you sum apart by chain.
using DrawObserver = std::function<void(const GibbsDraw&)>;

struct GibbsOptions {
  int chains = 4;
  int warm_up = 1000;  // sweeps left out at the start of each chain
  int draws = 4000;    // kept a chain; rounded up to a multiple of 32
  int thinning = 1;    // sweeps a kept draw
  std::uint64_t seed = 1;
  std::optional<PruningPrior> prior;  // empty: the uninformed prior of the problem's density, G = 1, lambda = logit C
  double likelihood_power = 1;        // samples prior x likelihood^power; other than 1 for the step activation only
  double r_hat_limit = 1.05;
  DrawObserver observer;             // may be empty
  std::function<void()> each_sweep;  // may be empty; an exception from it ends the sampling
};

/// Over the inclusion probabilities and weights of all features, the covariate weights and the log likelihood.
struct GibbsDiagnostics {
  double max_r_hat = 0;                                           // split R-hat
  double min_effective_draws = 0;                                 // by batch means, of all chains together
  double mean_log_likelihood = 0, mean_log_likelihood_error = 0;  // E[sum_mu ln f] and its standard error
  std::vector<double> inclusion_error;                            // a feature: standard error of its inclusion
  std::vector<double> loo_effective_draws;                        // a sample: (sum 1/f)^2 / sum 1/f^2, of all draws
};

struct GibbsResult {
  Posterior posterior;
  GibbsDiagnostics diagnostics;
};

/// Status: converged when max split R-hat is below the limit (and, at noise 0, no kept draw misclassifies), otherwise
/// stalled; `residual` is max R-hat - 1. Leave-one-out by importance weights, -ln mean(1/f); NaN at noise 0, where the
/// posterior of the rest cannot be reached that way. Cavity means and variances and log_evidence are NaN.
/// The same numbers for any number of threads. UsageError when samples x features is above 2 x 10^7.
GibbsResult fit_gibbs(const Problem& problem, const GibbsOptions& options, ThreadPool& pool);

}  // namespace cavity
