// One feature decides: a label is +1 with probability flip + (1 - 2 flip) Phi(weight (score - cut)/width), by the
// normal score of one feature, a cut and one of a few weights, all alike before the labels are seen. So few states can
// be summed, not sampled, and leave-one-out is exact too: with L the likelihood of all labels and l that of a sample's
// own, P(label | the others) = sum of L / sum of L/l. Chains that have not seen a fifth of the samples are much less
// sure which feature it is: one gene planted in prostate, 40 samples, log loss 0.55 by folds, 0.52 so, 0.50 came.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/threads.hpp"
#include "grid/place_inputs.hpp"
#include "sample/places.hpp"

namespace cavity {

/// ln of the sum of exponentials.
double log_sum(std::span<const double> values);

class SinglePlaces {
 public:
  /// At least two labels, `flip` in (0, 1/2).
  SinglePlaces(std::span<const std::int8_t> labels, double flip, double width);

  /// ln P(labels) if this feature decides; then, where `out` has more entries, that of the labels outside each fold.
  /// `place` as for_columns (prepare/column_scores.hpp) has it. O(samples).
  void log_evidence(std::span<const std::uint32_t> place, std::span<const std::size_t> fold,
                    std::span<double> out) const;

  /// The posterior over all features in all their forms. Draws have an intercept; their places are those of
  /// PlaceScores. The same bits for any number of threads.
  PlaceResult sum(const std::vector<PlaceForm>& forms, ThreadPool& pool) const;

 private:
  /// places x states, for a label
  struct Table {
    std::vector<double> log_likelihood, inverse;  // inverse: 1/likelihood
  };
  /// A feature in one of its forms, and the posterior of its states.
  struct Likely {
    std::size_t which;                 // among the features of all forms
    std::vector<std::uint32_t> place;  // a sample
    std::vector<double> probability;   // a state
  };

  std::size_t states() const { return cut_.size(); }
  const Table& table(std::size_t mu) const { return labels_[mu] > 0 ? positive_ : negative_; }
  void add_log_likelihoods(std::size_t mu, std::uint32_t place, std::span<double> to) const;
  std::vector<Likely> likely_features(const std::vector<PlaceForm>& forms, const std::vector<double>& probability,
                                      double log_evidence, ThreadPool& pool) const;
  void leave_one_out(const std::vector<Likely>& features, ThreadPool& pool, Posterior& out) const;
  void summarise_weights(const std::vector<Likely>& features, Posterior& out) const;
  PlaceDraws spread_draws(const std::vector<Likely>& features) const;
  void summarise_fields(const PlaceDraws& draws, const std::vector<PlaceForm>& forms, Posterior& out) const;

  std::span<const std::int8_t> labels_;
  double flip_, width_;
  std::vector<float> score_;          // a place
  std::vector<double> cut_, weight_;  // a state
  Table positive_, negative_;
};

}  // namespace cavity
