// SIMD kernels of the dense design (Highway, dispatched at run time): float32 in memory, double in arithmetic.
#pragma once

#include <cmath>
#include <cstddef>
#include <type_traits>

namespace cavity::kernels {

/// Traces become nothing in single precision: many processors take a hundred times as long where a product of them
/// falls below 1e-38.
template <class T>
T without_traces(double x) {
  constexpr double trace = 1e-25;
  if constexpr (std::is_same_v<T, float>)
    return std::abs(x) < trace ? 0.0F : static_cast<float>(x);
  else
    return x;
}

/// Rows taken together by dot_rows and axpy_rows, so that v and out are loaded once for all of them.
inline constexpr std::size_t row_group = 8;

/// out[r] = sum_j rows[r*stride + j] v[j] for `count` <= row_group rows.
void dot_rows(const float* rows, std::size_t stride, std::size_t count, const double* v, std::size_t n, double* out);

/// out[j] += sum_r u[r] rows[r*stride + j], added in the order of r.
void axpy_rows(const float* rows, std::size_t stride, std::size_t count, const double* u, std::size_t n, double* out);

/// A tile is 16 columns wide and k deep: tile[k*16 + i].
inline constexpr std::size_t tile_width = 16;

/// out = tile with row k times t[k].
void weight_tile(const double* tile, const double* t, std::size_t depth, double* out);
void weight_tile(const float* tile, const double* t, std::size_t depth, float* out);

/// c[i*ldc + j] += sum_k a[k*16 + i] b[k*16 + j] for the 16 x 16 block.
void multiply_tiles(const double* a, const double* b, std::size_t depth, double* c, std::size_t ldc);

/// The same in single precision, for a depth of at most `float_depth`: the sums go to c in double.
inline constexpr std::size_t float_depth = 128;
void multiply_tiles(const float* a, const float* b, std::size_t depth, double* c, std::size_t ldc);

/// For the 16 columns of x whose group g of 16 rows is the tile at x + g*step, [l*16 + i]:
/// total[l*16 + i] += x_i,l sum_k w[k*16 + i] x_k,l, with i the rows of `group` and k all rows up to its last.
void add_forms(const double* x, std::size_t step, std::size_t group, const double* w, double* total);
void add_forms(const float* x, std::size_t step, std::size_t group, const float* w, float* total);

/// out[l] = sum_i rows[l*16 + i], 16 of them.
void sum_rows(const double* rows, double* out);
void sum_rows(const float* rows, double* out);

}  // namespace cavity::kernels
