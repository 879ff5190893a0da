// Are stated probabilities those that come? With f = ln(p/(1 - p)) of what was stated:
//   in the large: the a of logit P(y) = a + f; above 0 the class comes more often than stated;
//   slope: the b of logit P(y) = a + b f; below 1 the probabilities are too sure, above 1 not sure enough.
// Newton's method on the likelihood with a prior so weak (a, b - 1 ~ N(0, 10^2)) that it only holds what the samples
// leave open; errors from the curvature.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "assess/quantiles.hpp"
#include "cavity/accuracy.hpp"

namespace cavity {

struct Estimated {
  double value = 0, se = 0;
  Interval interval() const { return {value - z95 * se, value + z95 * se}; }
};

struct CalibrationLine {
  Estimated in_the_large, intercept, slope;
};
/// `labels` above 0: the class came.
CalibrationLine calibration_line(std::span<const double> probability, std::span<const std::int8_t> labels);

/// Samples of neighbouring probabilities: what was stated on average, and the share that came.
struct CalibrationBin {
  std::size_t samples = 0;
  double stated = 0, came = 0;
  Interval interval{};
};
/// As many samples in each, as even as can be; at least ten where there are as many.
std::vector<CalibrationBin> calibration_curve(std::span<const double> probability, std::span<const std::int8_t> labels,
                                              std::size_t most_bins = 10);

}  // namespace cavity
