// Samples that are nearly equal: one of them left out is not new to a classifier that has seen the other.
#pragma once

#include <cstddef>
#include <vector>

#include "design/design.hpp"

namespace cavity {

struct Twins {
  std::size_t first, second;  // samples
  double correlation;         // of their rows, over features
};

/// Pairs whose correlation stands far beyond that of the other pairs: arctanh(r) more than 10 robust deviations from
/// the median, and r > 0.4; the closest first. Looks at features evenly spaced, as many as are cheap; none of fewer
/// than 50 features. O(samples^2) correlations. `features` are those of all processes.
std::vector<Twins> find_twins(const Design& design, std::size_t features, ThreadPool& pool);

}  // namespace cavity
