// Moves of the places with z left out: a state is the places and their weights b, in the places' order after the
// covariates'. A new feature is proposed by what the labels say of it at the mode without it, a score test that knows
// nothing of where the chain has been, and accepted by the likelihood averaged over weights (place_weights.hpp).
//
// What a chain has learned of the sets of places that it has met, each a function of the set alone: the mode of its
// weights, and where a new place would be proposed. A chain comes back to the same sets again and again, and what is
// remembered costs no product with the matrix.
#pragma once

#include <unordered_map>

#include "infer/place_factors.hpp"
#include "infer/place_weights.hpp"

namespace cavity {

/// The features of a set in ascending order.
using PlaceSetKey = std::vector<std::size_t>;

/// The mode and the weights around it of a set. Cost: a few passes over its columns.
WeightFit fit_places(const PlaceModel& model, const PlaceColumns& columns, const PlaceSetKey& places);

class PlaceMemory {
 public:
  /// All must outlive this; `factors` is used as scratch.
  PlaceMemory(const PlaceModel& model, PlaceColumns& columns, PlaceFactors& factors, ThreadPool& pool);

  /// What these give stays until the next call of `make_room`.
  const WeightFit& fit(const PlaceSetKey& places);
  const PlaceProposal& proposal(const PlaceSetKey& places);
  /// Forgets everything when there is too much.
  void make_room();

 private:
  struct Hash {
    std::size_t operator()(const PlaceSetKey& places) const;
  };
  template <class Value>
  using Sets = std::unordered_map<PlaceSetKey, Value, Hash>;

  PlaceProposal make_proposal(const PlaceSetKey& places);

  const PlaceModel& model_;
  PlaceColumns& columns_;
  PlaceFactors& factors_;
  ThreadPool& pool_;
  LatentProducts latent_;  // of E[z] at the mode
  std::size_t most_fits_, most_proposals_;
  Sets<WeightFit> fits_;
  Sets<PlaceProposal> proposals_;
};

class PlaceJumps {
 public:
  struct State {
    PlaceSetKey places;
    Eigen::VectorXd weights;
  };

  /// Both must outlive this.
  PlaceJumps(const PlaceModel& model, PlaceMemory& memory) : model_(model), memory_(memory) {}

  /// One try: with probability 1/2 of moving a place, 1/4 of a birth, 1/4 of a death. Every other one proposes by what
  /// the labels say of single features, which is known from the start, instead of what they say at the mode.
  void run(State& state, Random& random);

 private:
  void relocate(State& state, Random& random);
  void birth(State& state, Random& random);
  void death(State& state, Random& random);
  /// Takes `to` with the probability of Metropolis; otherwise refreshes the weights.
  const PlaceProposal& propose_beside(const PlaceSetKey& rest, Random& random);
  void decide(State& state, PlaceSetKey to, double log_ratio, Random& random);

  const PlaceModel& model_;
  PlaceMemory& memory_;
};

/// All places but one.
std::vector<std::size_t> without(const std::vector<std::size_t>& places, std::size_t place);

}  // namespace cavity
