// Samples that are left out a fold at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/random.hpp"

namespace cavity {

inline constexpr std::uint64_t dealing_stream = 1 << 20;  // of the seed's random numbers

/// A sample: its fold. By chance, both classes spread evenly; at most one a sample.
std::vector<std::size_t> deal_folds(std::span<const std::int8_t> labels, std::size_t folds, Random random);

}  // namespace cavity
