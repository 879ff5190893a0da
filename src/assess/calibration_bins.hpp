// Do 80 % predictions come true 80 % of the time? Left-out samples in bins of about equal numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cavity/accuracy.hpp"

namespace cavity {

struct CalibrationBin {
  std::size_t samples = 0, hits = 0;
  double predicted = 0, observed = 0;  // mean probability, and the share that came true
  Interval interval;                   // 95 %, Wilson's, of the share
};

/// By rising probability; equal probabilities are never split over two bins. `labels` are above 0 where what was
/// predicted came true. `weights` of the samples sum to 1; empty: all alike. `group_of` is the group of each sample;
/// empty: each is alone. The interval is that of as many independent samples as know the share as well.
std::vector<CalibrationBin> calibration_bins(std::span<const double> probability, std::span<const std::int8_t> labels,
                                             std::span<const double> weights = {},
                                             std::span<const std::size_t> group_of = {});

}  // namespace cavity
