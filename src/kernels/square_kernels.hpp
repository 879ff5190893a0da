// SIMD kernels of products with squared entries (Highway, dispatched at run time): float32 in memory, double in
// arithmetic, centred before they are squared so that a mean far from zero costs no digits.
#pragma once

#include <cstddef>

namespace cavity::kernels {

/// At most row_group (dense_kernels.hpp) rows of values, `stride` apart.
struct FloatRows {
  const float* values;
  std::size_t stride, count;
};

/// out[r] = sum_j (row_r[j] - centre[j])^2 v[j]
void dot_squares(const FloatRows& rows, const double* centre, const double* v, std::size_t n, double* out);

/// out[j] += sum_r u[r] (row_r[j] - centre[j])^2, added in the order of r.
void add_squares(const FloatRows& rows, const double* centre, const double* u, std::size_t n, double* out);

}  // namespace cavity::kernels
