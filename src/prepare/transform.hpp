// Within-sample transforms (see Transform): each row is mapped by its own values alone, so nothing leaks between
// samples.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/threads.hpp"
#include "cavity/preprocessing.hpp"

namespace cavity {

/// Whether a transform needs the whole of a sample: the others leave the form of a table alone.
inline bool looks_at_samples(Transform transform) {
  return transform == Transform::asinh || transform == Transform::rank;
}

/// Of `count` values, entry i + j: the normal score Phi^-1((rank - 1/2)/count) of those tied from place i to place j
/// (from 0), whose mean rank is (i + j)/2 + 1.
std::vector<float> normal_scores(std::size_t count);

/// Transforms one row at a time. Copies share the table of normal scores and have their own scratch: one a thread.
class RowTransform {
 public:
  RowTransform(Transform kind, std::size_t features);
  /// Ranks with other scores, in the order of normal_scores.
  explicit RowTransform(std::vector<float> scores)
      : kind_(Transform::rank), scores_(std::make_shared<const std::vector<float>>(std::move(scores))) {}
  /// In place; all values finite. O(features).
  void operator()(std::span<float> row);
  /// Of the last row ranked: how many features held its commonest value.
  std::size_t longest_tie() const { return longest_tie_; }

 private:
  void rank(std::span<float> row);
  void asinh(std::span<float> row);

  Transform kind_;
  std::shared_ptr<const std::vector<float>> scores_;  // normal_scores
  std::vector<std::uint64_t> order_, spare_;
  std::vector<float> sorted_;
  std::size_t longest_tie_ = 0;
};

/// How the values of a typical sample (up to 100, evenly spaced) are spread over its features; medians over samples.
struct Spread {
  double excess_kurtosis = 0;  // 0 for a Gaussian
  double most_common = 0;      // share of the features that hold the commonest value
  double between = 0;          // share of the variance of the normal scores that lies between the features' means
};
/// Where the kurtosis alone decides against ranks, the rest is left at 0.
Spread measure_spread(const FeatureMatrix& values, std::span<const double> impute, ThreadPool& pool);

/// Rank when the features look like many measurements of one kind on a raw or heavy-tailed scale: at least 50 of them,
/// excess kurtosis within a sample above 1, no value that fills half of a sample (sparse counts, 0/1 tables), and
/// features that do change places between samples (columns of different units do not: between <= 0.99). Else none.
Transform choose_transform(const Spread& spread, std::size_t features);

}  // namespace cavity
