// Moves of the places with z left out: a state is the places and their weights b, in the places' order after the
// covariates'. A new feature is proposed by what the labels say of it at the mode without it, a score test that knows
// nothing of where the chain has been, and accepted by the likelihood averaged over weights.
#pragma once

#include "sample/place_factors.hpp"
#include "sample/place_weights.hpp"

namespace cavity {

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
