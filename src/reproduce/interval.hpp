// Mean of independent repetitions and its confidence interval by Student's t.
#pragma once

#include <vector>

namespace cavity {

struct MeanInterval {
  double mean = 0, sd = 0, half_width = 0;
  double low() const { return mean - half_width; }
  double high() const { return mean + half_width; }
  bool holds(double value) const { return value >= low() && value <= high(); }
};

/// At least two values.
MeanInterval mean_interval(const std::vector<double>& values, double confidence);

}  // namespace cavity
