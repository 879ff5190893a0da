// Real weights as integers of a common unit.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

namespace cavity {

class WeightUnit {
 public:
  /// Such that `largest` is `integers` units; 0 (or so little that the unit would underflow) makes all weights 0.
  WeightUnit(double largest, std::int64_t integers)
      : unit_(largest > 1e-290 ? largest / static_cast<double>(integers) : 0), inverse_(unit_ > 0 ? 1 / unit_ : 0) {}

  /// For weights up to `largest`.
  std::int32_t integer(double weight) const {
    constexpr double to_integers = 0x1.8p52;  // what is added to it is rounded to an integer
    return static_cast<std::int32_t>(weight * inverse_ + to_integers - to_integers);
  }
  /// What rounding to an integer leaves: at most half a unit.
  double rest(double weight) const { return weight - unit_ * integer(weight); }
  double size() const { return unit_; }
  double real(std::int64_t sum) const { return unit_ * static_cast<double>(sum); }

 private:
  double unit_, inverse_;
};

/// Infinite where a weight is not finite.
inline double largest_size(std::span<const double> weights) {
  double largest = 0;
  for (const double weight : weights)
    largest = std::isfinite(weight) ? std::max(largest, std::abs(weight)) : std::numeric_limits<double>::infinity();
  return largest;
}

}  // namespace cavity
