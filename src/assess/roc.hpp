// The receiver operating characteristic as a line to draw; its area is the AUC of cavity/accuracy.hpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace cavity {

struct RocPoint {
  double threshold = 0;  // called positive from this probability on; infinite: none is
  double false_positive = 0, true_positive = 0;
};

/// From (0, 0) to (1, 1), equal probabilities moving together; points on a straight piece of the staircase are left
/// out. Nothing where a class is empty.
std::vector<RocPoint> roc_corners(std::span<const double> probability, std::span<const std::int8_t> labels);

}  // namespace cavity
