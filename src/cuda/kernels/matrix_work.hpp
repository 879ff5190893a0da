// What no library does with samples x samples matrices and panels of features. Column-major, sizes in entries.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace cavity::cuda {

/// The upper triangle becomes the lower one's mirror.
void mirror_lower(double* values, std::size_t size, cudaStream_t stream);

/// out = I + root K root in the lower triangle, 0 above it.
void make_system(const double* k, const double* root, std::size_t size, double* out, cudaStream_t stream);

/// Of the lower triangle column j times scale[j]; 0 above it.
void scale_lower(double* values, const double* scale, std::size_t size, cudaStream_t stream);

/// Of a lower triangular matrix each `inverse_block` x `inverse_block` block on the diagonal becomes its inverse; all
/// that stands above the diagonal becomes 0.
inline constexpr int inverse_block = 32;
void invert_diagonal_blocks(double* values, std::size_t size, cudaStream_t stream);

void take_diagonal(const double* values, std::size_t size, double* out, cudaStream_t stream);
/// All else becomes 0.
void make_diagonal(const double* diagonal, std::size_t size, double* out, cudaStream_t stream);

/// Column j of a matrix of `rows` rows times scale[j].
void scale_columns(double* values, const double* scale, std::size_t rows, std::size_t columns, cudaStream_t stream);

/// out[j] = |column j|^2
void column_squares(const double* values, std::size_t rows, std::size_t columns, double* out, cudaStream_t stream);

/// out[i] += sign sum_j a(i, j) b(i, j), in an order of its own that is always the same. `work`: row_sum_parts x rows.
inline constexpr std::size_t row_sum_parts = 16;
void add_row_products(const double* a, const double* b, std::size_t rows, std::size_t columns, double sign, double* out,
                      double* work, cudaStream_t stream);

/// out(:, i) = scale[i] values(:, which[i])
void gather_columns(const double* values, std::size_t rows, const int* which, const double* scale, std::size_t count,
                    double* out, cudaStream_t stream);

/// out(i, j) = values(which[i], j)
void gather_rows(const double* values, std::size_t rows, std::size_t columns, const int* which, std::size_t count,
                 double* out, cudaStream_t stream);

/// out[i] = a(:, which[i]) . b(:, i)
void paired_dots(const double* a, const double* b, std::size_t rows, const int* which, std::size_t count, double* out,
                 cudaStream_t stream);

/// From the lower triangle of M^T M: covariance = diag(d) - M^T M, its diagonal replaced by `diagonal` where that is
/// not NaN, both triangles; system = I - root covariance root.
struct MemberInputs {
  const double *base, *diagonal, *root;
};
void make_members(double* gram_to_covariance, const MemberInputs& inputs, std::size_t size, double* system,
                  cudaStream_t stream);

}  // namespace cavity::cuda
