// Weights that change nothing that is told.
#pragma once

namespace cavity {

/// Of a probability or of a weight in a mixture: what is lighter is left out, since it costs time and memory.
inline constexpr double negligible = 0.02;

}  // namespace cavity
