// Mean and deviation of every column, missing values left out. One pass; columns in blocks, each with its own sums, so
// that the result does not depend on the number of threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/threads.hpp"
#include "cavity/dataset.hpp"

namespace cavity {

struct ColumnMoments {
  std::vector<double> mean, deviation;  // 0 where every value is missing; deviation with 1/count
  std::vector<std::uint32_t> missing;
  /// All known values equal, or deviating by at most 1e-6 of the largest: what float32 cannot tell from noise.
  std::vector<std::uint8_t> constant;
};

/// Of one column, whose values are finite or NaN (missing).
struct ColumnMoment {
  double mean, deviation;
  std::uint32_t missing;
  std::uint8_t constant;
};
ColumnMoment column_moment(std::span<const float> values);

/// Of the columns [first, last). A column with an infinite value has a mean that is not finite.
ColumnMoments column_moments(const FeatureMatrix& values, std::size_t first, std::size_t last, ThreadPool& pool);

}  // namespace cavity
