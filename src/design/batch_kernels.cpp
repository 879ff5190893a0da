#include "design/batch_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "design/batch_kernels.cpp"
#include <hwy/foreach_target.h>
// must come after foreach_target.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace cavity::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// At most 16 lanes, so that a group of columns is a whole number of vectors on every target.
using D = hn::CappedTag<float, column_group>;
using V = hn::Vec<D>;
using Half = hn::Half<D>;
using Wide = hn::Rebind<double, Half>;

#if HWY_TARGET == HWY_SCALAR
constexpr std::size_t group_vectors = column_group;
#else
constexpr std::size_t group_vectors =
    column_group / ((HWY_MAX_BYTES > 64 ? std::size_t{64} : HWY_MAX_BYTES) / sizeof(float));
#endif
// Accumulators that fit in registers: 8 rows x 3 vectors of 32 (AVX-512), 6 x 2 of 16 (AVX2), 2 x 4 of 16 (SSE4, NEON).
constexpr std::size_t rows_at_once = group_vectors == 1 ? 8 : (group_vectors == 2 ? 6 : 2);
constexpr std::size_t most_groups = group_vectors == 1 ? 3 : 1;

#if HWY_TARGET == HWY_SCALAR
HWY_INLINE void add_to(V sum, double* c) { *c += static_cast<double>(hn::GetLane(sum)); }
#else
HWY_INLINE void add_to(V sum, double* c) {
  const Wide w;
  const std::size_t half = hn::Lanes(w);
  hn::StoreU(hn::Add(hn::LoadU(w, c), hn::PromoteTo(w, hn::LowerHalf(Half(), sum))), w, c);
  hn::StoreU(hn::Add(hn::LoadU(w, c + half), hn::PromoteTo(w, hn::UpperHalf(Half(), sum))), w, c + half);
}
#endif

template <std::size_t rows, std::size_t groups>
HWY_INLINE void block(const FloatView& a, std::size_t depth, const float* b, std::size_t columns, double* c) {
  constexpr std::size_t vectors = groups * group_vectors;
  const D d;
  V sum[rows][vectors];
  for (auto& row : sum)
    for (auto& v : row) v = hn::Zero(d);
  for (std::size_t k = 0; k < depth; ++k) {
    V right[vectors];
    for (std::size_t v = 0; v < vectors; ++v) right[v] = hn::LoadU(d, b + k * columns + v * hn::Lanes(d));
    for (std::size_t r = 0; r < rows; ++r) {
      const V left = hn::Set(d, a.values[r * a.row_step + k * a.inner_step]);
      for (std::size_t v = 0; v < vectors; ++v) sum[r][v] = hn::MulAdd(left, right[v], sum[r][v]);
    }
  }
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t v = 0; v < vectors; ++v) add_to(sum[r][v], c + r * columns + v * hn::Lanes(d));
}

template <std::size_t groups>
void Columns(const FloatView& a, std::size_t rows, std::size_t depth, const float* b, std::size_t columns, double* c) {
  std::size_t i = 0;
  const auto at = [&](std::size_t row) { return FloatView{a.values + row * a.row_step, a.row_step, a.inner_step}; };
  for (; i + rows_at_once <= rows; i += rows_at_once)
    block<rows_at_once, groups>(at(i), depth, b, columns, c + i * columns);
  for (; i < rows; ++i) block<1, groups>(at(i), depth, b, columns, c + i * columns);
}

void MultiplyAddTarget(const FloatView& a, std::size_t rows, std::size_t depth, const float* b, std::size_t columns,
                       double* c) {
  std::size_t j = 0;
  if constexpr (most_groups == 3) {
    for (; j + 3 * column_group <= columns; j += 3 * column_group) Columns<3>(a, rows, depth, b + j, columns, c + j);
    if (j + 2 * column_group <= columns) {
      Columns<2>(a, rows, depth, b + j, columns, c + j);
      j += 2 * column_group;
    }
  }
  for (; j < columns; j += column_group) Columns<1>(a, rows, depth, b + j, columns, c + j);
}

void ScaleRowTarget(const float* values, const FloatScaling& scaling, std::size_t n, float* out) {
  const D d;
  const V row = hn::Set(d, scaling.row_scale);
  std::size_t j = 0;
  for (; j + hn::Lanes(d) <= n; j += hn::Lanes(d)) {
    const V centred = hn::Sub(hn::Sub(hn::LoadU(d, values + j), hn::LoadU(d, scaling.centre + j)),
                              hn::LoadU(d, scaling.centre_rest + j));
    hn::StoreU(hn::Mul(row, hn::Mul(centred, hn::LoadU(d, scaling.scale + j))), d, out + j);
  }
  for (; j < n; ++j)
    out[j] = scaling.row_scale * (((values[j] - scaling.centre[j]) - scaling.centre_rest[j]) * scaling.scale[j]);
}

}  // namespace cavity::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cavity::kernels {

HWY_EXPORT(MultiplyAddTarget);
HWY_EXPORT(ScaleRowTarget);

void multiply_add(const FloatView& a, std::size_t rows, std::size_t depth, const float* b, std::size_t columns,
                  double* c) {
  HWY_DYNAMIC_DISPATCH(MultiplyAddTarget)(a, rows, depth, b, columns, c);
}

void scale_row(const float* values, const FloatScaling& scaling, std::size_t n, float* out) {
  HWY_DYNAMIC_DISPATCH(ScaleRowTarget)(values, scaling, n, out);
}

}  // namespace cavity::kernels
#endif
