// One Markov chain over (places, z) with the posterior as its stationary distribution. A draw:
//   1. b given z, and with z left out jumps of a place to another feature, births and deaths: Metropolis on the
//      likelihood itself, averaged over weights (place_jumps.hpp). z remembers the places that it was drawn with, so
//      without jumps a chain of a narrow boundary stays where it is.
//   2. z given b; then one sample at a time with b integrated out, a normal cut at 0, two pieces where labels may be
//      flipped; then its length, which the labels do not see.
//   3. given z, birth or death of a place, and every place in turn moves to any feature with probability proportional
//      to its Bayes factor (a Gibbs step).
// Cost: X^T v twice, O(features x size^3) for the places, O(samples x size^2) for the weights, and X^T x_l for each
// newcomer.
#pragma once

#include "infer/place_visits.hpp"

namespace cavity {

struct PlaceState {
  PlaceSetKey places;
  std::vector<double> z{};  // a sample
};

class PlaceChain {
 public:
  /// Starts at `kept` random places, moved once by z that knows nothing but the labels. `model` must outlive the chain.
  PlaceChain(const PlaceModel& model, std::size_t kept, Random random);

  /// Adds the expectation of every move of a place to `tallies`, one a row of the model, if there are any, and what the
  /// jumps meet to `visits`.
  void step(std::span<PlaceTally> tallies = {}, PlaceVisits* visits = nullptr);

  const PlaceState& state() const { return state_; }
  const PlaceBasis& basis() const { return basis_; }
  /// Of each sample's field given places and z, in units of the width, without the label.
  double field_mean(std::size_t sample) const;
  double field_variance(std::size_t sample) const;
  /// ln of the labels' probabilities, each sample's field averaged over its posterior.
  double log_likelihood() const;

 private:
  void gibbs(std::span<PlaceTally> tallies);
  void jump(PlaceVisits* visits);
  void draw_z_given(const Eigen::VectorXd& weights);
  void draw_z();
  void draw_length();
  double draw_latent(std::size_t sample, double mean, double deviation);
  void update_products();
  void birth();
  void death();
  void relocate(std::size_t place, std::span<PlaceTally> tallies);
  void put(std::size_t feature);
  void consider(const std::vector<std::size_t>& places);  // Bayes factors of one more
  void update_basis();                                    // without scores
  Eigen::Map<Eigen::VectorXd> z() { return {state_.z.data(), static_cast<Eigen::Index>(state_.z.size())}; }

  const PlaceModel& model_;
  ThreadPool alone_{1};
  Random random_;
  PlaceState state_;
  int steps_ = 0;
  PlaceColumns columns_;
  PlaceFactors factors_;
  PlaceMemory memory_;
  PlaceJumps jumps_;
  LatentProducts latent_;
  PlaceBasis basis_;  // of the present places
  Matrix whitened_;   // B = U R^-1, samples x (covariates + places)
};

}  // namespace cavity
