// What a chain has learned of the sets of places that it has met, each a function of the set alone: the mode of its
// weights, and where a new place would be proposed. A chain comes back to the same sets again and again, and what is
// remembered costs no product with the matrix.
#pragma once

#include <unordered_map>

#include "sample/place_factors.hpp"
#include "sample/place_weights.hpp"

namespace cavity {

/// The features of a set in ascending order.
using PlaceSetKey = std::vector<std::size_t>;

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

  WeightFit make_fit(const PlaceSetKey& places) const;
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

}  // namespace cavity
