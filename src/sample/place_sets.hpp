// Credible sets: which features fill one place of the model. Draws name places by nothing but their features, so places
// are told apart after the fact, greedily: the most frequent feature that no place has yet leads one, and in every draw
// it is filled by the leader or else by the feature that stands in for it: the most correlated of those that correlate
// with the leader above 0.5 or are never kept together with it.
#pragma once

#include <cstdint>
#include <vector>

#include "sample/place_draws.hpp"

namespace cavity {

struct CredibleOptions {
  double level = 0.9;
  double least_filled = 0.1;  // a place that fewer draws have is not told
  std::size_t most = 20;      // places
};

/// Most filled first. Cost: one X^T x_l a place, and O(draws x places).
std::vector<CredibleSet> credible_sets(const PlaceDraws& draws, const Design& design, const CredibleOptions& options,
                                       ThreadPool& pool);

}  // namespace cavity
