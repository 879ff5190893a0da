// How well the mean over samples is known when samples come in groups: se^2 = sum over groups of (sum of x - mean)^2,
// over samples^2. Each sample alone gives the usual sqrt(variance/samples).
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "assess/sample_groups.hpp"

namespace cavity {

inline double standard_error(std::span<const double> values, const SampleGroups* groups) {
  const auto count = static_cast<double>(values.size());
  double mean = 0, squares = 0;
  for (const double x : values) mean += x / count;
  std::vector<double> off(groups ? groups->count() : values.size(), 0);
  for (std::size_t mu = 0; mu < values.size(); ++mu) off[groups ? groups->of[mu] : mu] += values[mu] - mean;
  for (const double x : off) squares += x * x;
  return std::sqrt(squares) / count;
}

/// Of two lists of losses: how much smaller the second's mean is, with its standard error.
struct Gain {
  double value = 0, se = 0;
};
inline Gain gain_of(std::span<const double> first, std::span<const double> second, const SampleGroups* groups) {
  Gain out;
  std::vector<double> difference;
  for (std::size_t i = 0; i < first.size(); ++i) {
    difference.push_back(first[i] - second[i]);
    out.value += difference.back() / static_cast<double>(first.size());
  }
  out.se = standard_error(difference, groups);
  return out;
}

/// Of two lists of log probabilities of the same samples: whether the first is better by more than the error of the
/// difference. Where one of two cells is to be preferred, that is what tells; a difference in nats is none.
inline bool clearly_better(std::span<const double> first, std::span<const double> second, const SampleGroups* groups) {
  const Gain gain = gain_of(first, second, groups);
  return gain.value > gain.se;
}

}  // namespace cavity
