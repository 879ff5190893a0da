// Draws of which few features are kept (the places), each with the Gaussian of its weights: all that a prediction
// needs.
//   P(+1 | x) = mean over draws of flip + (1 - 2 flip) Phi(u.mean/sqrt(1 + |F^T u|^2)),  u = (covariates, kept columns)
// 200 draws of 3 places with an intercept are 600 + 800 + 2000 numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cavity {

struct PlaceDraws {
  double flip = 0;                     // probability of a flipped label
  std::size_t covariates = 0;          // intercept first, where there is one
  std::vector<std::uint32_t> size{};   // a draw: its places
  std::vector<std::uint32_t> place{};  // all draws' places, one draw after the other: features that inference sees, or
                                       // their forms (PlaceScores)
  std::vector<double> mean{};          // all draws' weights b, covariates first, in units of the width
  std::vector<double> factor{};        // all draws' F with covariance F F^T, upper triangles by columns

  std::size_t count() const { return size.size(); }
};

/// What draws see of the features that they keep: normal scores among the training samples. What a few features say
/// must not hang on the unit they are measured in. Of `inputs` inputs place l < inputs is that of input l, and place
/// inputs + l that of its values as they were before a transform of whole samples.
struct PlaceScores {
  std::vector<std::uint32_t> place{};  // those that any draw keeps, increasing; empty: draws see what inference sees
  std::vector<float> values{};         // a place: its training values, increasing

  std::size_t samples() const { return place.empty() ? 0 : values.size() / place.size(); }
};

/// Features that stand in for each other: those that fill one place of the draws. In a model the numbers allow for it
/// that more features decide than the draws keep: they hold with the weight of the draws' cells in the mixture.
struct CredibleSet {
  std::vector<std::uint32_t> features;  // most frequent first; the fewest that fill the place in 90 % of its draws
  std::vector<double> share;            // a feature: its part of the probability, as often as draws have it
  double probability = 0;               // share of the draws with one of the set, by chains it was not made of
  double filled = 0;                    // share of all draws in which any feature does
};

}  // namespace cavity
