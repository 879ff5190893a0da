// Features that are measurements of one kind.
#pragma once

#include <cstddef>

namespace cavity {

/// From which what a sample has of them together tells of the sample: its ranks, its twins, which few of them decide.
inline constexpr std::size_t fewest_of_one_kind = 50;

}  // namespace cavity
