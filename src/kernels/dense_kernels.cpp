#include "kernels/dense_kernels.hpp"

#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/dense_kernels.cpp"
#include <hwy/foreach_target.h>
// must come after foreach_target.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace cavity::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// At most 8 lanes, so that a 16-wide tile is a whole number of vectors on every target.
using D = hn::CappedTag<double, 8>;
using V = hn::Vec<D>;
using F = hn::Rebind<float, D>;

HWY_INLINE V load_float(const float* p) { return hn::PromoteTo(D(), hn::LoadU(F(), p)); }

// Bytes ahead of the row's read: eight rows side by side are more than the hardware's prefetcher follows by itself.
// From 640 on lines push each other out of the first-level cache.
constexpr std::size_t dot_ahead = 320;

template <std::size_t count>
void DotRows(const float* rows, std::size_t stride, const double* v, std::size_t n, double* out) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  V even[count], odd[count];
  for (std::size_t r = 0; r < count; ++r) even[r] = odd[r] = hn::Zero(d);
  std::size_t j = 0;
  for (; j + 2 * lanes <= n; j += 2 * lanes) {
    const V v0 = hn::LoadU(d, v + j), v1 = hn::LoadU(d, v + j + lanes);
    for (std::size_t r = 0; r < count; ++r) {
      __builtin_prefetch(rows + r * stride + j + dot_ahead / sizeof(float));
      even[r] = hn::MulAdd(load_float(rows + r * stride + j), v0, even[r]);
      odd[r] = hn::MulAdd(load_float(rows + r * stride + j + lanes), v1, odd[r]);
    }
  }
  for (std::size_t r = 0; r < count; ++r) out[r] = hn::GetLane(hn::SumOfLanes(d, hn::Add(even[r], odd[r])));
  for (; j < n; ++j)
    for (std::size_t r = 0; r < count; ++r) out[r] += static_cast<double>(rows[r * stride + j]) * v[j];
}

template <std::size_t count>
void AxpyRows(const float* rows, std::size_t stride, const double* u, std::size_t n, double* out) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  V scale[count];
  for (std::size_t r = 0; r < count; ++r) scale[r] = hn::Set(d, u[r]);
  std::size_t j = 0;
  for (; j + lanes <= n; j += lanes) {
    V sum = hn::LoadU(d, out + j);
    for (std::size_t r = 0; r < count; ++r) sum = hn::MulAdd(load_float(rows + r * stride + j), scale[r], sum);
    hn::StoreU(sum, d, out + j);
  }
  for (; j < n; ++j)
    for (std::size_t r = 0; r < count; ++r) out[j] += static_cast<double>(rows[r * stride + j]) * u[r];
}

// Calls the kernel for the number of rows at hand: run(integral_constant<count>).
template <std::size_t most = row_group, class Run>
HWY_INLINE void with_count(std::size_t count, const Run& run) {
  if constexpr (most > 1)
    if (count < most) return with_count<most - 1>(count, run);
  run(std::integral_constant<std::size_t, most>());
}

void DotRowsTarget(const float* rows, std::size_t stride, std::size_t count, const double* v, std::size_t n,
                   double* out) {
  with_count(count, [&](auto rows_now) { DotRows<rows_now>(rows, stride, v, n, out); });
}

void AxpyRowsTarget(const float* rows, std::size_t stride, std::size_t count, const double* u, std::size_t n,
                    double* out) {
  with_count(count, [&](auto rows_now) { AxpyRows<rows_now>(rows, stride, u, n, out); });
}

#if HWY_TARGET == HWY_SCALAR
constexpr std::size_t vectors = tile_width;
#else
constexpr std::size_t vectors = tile_width / (HWY_MAX_BYTES > 64 ? 8 : HWY_MAX_BYTES / sizeof(double));
#endif
// Accumulators that fit in registers: 2 vectors x 8 rows of 32 registers (AVX-512), else fewer rows.
constexpr std::size_t rows_at_once = vectors <= 2 ? 8 : (vectors <= 4 ? 2 : 1);

// sum += column (rows_at_once values, `step` apart) times the tile's row at b.
template <std::size_t rows>
HWY_INLINE void outer(const double* column, std::size_t step, const double* b, V (&sum)[rows][vectors]) {
  const D d;
  V right[vectors];
  for (std::size_t v = 0; v < vectors; ++v) right[v] = hn::LoadU(d, b + v * hn::Lanes(d));
  for (std::size_t r = 0; r < rows; ++r) {
    const V left = hn::Set(d, column[r * step]);
    for (std::size_t v = 0; v < vectors; ++v) sum[r][v] = hn::MulAdd(left, right[v], sum[r][v]);
  }
}

void MultiplyTilesTarget(const double* a, const double* b, std::size_t depth, double* c, std::size_t ldc) {
  const D d;
  for (std::size_t i = 0; i < tile_width; i += rows_at_once) {
    V sum[rows_at_once][vectors];
    for (auto& row : sum)
      for (auto& v : row) v = hn::Zero(d);
    for (std::size_t k = 0; k < depth; ++k) outer(a + k * tile_width + i, 1, b + k * tile_width, sum);
    for (std::size_t r = 0; r < rows_at_once; ++r)
      for (std::size_t v = 0; v < vectors; ++v) {
        double* at = c + (i + r) * ldc + v * hn::Lanes(d);
        hn::StoreU(hn::Add(hn::LoadU(d, at), sum[r][v]), d, at);
      }
  }
}

// Single precision: at most 16 lanes, a tile's row.
using FD = hn::CappedTag<float, tile_width>;
using FV = hn::Vec<FD>;
#if HWY_TARGET == HWY_SCALAR
constexpr std::size_t float_vectors = tile_width;
#else
constexpr std::size_t float_vectors = tile_width / (HWY_MAX_BYTES > 64 ? 16 : HWY_MAX_BYTES / sizeof(float));
#endif
constexpr std::size_t float_rows = float_vectors == 1 ? 16 : (float_vectors <= 2 ? 4 : 1);

// Register blocks of float_rows rows; the sums leave for double after `depth` products.
HWY_INLINE void float_block(const float* column, std::size_t step, std::size_t inner_step, const float* b,
                            std::size_t depth, float (&out)[float_rows][tile_width]) {
  const FD d;
  FV sum[float_rows][float_vectors];
  for (auto& row : sum)
    for (auto& v : row) v = hn::Zero(d);
  for (std::size_t k = 0; k < depth; ++k) {
    FV right[float_vectors];
    for (std::size_t v = 0; v < float_vectors; ++v) right[v] = hn::LoadU(d, b + k * tile_width + v * hn::Lanes(d));
    for (std::size_t r = 0; r < float_rows; ++r) {
      const FV left = hn::Set(d, column[r * step + k * inner_step]);
      for (std::size_t v = 0; v < float_vectors; ++v) sum[r][v] = hn::MulAdd(left, right[v], sum[r][v]);
    }
  }
  for (std::size_t r = 0; r < float_rows; ++r)
    for (std::size_t v = 0; v < float_vectors; ++v) hn::StoreU(sum[r][v], d, out[r] + v * hn::Lanes(d));
}

void MultiplyFloatTilesTarget(const float* a, const float* b, std::size_t depth, double* c, std::size_t ldc) {
  float sum[float_rows][tile_width];
  for (std::size_t i = 0; i < tile_width; i += float_rows) {
    float_block(a + i, 1, tile_width, b, depth, sum);
    for (std::size_t r = 0; r < float_rows; ++r)
      for (std::size_t j = 0; j < tile_width; ++j) c[(i + r) * ldc + j] += static_cast<double>(sum[r][j]);
  }
}

// How a tile's row lies in vectors, and how many rows of accumulators fit in registers.
template <class T>
struct Shape {
  using Tag = D;
  static constexpr std::size_t row_vectors = vectors, rows = rows_at_once;
};
template <>
struct Shape<float> {
  using Tag = FD;
  static constexpr std::size_t row_vectors = float_vectors, rows = float_rows;
};

template <class T>
void WeightTile(const T* tile, const double* t, std::size_t depth, T* out) {
  const typename Shape<T>::Tag d;
  for (std::size_t k = 0; k < depth; ++k) {
    const auto weight = hn::Set(d, without_traces<T>(t[k]));
    for (std::size_t v = 0; v < Shape<T>::row_vectors; ++v) {
      const std::size_t at = k * tile_width + v * hn::Lanes(d);
      hn::StoreU(hn::Mul(weight, hn::LoadU(d, tile + at)), d, out + at);
    }
  }
}

// For 16 columns l: total[l][i] += x_i,l sum_k w[k*16 + i] x_k,l, with i in the group and k up to its last row; sums
// over k leave the accumulators after float_depth products.
template <class T>
void AddForms(const T* x, std::size_t step, std::size_t group, const T* w, T* total) {
  using S = Shape<T>;
  const typename S::Tag d;
  constexpr std::size_t chunk = float_depth / tile_width;
  for (std::size_t first = 0; first < tile_width; first += S::rows)
    for (std::size_t begin = 0; begin <= group; begin += chunk) {
      hn::Vec<typename S::Tag> sum[S::rows][S::row_vectors];
      for (auto& row : sum)
        for (auto& v : row) v = hn::Zero(d);
      for (std::size_t g = begin; g <= group && g < begin + chunk; ++g) {
        const T* column = x + g * step + first * tile_width;
        const T* right = w + g * tile_width * tile_width;
        for (std::size_t k = 0; k < tile_width; ++k) {
          hn::Vec<typename S::Tag> b[S::row_vectors];
          for (std::size_t v = 0; v < S::row_vectors; ++v)
            b[v] = hn::LoadU(d, right + k * tile_width + v * hn::Lanes(d));
          for (std::size_t r = 0; r < S::rows; ++r) {
            const auto left = hn::Set(d, column[r * tile_width + k]);
            for (std::size_t v = 0; v < S::row_vectors; ++v) sum[r][v] = hn::MulAdd(left, b[v], sum[r][v]);
          }
        }
      }
      for (std::size_t r = 0; r < S::rows; ++r)
        for (std::size_t v = 0; v < S::row_vectors; ++v) {
          const std::size_t at = (first + r) * tile_width + v * hn::Lanes(d);
          hn::StoreU(hn::MulAdd(sum[r][v], hn::LoadU(d, x + group * step + at), hn::LoadU(d, total + at)), d,
                     total + at);
        }
    }
}

void WeightTileTarget(const double* tile, const double* t, std::size_t depth, double* out) {
  WeightTile(tile, t, depth, out);
}
void WeightFloatTileTarget(const float* tile, const double* t, std::size_t depth, float* out) {
  WeightTile(tile, t, depth, out);
}
void AddFormsTarget(const double* x, std::size_t step, std::size_t group, const double* w, double* total) {
  AddForms(x, step, group, w, total);
}
void AddFloatFormsTarget(const float* x, std::size_t step, std::size_t group, const float* w, float* total) {
  AddForms(x, step, group, w, total);
}

void SumRowsTarget(const double* rows, double* out) {
  const D d;
  for (std::size_t r = 0; r < tile_width; ++r) {
    V sum = hn::Zero(d);
    for (std::size_t v = 0; v < vectors; ++v)
      sum = hn::Add(sum, hn::LoadU(d, rows + r * tile_width + v * hn::Lanes(d)));
    out[r] = hn::GetLane(hn::SumOfLanes(d, sum));
  }
}
void SumFloatRowsTarget(const float* rows, double* out) {
  const D d;
  for (std::size_t r = 0; r < tile_width; ++r) {
    V sum = hn::Zero(d);
    for (std::size_t v = 0; v < vectors; ++v) sum = hn::Add(sum, load_float(rows + r * tile_width + v * hn::Lanes(d)));
    out[r] = hn::GetLane(hn::SumOfLanes(d, sum));
  }
}

}  // namespace cavity::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cavity::kernels {

HWY_EXPORT(DotRowsTarget);
HWY_EXPORT(AxpyRowsTarget);
HWY_EXPORT(WeightTileTarget);
HWY_EXPORT(MultiplyTilesTarget);
HWY_EXPORT(MultiplyFloatTilesTarget);
HWY_EXPORT(WeightFloatTileTarget);
HWY_EXPORT(AddFormsTarget);
HWY_EXPORT(AddFloatFormsTarget);
HWY_EXPORT(SumRowsTarget);
HWY_EXPORT(SumFloatRowsTarget);

void dot_rows(const float* rows, std::size_t stride, std::size_t count, const double* v, std::size_t n, double* out) {
  HWY_DYNAMIC_DISPATCH(DotRowsTarget)(rows, stride, count, v, n, out);
}

void axpy_rows(const float* rows, std::size_t stride, std::size_t count, const double* u, std::size_t n, double* out) {
  HWY_DYNAMIC_DISPATCH(AxpyRowsTarget)(rows, stride, count, u, n, out);
}

void weight_tile(const double* tile, const double* t, std::size_t depth, double* out) {
  HWY_DYNAMIC_DISPATCH(WeightTileTarget)(tile, t, depth, out);
}

void multiply_tiles(const double* a, const double* b, std::size_t depth, double* c, std::size_t ldc) {
  HWY_DYNAMIC_DISPATCH(MultiplyTilesTarget)(a, b, depth, c, ldc);
}

void multiply_tiles(const float* a, const float* b, std::size_t depth, double* c, std::size_t ldc) {
  HWY_DYNAMIC_DISPATCH(MultiplyFloatTilesTarget)(a, b, depth, c, ldc);
}

void weight_tile(const float* tile, const double* t, std::size_t depth, float* out) {
  HWY_DYNAMIC_DISPATCH(WeightFloatTileTarget)(tile, t, depth, out);
}

void add_forms(const double* x, std::size_t step, std::size_t group, const double* w, double* total) {
  HWY_DYNAMIC_DISPATCH(AddFormsTarget)(x, step, group, w, total);
}

void add_forms(const float* x, std::size_t step, std::size_t group, const float* w, float* total) {
  HWY_DYNAMIC_DISPATCH(AddFloatFormsTarget)(x, step, group, w, total);
}

void sum_rows(const double* rows, double* out) { HWY_DYNAMIC_DISPATCH(SumRowsTarget)(rows, out); }

void sum_rows(const float* rows, double* out) { HWY_DYNAMIC_DISPATCH(SumFloatRowsTarget)(rows, out); }

}  // namespace cavity::kernels
#endif
