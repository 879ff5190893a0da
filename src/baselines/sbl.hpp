// Sparse Bayesian learning (Tipping 2001): logistic regression with a Gaussian prior of its own precision on every
// weight, the precisions set by the evidence; those that run to infinity are pruned.
#pragma once

#include "infer/posterior.hpp"
#include "infer/problem.hpp"

namespace cavity {

/// The field is x . mean/sqrt(N) + z . covariate_mean, without the label; P(+) = 1/(1 + exp(-field)).
struct SblFit {
  Status status = Status::stalled;  // converged: every kept precision changes by less than the tolerance
  int iterations = 0;
  double residual = 0;  // largest |change of ln precision| of the last update
  double log_evidence = 0, first_log_evidence = 0;
  std::vector<double> mean, precision;  // a feature; pruned: 0 and pruned_precision
  std::vector<double> determined;       // a feature: 1 - precision * posterior variance, in [0, 1]; 0 when pruned
  std::vector<double> covariate_mean;
  double covariate_precision = 0;        // one for all covariates, set by the evidence too
  std::vector<double> sample_precision;  // p(1 - p) at the solution
  std::vector<double> field, field_variance;
  std::size_t relevant = 0;
};
inline constexpr double pruned_precision = 1e15;

struct SblOptions {
  int max_iterations = 20000;
  double tolerance = 1e-3;
  double start = 1;  // precision of every weight; 1: the prior field of a sample has variance 1
};

/// All precisions are updated at once, so the order of the features does not matter. O(M^2 K) an update, K features
/// left: never K x K.
SblFit fit_sbl(const Design& design, std::span<const std::int8_t> labels, const Covariates& covariates,
               const SblOptions& options);

}  // namespace cavity
