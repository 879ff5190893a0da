#include "judge/class_weights.hpp"

#include <algorithm>

namespace cavity {

namespace {

std::array<double, 2> counts_of(std::span<const std::int8_t> labels) {
  const auto positive = static_cast<double>(std::count(labels.begin(), labels.end(), std::int8_t{1}));
  return {static_cast<double>(labels.size()) - positive, positive};
}

}  // namespace

std::vector<double> class_weights(std::span<const std::int8_t> labels,
                                  const std::optional<std::array<double, 2>>& population) {
  const auto counts = counts_of(labels);
  std::vector<double> out;
  for (const auto y : labels) {
    const std::size_t c = y > 0 ? 1 : 0;
    out.push_back(population ? (*population)[c] / counts[c] : 1 / static_cast<double>(labels.size()));
  }
  return out;
}

double prior_shift(std::span<const std::int8_t> labels, const std::array<double, 2>& population) {
  const auto counts = counts_of(labels);
  return population[1] / population[0] * counts[0] / counts[1];
}

}  // namespace cavity
