// ln of a sum of exponentials, of numbers of any size.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

namespace cavity {

inline double log_sum(std::span<const double> values) {
  const double top = *std::max_element(values.begin(), values.end());
  double sum = 0;
  for (const double v : values) sum += std::exp(v - top);
  return top + std::log(sum);
}

}  // namespace cavity
