// One feature decides: a label is +1 with probability flip + (1 - 2 flip) Phi(weight (score - cut)/width), by the
// normal score of one feature, a cut and one of a few weights, all alike before the labels are seen. So few states can
// be summed, not sampled, and leave-one-out is exact too: with L the likelihood of all labels and l that of a sample's
// own, P(label | the others) = sum of L / sum of L/l.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/threads.hpp"
#include "infer/places.hpp"
#include "search/place_inputs.hpp"

namespace cavity {

class SinglePlaces {
 public:
  /// At least two labels, `flip` in (0, 1/2).
  SinglePlaces(std::span<const std::int8_t> labels, double flip, double width);

  /// ln P(labels) if this feature decides. `place` as for_columns (prepare/column_scores.hpp) has it. O(samples).
  double log_evidence(std::span<const std::uint32_t> place) const;

  /// The posterior over all places. Draws have an intercept. The same bits for any number of threads.
  PlaceResult sum(const PlaceInputs& inputs, ThreadPool& pool) const;

 private:
  /// places x states, for a label
  struct Table {
    std::vector<double> log_likelihood, inverse;  // inverse: 1/likelihood
  };
  /// A place, and the posterior of its states.
  struct Likely {
    std::size_t which;
    std::vector<std::uint32_t> place;  // a sample
    std::vector<double> probability;   // a state
  };

  std::size_t states() const { return cut_.size(); }
  const Table& table(std::size_t mu) const { return labels_[mu] > 0 ? positive_ : negative_; }
  void add_log_likelihoods(std::size_t mu, std::uint32_t place, std::span<double> to) const;
  std::vector<Likely> likely_places(const PlaceInputs& inputs, const std::vector<double>& probability,
                                    double log_evidence, ThreadPool& pool) const;
  void leave_one_out(const std::vector<Likely>& places, ThreadPool& pool, Posterior& out) const;
  void summarise_weights(const std::vector<Likely>& places, Posterior& out) const;
  PlaceDraws spread_draws(const std::vector<Likely>& places) const;
  void summarise_fields(const PlaceDraws& draws, const PlaceInputs& inputs, Posterior& out) const;

  std::span<const std::int8_t> labels_;
  double flip_, width_;
  std::vector<float> score_;          // a place
  std::vector<double> cut_, weight_;  // a state
  Table positive_, negative_;
};

}  // namespace cavity
