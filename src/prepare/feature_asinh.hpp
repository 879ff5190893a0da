// asinh((value - median)/spread) of a feature's own training values: straight near the median, logarithmic far from it,
// so that one sample far out does not carry a feature. Unlike ranks it needs no other feature of the sample.
#pragma once

#include <vector>

#include "base/threads.hpp"
#include "cavity/dataset.hpp"

namespace cavity {

/// A column of a table.
struct FeatureAsinh {
  std::vector<double> median;
  /// 1.4826 median absolute deviation; where that is 0, 1.2533 times the mean one; 1 where that is 0, too.
  std::vector<double> spread;
};

/// All values are finite. O(samples features).
FeatureAsinh fit_feature_asinh(const FeatureMatrix& values, ThreadPool& pool);

/// In place, column by column; borrowed values are copied first.
void take_feature_asinh(const FeatureAsinh& asinh, FeatureMatrix& values, ThreadPool& pool);

}  // namespace cavity
