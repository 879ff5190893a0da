// Leave-one-out by folds: for each, a chain without its samples that starts where a chain of all samples has ended, and
// what its draws say of them.
#pragma once

#include "sample/place_chain.hpp"
#include "sample/places.hpp"

namespace cavity {

/// A sample: its fold. By chance, both classes spread evenly; at most one a sample.
std::vector<std::size_t> deal_folds(std::span<const std::int8_t> labels, std::size_t folds, Random random);

/// P(+1) of every sample and row (samples x rows) from the chain without its fold; fold k starts from starts[k mod
/// their number].
Eigen::MatrixXd fold_probabilities(const PlaceProblem& problem, const std::vector<double>& kept,
                                   const PlaceOptions& options, std::span<const PlaceState> starts, ThreadPool& pool);

}  // namespace cavity
