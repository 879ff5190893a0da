// Moves of the places with z left out: a state is the places and their weights b, in the places' order after the
// covariates'. A new feature is proposed by what the labels say of it at the mode without it, a score test that knows
// nothing of where the chain has been, and accepted by the likelihood averaged over weights.
//
// The weights of one set of places, z integrated out: a few dimensions, near enough to a Gaussian that a handful of
// draws from a Student t around the mode average the likelihood well. The average is unbiased, which is what makes the
// chain's jumps exact (a particle move: Andrieu, Doucet & Holenstein 2010), however rough the fit.
#pragma once

#include "sample/place_factors.hpp"

namespace cavity {

/// The mode of ln P(labels | b) - b.D b/2, by Newton steps from 0. A function of the set alone.
struct WeightFit {
  Eigen::MatrixXd columns;    // U: samples x (covariates + places)
  Eigen::VectorXd precision;  // D
  Eigen::VectorXd mode;
  Eigen::MatrixXd root;    // R, upper: R^T R = D + U^T diag(information) U
  Eigen::VectorXd latent;  // E[z | label] at the mode, a sample
  double information = 1;  // a sample's, on average; 1 where z is known
};
WeightFit fit_weights(const PlaceModel& model, Eigen::MatrixXd columns);

struct WeightDraw {
  Eigen::VectorXd weights;  // from the posterior, as near as `particles` come
  double log_likelihood;    // of the set: ln of the average over particles
};

/// With `given`, weights of the posterior, they are one of the particles.
WeightDraw draw_weights(const PlaceModel& model, const WeightFit& fit, const Eigen::VectorXd* given, Random& random);

/// All places but one.
std::vector<std::size_t> without(const std::vector<std::size_t>& places, std::size_t place);

class PlaceJumps {
 public:
  struct State {
    std::vector<std::size_t> places;
    Eigen::VectorXd weights;
  };

  /// All must outlive this; `factors` is used as scratch.
  PlaceJumps(const PlaceModel& model, PlaceColumns& columns, PlaceFactors& factors, ThreadPool& pool);

  /// One try: with probability 1/2 of moving a place, 1/4 of a birth, 1/4 of a death. All places have their columns.
  void run(State& state, Random& random);

 private:
  void relocate(State& state, Random& random);
  void birth(State& state, Random& random);
  void death(State& state, Random& random);
  WeightFit fit(const std::vector<std::size_t>& places) const;
  void propose_to(const std::vector<std::size_t>& places);
  /// Takes `to` with the probability of Metropolis; otherwise refreshes the weights.
  void decide(State& state, std::vector<std::size_t> to, double log_ratio, Random& random);

  const PlaceModel& model_;
  PlaceColumns& columns_;
  PlaceFactors& factors_;
  ThreadPool& pool_;
  LatentProducts latent_;            // of E[z] at the mode
  std::vector<std::size_t> fitted_;  // the places that here_ is the fit of
  WeightFit here_;
};

}  // namespace cavity
