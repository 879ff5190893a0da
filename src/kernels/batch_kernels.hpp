// SIMD kernels for many models at once, and for one where that is precise enough (Highway, dispatched at run time):
// single precision within short sums, which are then added up in double. A batch is padded to a multiple of
// `column_group` models with zeros.
#pragma once

#include <cstddef>

namespace cavity::kernels {

inline constexpr std::size_t column_group = 8;

/// A(i, k) = values[i*row_step + k*inner_step]
struct FloatView {
  const float* values;
  std::size_t row_step, inner_step;
};

/// c[i*columns + j] += sum_{k < depth} A(i, k) b[k*columns + j] for `rows` rows; columns a multiple of column_group.
void multiply_add(const FloatView& a, std::size_t rows, std::size_t depth, const float* b, std::size_t columns,
                  double* c);

/// out[j] += sum_r u[r] rows[r*stride + j] over `count` rows: few, because products and sums over them are in single
/// precision. No product is fused with a sum, so that all targets round alike.
void add_rows(const float* rows, std::size_t stride, std::size_t count, const double* u, std::size_t n, double* out);

/// What turns stored values of one sample into design entries: r ((value - centre) scale). The centre is held in two
/// floats, so that a mean far from zero costs no digits.
struct FloatScaling {
  const float *centre, *centre_rest, *scale;  // a feature
  float row_scale;
};
void scale_row(const float* values, const FloatScaling& scaling, std::size_t n, float* out);

}  // namespace cavity::kernels
