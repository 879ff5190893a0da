// SIMD passes over features that each have a precision of their own, beside the slab's G = 1 (Highway, dispatched at
// run time). B_l = 1 + A_l; the formulas are those of pruning.hpp. What does not depend on lambda, with its logarithm,
// is computed once an update and not once a Newton step.
#pragma once

#include <span>

namespace cavity::kernels {

/// Linear terms and precisions h, A of features, and what their messages add to the log-odds that they are kept:
/// evidence = h^2/(2B) - (1/2) ln B.
struct OwnMessages {
  std::span<const double> linear, precision, evidence;
};
void log_odds_evidence(std::span<const double> linear, std::span<const double> precision, std::span<double> out);

struct InclusionSums {
  double inclusion = 0, spread = 0;  // sum P and sum P(1-P), P = sigma(lambda + evidence)
};
InclusionSums inclusion_sums(std::span<const double> evidence, double log_odds);

/// Moments at lambda; an empty `inclusion` is not wanted.
struct OwnMoments {
  std::span<double> inclusion, mean, variance;
};
void own_moments(const OwnMessages& messages, double log_odds, const OwnMoments& out);

}  // namespace cavity::kernels
