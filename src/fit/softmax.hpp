// Scores of the classes become probabilities.
#pragma once

#include "base/matrix.hpp"

namespace cavity {

/// ln of the softmax of each row.
Matrix log_softmax(Matrix scores);

/// Rows of sum 1; no class gets less than its even part of `floor`.
Matrix floored_softmax(const Matrix& scores, double floor);

/// Half an error among so many samples cannot be excluded.
inline double floor_of(std::size_t samples) { return 0.5 / static_cast<double>(samples + 1); }

}  // namespace cavity
