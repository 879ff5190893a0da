// Leave-one-out by folds: for each, a chain that has never seen its samples, and what its draws say of them.
#pragma once

#include "sample/place_chain.hpp"
#include "sample/places.hpp"

namespace cavity {

inline constexpr std::uint64_t dealing_stream = 1 << 20;  // of the seed's random numbers

/// A sample: its fold. By chance, both classes spread evenly; at most one a sample.
std::vector<std::size_t> deal_folds(std::span<const std::int8_t> labels, std::size_t folds, Random random);

/// P(+1) of every sample and row (samples x rows) from the chain without its fold.
Eigen::MatrixXd fold_probabilities(const PlaceProblem& problem, const std::vector<double>& kept,
                                   const PlaceOptions& options, ThreadPool& pool);

}  // namespace cavity
