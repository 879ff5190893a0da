// Sums over long vectors for Anderson acceleration: a score of vectors against each other, every step.
#pragma once

#include <cstddef>
#include <span>

namespace cavity::kernels {

/// Coordinates whose products are summed at once, before those of the next: a score of vectors stays in the
/// second-level cache.
inline constexpr std::size_t strip = 1024;

/// out_ij = sum_l weight_l^2 v_i,l v_j,l for j <= i; out is row-major, as wide as there are vectors. All vectors are as
/// long as the weight.
void weighted_products(std::span<const double* const> vectors, std::span<const double> weight, double* out);

/// out += sum_i factor_i v_i; the bits of a coordinate do not depend on where it stands.
void add_scaled(std::span<const double* const> vectors, std::span<const double> factor, std::span<double> out);

}  // namespace cavity::kernels
