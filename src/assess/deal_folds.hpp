// Samples that are left out a fold at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "assess/sample_groups.hpp"

namespace cavity {

/// As many as what is said of samples left out is earned by. A class with fewer samples is not in all of them.
inline constexpr std::size_t folds_to_earn = 5;

/// Of what is left out one by one; where there is more it is left out in so many parts.
inline constexpr std::size_t most_parts = 100;

inline constexpr std::uint64_t dealing_stream = 1 << 20;  // of the seed's random numbers

/// A sample: its fold. By chance, both classes spread evenly; at most one a sample.
std::vector<std::size_t> deal_folds(std::span<const std::int8_t> labels, std::size_t folds, Random random);

/// The same deal whenever it is asked for; samples of a group in one fold.
std::vector<std::size_t> deal_folds(std::span<const std::int8_t> labels, const SampleGroups* groups, std::size_t folds);

}  // namespace cavity
