// Which samples train and which test in split number s: a function of the seed and s alone.
#pragma once

#include <cstddef>
#include <vector>

#include "cavity/compare.hpp"

namespace cavity {

struct Split {
  std::vector<std::size_t> train, test;  // samples, increasing
};

/// Samples of a group are on the same side, and then about as many train as asked for. UsageError when 100 draws leave
/// a class out of the training part, or but for one group.
Split draw_split(const Dataset& data, const CompareOptions& options, std::size_t number);

/// A copy of some samples.
Dataset take_samples(const Dataset& data, const std::vector<std::size_t>& samples);

}  // namespace cavity
