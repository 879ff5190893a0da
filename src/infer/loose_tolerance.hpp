// How exactly is exact enough where little hangs on it.
#pragma once

namespace cavity {

/// Of ep's cells that may turn out not to be needed: leave-one-out is then known to a thousandth, and half of the
/// updates are spared.
inline constexpr double loose_tolerance = 1e-3;

/// Times the tolerance that was asked for: where only the probabilities of a few samples are wanted, or the joining of
/// several questions tells no more.
inline constexpr double looser = 1e3;

}  // namespace cavity
