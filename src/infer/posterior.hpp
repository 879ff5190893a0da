// What every solver returns.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

#include "model/activation.hpp"
#include "model/pruning.hpp"

namespace cavity {

enum class Status {
  converged,    // the residual is below the tolerance
  restricted,   // converged, but only with some site precisions kept from going negative: approximate
  stalled,      // the update limit came first
  diverged,     // no usable numbers
  not_visited,  // the path ended before it: nothing was solved
  not_mixed,    // chains that have not forgotten where they began: inclusions are rough
};
std::string to_string(Status status);
inline bool usable(Status status) {
  return status == Status::converged || status == Status::restricted || status == Status::not_mixed;
}

/// The posterior of one problem, as its solver leaves it. Vectors over features have design.features() entries, over
/// samples design.samples().
struct Posterior {
  Status status = Status::diverged;
  int iterations = 0;
  double residual = 0;

  std::vector<double> inclusion, mean, variance;  // a feature; of the weight beta_l
  std::vector<double> covariate_mean, covariate_variance;
  std::vector<double> cavity_mean, cavity_variance;  // a sample: its field with the sample left out, D and V
  std::vector<double> loo_log_probability;  // a sample: ln g of its own label, with all that are left out with it
  double loo_error = 0, loo_log_loss = 0;
  double train_error = 0;
  // NaN where the solver has none: ln P(labels) at the prior below, and for the prior constrained to the density.
  double log_partition = std::numeric_limits<double>::quiet_NaN(), log_evidence = log_partition;
  PruningPrior prior;  // G and lambda at the solution

  /// Variance of the field of a new sample. AMP: one number for all; GAMP: from `variance` (own_field_variances in
  /// infer/gamp.hpp), the number here is the training samples' mean; EP: Gaussian sites from which it is computed,
  /// where it converged; the sites of an unfinished walk need not have a positive definite sum.
  double common_field_variance = 0;
  std::vector<double> feature_site_precision, sample_site_precision;  // tau_l, omega_mu (EP), else empty
};

/// Fills loo_log_probability, loo_error and loo_log_loss from the cavities: g(D_mu; V_mu); a tie counts one half.
void leave_one_out(const AnyActivation& activation, Posterior& posterior);
/// The same from the fields of samples that are left out together.
void leave_out(const AnyActivation& activation, std::span<const double> mean, std::span<const double> variance,
               Posterior& posterior);

/// The same from the probabilities themselves, as logarithms.
void left_out(std::vector<double> log_probability, Posterior& posterior);

/// Share of samples whose field has the wrong sign, ties one half.
double sign_error(std::span<const double> fields);

}  // namespace cavity
