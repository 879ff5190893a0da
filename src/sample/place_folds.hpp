// Leave-one-out by folds: for each, a chain that has never seen its samples, and what its draws say of them.
#pragma once

#include "sample/place_chain.hpp"
#include "sample/places.hpp"

namespace cavity {

inline constexpr std::uint64_t dealing_stream = 1 << 20;  // of the seed's random numbers

/// A sample: its fold. By chance, both classes spread evenly; at most one a sample.
std::vector<std::size_t> deal_folds(std::span<const std::int8_t> labels, std::size_t folds, Random random);

/// P(+1) of every sample and row (samples x rows) from the chain without its fold, one fold at a time.
class PlaceFolds {
 public:
  /// All must outlive this.
  PlaceFolds(const PlaceProblem& problem, const std::vector<double>& kept, const PlaceOptions& options);
  std::size_t count() const { return count_; }
  /// Each once, from any thread.
  void run(std::size_t fold);
  const Eigen::MatrixXd& positive() const { return positive_; }

 private:
  const PlaceProblem& problem_;
  const std::vector<double>& kept_;
  const PlaceOptions& options_;
  std::vector<std::size_t> fold_;  // a sample
  std::size_t count_ = 0;
  Eigen::MatrixXd positive_;
};

}  // namespace cavity
