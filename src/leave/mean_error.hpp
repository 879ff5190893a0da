// How well the mean over samples is known when samples come in groups: se^2 = sum over groups of (sum of x - mean)^2,
// over samples^2. Each sample alone gives the usual sqrt(variance/samples).
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "leave/sample_groups.hpp"

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

}  // namespace cavity
