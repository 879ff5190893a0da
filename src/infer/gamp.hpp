// Approximate message passing in which every feature and every sample has a variance of its own, for sparse and uneven
// tables, where the one common variance of `amp` is wrong. O(stored values) an update: two products with the entries
// and their squares.
#pragma once

#include "infer/posterior.hpp"
#include "infer/problem.hpp"
#include "infer/solver_options.hpp"

namespace cavity {

/// The messages at a solution: where the next, similar problem starts.
struct GampState {
  std::vector<double> mean, variance, linear, precision;    // a feature: m, v, h, A
  std::vector<double> slope, cavity_mean, cavity_variance;  // a sample: a, D, V
  std::vector<double> covariate_mean, covariate_variance;
  double log_odds = 0;  // lambda, at slab precision 1
  double density = 0;
};

/// The same messages in the units of another density: weights and fields ~ sqrt(C), messages against it.
GampState rescaled(const GampState& state, double density);

struct GampResult {
  Posterior posterior;
  GampState state;  // as it was at the last update, settled or not
};

/// The messages at a solution, from what it found.
GampState messages_of(const Problem& problem, const Posterior& solution, ThreadPool& pool);

struct GampStart {
  const GampState* state = nullptr;  // the solution of a similar problem (a denser cell) on the same design; none: cold
  /// Samples that take no part: their cavities are then what the others say of them. None: all take part.
  const std::vector<bool>* left_out = nullptr;
};

/// Converged when the change of the means, for the whole of a proposal, is below `tolerance` relative to their length;
/// stalled at the update limit, or when 30 updates (60 of an even design) have not brought it a tenth lower. A fixed
/// `share` of the options is honoured.
GampResult fit_gamp(const Problem& problem, const SolverOptions& options, const GampStart& start, ThreadPool& pool);

/// Variances of the fields of samples: sum_l x_l^2 variance_l/N + sum_j z_j^2 covariate_variance_j. `covariates` holds
/// a row a sample.
std::vector<double> own_field_variances(const Design& design, std::span<const double> variance,
                                        const Matrix& covariates, std::span<const double> covariate_variance,
                                        ThreadPool& pool);

}  // namespace cavity
