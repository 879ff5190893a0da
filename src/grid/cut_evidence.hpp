// How well one feature alone may tell the classes apart, summed over all: cut at some value, labels above it are of one
// class and labels below of the other, but for flips. Cheap and exact, so that it can say in which of two forms of a
// table few features have more to say.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace cavity {

class CutEvidence {
 public:
  /// `flip` in (0, 1/2).
  CutEvidence(std::span<const std::int8_t> labels, double flip);

  /// P(labels) if this feature decides, in units of what it is where every label agrees; both directions alike, cuts
  /// near the median likelier. `place` as for_columns (prepare/column_scores.hpp) has it. O(samples).
  double of(std::span<const std::uint32_t> place) const;

 private:
  std::span<const std::int8_t> labels_;
  std::vector<double> prior_;       // of a cut below place i + 1, i from 0
  std::vector<double> likelihood_;  // of so many labels that agree, both directions together
  int positive_ = 0;
};

}  // namespace cavity
