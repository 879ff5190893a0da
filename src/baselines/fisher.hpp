// Fisher's discriminant: the direction  w = S^+ (m_plus - m_minus),  S the within-class scatter, and the threshold half
// way between the projected class means.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "design/design.hpp"

namespace cavity {

enum class Scatter {
  pseudo_inverse,  // directions without within-class scatter are ignored
  shrunk,          // (1 - s) S/M + s tr(S)/(M N) I, s by Ledoit and Wolf (2004)
};

struct FisherDirection {
  std::vector<double> weights;  // score = x . weights / sqrt(features) + intercept; mean square 1
  double intercept = 0;
  double shrinkage = 0;  // s; 0 for the pseudo-inverse
  std::size_t rank = 0;  // of the within-class scatter
};

/// O(M^2 N + M^3) with fewer samples M than features N, else O(M N^2 + N^3): the smaller side only. Where no direction
/// has within-class scatter (one sample a class) the difference of the means is the direction.
/// Throws std::invalid_argument unless both classes have a sample.
FisherDirection fisher_discriminant(const Design& design, std::span<const std::int8_t> labels, Scatter scatter,
                                    ThreadPool& pool);

}  // namespace cavity
