// Complementary halves of the samples: both classes halved, samples of a group on one side.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assess/sample_groups.hpp"
#include "base/random.hpp"

namespace cavity {

/// Two halves without a sample in common, each in ascending order. Without groups both have floor(n/2) of each class,
/// so that a sample of an odd class is in neither; whole groups are dealt as evenly as they can be.
struct HalfPair {
  std::vector<std::size_t> first, second;
};
HalfPair draw_halves(std::span<const std::int8_t> labels, const SampleGroups* groups, Random random);

}  // namespace cavity
