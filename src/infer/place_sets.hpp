// Credible sets: which features fill one place of the model. Draws name places by nothing but their features, so places
// are told apart after the fact, greedily: the most frequent feature that no place has yet leads one, and in every draw
// it is filled by the leader or else by the feature that stands in for it: the most correlated of those that correlate
// with the leader above 0.5 or are never kept together with it.
// A set that is made of the draws that are to confirm it is too sure of itself: with a hundred candidates every chain
// has seen others. So its probability is that of chains it was not made of: a part's draws against the set of the other
// parts. One or two genes planted in real tables, 40 samples: 0.70 of the first sets held one, 0.87 was the share of
// draws, 0.72 is this.
#pragma once

#include <cstdint>
#include <vector>

#include "infer/place_draws.hpp"

namespace cavity {

struct CredibleOptions {
  double level = 0.9;
  double least_told = 0.1;  // a place that fewer draws have, or a set that fewer confirm, is not told
  std::size_t most = 20;    // places
  std::size_t parts = 4;    // of the draws as they come, one chain after another
};

/// Most filled first. Cost: one X^T x_l a place and part, and O(draws x places).
std::vector<CredibleSet> credible_sets(const PlaceDraws& draws, const Design& design, const CredibleOptions& options,
                                       ThreadPool& pool);

}  // namespace cavity
