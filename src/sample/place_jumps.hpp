// Moves of the places with z left out: a state is the places and their weights b, in the places' order after the
// covariates'. A new feature is proposed by what the labels say of it at the mode without it, a score test that knows
// nothing of where the chain has been, and accepted by the likelihood averaged over weights (place_weights.hpp).
#pragma once

#include "sample/place_memory.hpp"

namespace cavity {

class PlaceJumps {
 public:
  struct State {
    PlaceSetKey places;
    Eigen::VectorXd weights;
  };

  /// Both must outlive this.
  PlaceJumps(const PlaceModel& model, PlaceMemory& memory) : model_(model), memory_(memory) {}

  /// One try: with probability 1/2 of moving a place, 1/4 of a birth, 1/4 of a death.
  void run(State& state, Random& random);

 private:
  void relocate(State& state, Random& random);
  void birth(State& state, Random& random);
  void death(State& state, Random& random);
  /// Takes `to` with the probability of Metropolis; otherwise refreshes the weights.
  void decide(State& state, PlaceSetKey to, double log_ratio, Random& random);

  const PlaceModel& model_;
  PlaceMemory& memory_;
};

/// All places but one.
std::vector<std::size_t> without(const std::vector<std::size_t>& places, std::size_t place);

}  // namespace cavity
