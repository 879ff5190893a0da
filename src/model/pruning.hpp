// The pruning prior: weight of (w, c) proportional to exp(-(1 - c + G c) w^2/2 + lambda c), i.e. spike and slab.
// Given a Gaussian message on a feature's weight with precision A_l and linear term h_l, and B_l = G + A_l:
//   inclusion  P = sigma(lambda - (1/2) ln B + h^2/(2B))
//   mean       m = P h/B,   second moment  s = P (1/B + h^2/B^2),   variance = P/B + P(1-P) (h/B)^2 = dm/dh
// The pruning conditions mean P = C and mean s = C (C the density) are the stationarity of the jointly convex
//   Psi(G, lambda) = C G/2 - lambda C + mean_l ln(1 + B_l^(-1/2) exp(lambda + h_l^2/(2 B_l))).
// Cost: one vectorised pass over the features a Newton step, a few steps when warm-started.
#pragma once

#include <cstddef>
#include <span>

#include "base/shards.hpp"

namespace cavity {

struct PruningPrior {
  double precision = 1;  // G
  double log_odds = 0;   // lambda
};

/// Prior log-odds that a feature is kept, lambda - ln(G)/2: what remains of lambda once the slab is normalised.
double slab_log_odds(const PruningPrior& prior);

/// lambda that stands for "certainly kept", used at density 1.
inline constexpr double certain_log_odds = 1e4;

struct FeatureMoments {
  double inclusion, mean, second, variance;
};

/// One feature: linear term h, total precision B = G + A > 0.
FeatureMoments pruned_moments(double h, double total_precision, double log_odds);

/// Gaussian messages on all features. An empty `precision` means A_l = 0 for all: one common B = G (AMP).
/// An empty `weight` counts every feature once; the theory passes the weights of a quadrature over h instead.
struct FeatureMessages {
  std::span<const double> linear = {};     // h_l
  std::span<const double> precision = {};  // A_l
  std::span<const double> weight = {};
  const Shards& shards = Shards::whole();  // other processes that hold features, too
};

/// Sums over the features of all processes at (G, lambda): all that the Newton solve needs.
struct PruningSums {
  double count = 0;         // the sum of the weights
  double inclusion = 0;     // sum P
  double second = 0;        // sum s
  double softplus = 0;      // sum ln(1 + exp k),  k = lambda - (1/2) ln B + h^2/(2B)
  double spread = 0;        // sum P(1-P)
  double spread_slope = 0;  // sum P(1-P) k'        ' = d/dG
  double curvature = 0;     // sum P(1-P) k'^2 + P k''
};
PruningSums pruning_sums(const FeatureMessages& messages, const PruningPrior& prior);

struct PruningConditions {
  double density;               // C in (0, 1]
  bool solve_precision = true;  // false: G stays as given and only mean P = C is imposed
};

struct PruningSolution {
  PruningPrior prior;
  double mismatch;  // larger of |mean P - C|/C and, where G is solved for, |mean s - C|/C
  int steps;
};

/// Damped Newton from `start`; safe by convexity. `mismatch` says how well the conditions hold (below 1e-11 normally).
PruningSolution solve_pruning(const FeatureMessages& messages, const PruningConditions& conditions,
                              const PruningPrior& start);

/// Moments of all features at once. Any output may be empty when it is not wanted.
struct FeatureOutputs {
  std::span<double> inclusion, mean, variance;
};
void pruned_moments(const FeatureMessages& messages, const PruningPrior& prior, const FeatureOutputs& out);

/// The prior with no message at all that has the given density: G = 1, lambda = ln(C/(1-C)).
PruningPrior uninformed_prior(double density);

}  // namespace cavity
