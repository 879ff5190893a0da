// How much a sample counts where classes are to count as they will where the classifier is used.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace cavity {

/// Samples of each of so many classes.
std::vector<std::size_t> class_counts(std::span<const std::uint32_t> classes, std::size_t count);

/// A sample's weight; they sum to 1, those of a class to its share. No shares: all alike.
std::vector<double> class_weights(std::span<const std::uint32_t> classes, std::span<const double> shares);

/// The factor on a class's probability when it is as common as its share says, relative to the first class's. Empty
/// where there are no shares.
std::vector<double> class_shift(std::span<const double> shares, std::span<const std::size_t> counts);

}  // namespace cavity
