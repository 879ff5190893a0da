// Real weights as integers of a common unit.
#pragma once

#include <cmath>
#include <cstdint>

#include "design/genotype_kernels.hpp"

namespace cavity {

class WeightUnit {
 public:
  /// For weights up to `largest`; none of them counts where it is 0 (or so small that its unit would underflow).
  explicit WeightUnit(double largest)
      : unit_(largest > 1e-290 ? largest / kernels::largest_weight : 0), inverse_(unit_ > 0 ? 1 / unit_ : 0) {}

  std::int32_t integer(double weight) const {
    const double rounded = std::nearbyint(weight * inverse_);
    return static_cast<std::int32_t>(std::fmin(std::fmax(rounded, -kernels::largest_weight), kernels::largest_weight));
  }
  double real(std::int64_t sum) const { return unit_ * static_cast<double>(sum); }

 private:
  double unit_, inverse_;
};

}  // namespace cavity
