// One Markov chain over (c, w, covariate weights) with the posterior as its stationary distribution. A sweep:
//   1. where there is a width: augment every field, t ~ N(u, width^2) given t > 0 (t < 0 for a flipped label) or
//      w ~ PG(1, u/width); given these the fields have Gaussian sites (precision, linear). The step activation needs
//      none (step_conditional.hpp).
//   2. (c_l, w_l) jointly given the rest, feature by feature, then the covariates, with the fields kept up to date.
//   3. swaps: a kept weight moves to a pruned feature (Metropolis, on the likelihood itself). Without them, correlated
//      features take turns only through states that have both or neither.
//   4. step: the common length of all weights, which the likelihood does not see, from its prior.
// Cost: O(samples x features), times ln(samples) for the step activation.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/matrix.hpp"
#include "base/random.hpp"
#include "infer/step_conditional.hpp"
#include "model/activation.hpp"
#include "model/pruning.hpp"

namespace cavity {

/// What all chains share.
struct GibbsModel {
  Eigen::MatrixXd columns;  // samples x (features + covariates): X/sqrt(N), Z
  std::size_t features = 0;
  std::vector<double> covariate_precision;  // prior
  AnyActivation activation;
  PruningPrior prior;  // canonical: the prior log-odds of a normalised slab are lambda - ln(G)/2
  double power = 1;    // of the likelihood; other than 1 for the step activation only

  std::size_t samples() const { return static_cast<std::size_t>(columns.rows()); }
  std::span<const double> column(std::size_t j) const {
    return {columns.col(static_cast<Eigen::Index>(j)).data(), samples()};
  }
};

class GibbsChain {
 public:
  /// Starts from a draw of the prior. `model` and `labels` must outlive the chain.
  GibbsChain(const GibbsModel& model, std::span<const std::int8_t> labels, Random random);

  void sweep();
  /// A new state from the prior and other labels: for simulations of (parameters, labels).
  void draw_prior();
  void set_labels(std::span<const std::int8_t> labels);

  std::span<const double> weights() const { return std::span(weight_).first(model_.features); }
  std::span<const double> covariate_weights() const { return std::span(weight_).subspan(model_.features); }
  /// Conditional probability of inclusion at each feature's last update: less noisy than the draws of c.
  std::span<const double> inclusion() const { return inclusion_; }
  /// x_mu . beta/sqrt(N) + z_mu . gamma, without the label.
  std::span<const double> fields() const { return field_; }
  /// ln f of every sample; with `power` 1 whatever the model's.
  void log_likelihood(std::span<double> out) const;
  Random& random() { return random_; }

 private:
  void augment();
  void augment_threshold(const ThresholdActivation& f);
  void augment_logistic(double width);
  void recompute_fields();
  void update(std::size_t j);
  CoordinateDraw draw_gaussian(const Coordinate& coordinate);
  void swap_features();
  void redraw_length();
  double target(std::span<const double> fields) const;
  bool alone(std::size_t j) const;

  const GibbsModel& model_;
  std::span<const std::int8_t> labels_;
  Random random_;
  StepLoss loss_;
  StepConditional step_;
  bool is_step_;
  std::vector<double> weight_;  // features, then covariates
  std::vector<double> inclusion_, field_, rest_, proposal_;
  std::vector<double> site_precision_, site_linear_;  // a sample, of the unsigned field
  std::size_t kept_ = 0;                              // features with a weight other than 0
};

}  // namespace cavity
