// One Markov chain over (places, z) with the posterior as its stationary distribution. A draw:
//   1. z, one sample at a time from its exact conditional: a normal cut at 0, two pieces where labels may be flipped;
//      then its length, which the labels do not see, from its own conditional.
//   2. birth or death of a place; a newborn is drawn by its Bayes factor.
//   3. every place in turn moves to any feature with probability proportional to its Bayes factor (a Gibbs step).
// Cost: one X^T z, O(features x size^3) for the places and O(samples x size) for z, and X^T x_l for each newcomer.
#pragma once

#include "sample/place_factors.hpp"

namespace cavity {

struct PlaceState {
  std::vector<std::size_t> places;
  std::vector<double> z;  // a sample
};

class PlaceChain {
 public:
  /// Starts at `kept` random places. `model` must outlive the chain.
  PlaceChain(const PlaceModel& model, std::size_t kept, Random random);
  PlaceChain(const PlaceModel& model, PlaceState start_from, Random random);

  /// Adds the expectation of every move of a place to `tally`, if there is one.
  void step(PlaceTally* tally = nullptr);

  const PlaceState& state() const { return state_; }
  const PlaceBasis& basis() const { return basis_; }
  /// Of each sample's field given places and z, in units of the width, without the label.
  double field_mean(std::size_t sample) const;
  double field_variance(std::size_t sample) const;
  /// ln of the labels' probabilities, each sample's field averaged over its posterior.
  double log_likelihood() const;

 private:
  void start();
  void draw_z();
  void draw_length();
  double draw_latent(std::size_t sample, double mean, double deviation);
  void update_products();
  void birth();
  void death();
  void relocate(std::size_t place, PlaceTally* tally);
  void put(std::size_t feature);
  void consider(const std::vector<std::size_t>& places);  // Bayes factors of one more
  void update_basis();

  const PlaceModel& model_;
  ThreadPool alone_{1};
  Random random_;
  PlaceState state_;
  PlaceColumns columns_;
  PlaceFactors factors_;
  LatentProducts latent_;
  PlaceBasis basis_;  // of the present places
  Matrix whitened_;   // B = U R^-1, samples x (covariates + places)
};

}  // namespace cavity
