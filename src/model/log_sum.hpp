// ln of a sum of exponentials, of numbers of any size.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace cavity {

inline double log_sum(std::span<const double> values) {
  const double top = *std::max_element(values.begin(), values.end());
  double sum = 0;
  for (const double v : values) sum += std::exp(v - top);
  return top + std::log(sum);
}

/// Numbers proportional to the exponentials, brought to sum 1.
inline std::vector<double> normalised_exponentials(std::vector<double> logs) {
  const double all = log_sum(logs);
  for (double& x : logs) x = std::exp(x - all);
  return logs;
}

}  // namespace cavity
