// How much a sample counts where the classes are to count as in a population.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace cavity {

/// A sample's weight; they sum to 1, those of a class to its share of the population. Nothing: all alike.
std::vector<double> class_weights(std::span<const std::int8_t> labels,
                                  const std::optional<std::array<double, 2>>& population);

/// The factor that the odds of the positive class take when it is as common as in the population.
double prior_shift(std::span<const std::int8_t> labels, const std::array<double, 2>& population);

/// A probability whose odds take the factor.
inline double shifted(double probability, double factor) {
  return probability * factor / (probability * factor + (1 - probability));
}

}  // namespace cavity
