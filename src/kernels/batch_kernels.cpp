#include "kernels/batch_kernels.hpp"

#include <type_traits>

#include "kernels/dense_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/batch_kernels.cpp"
#include <hwy/foreach_target.h>
// must come after foreach_target.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace cavity::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Columns go in strips of whole vectors: of 16 floats where there are such vectors, the last 8 in a half one.
#if HWY_TARGET == HWY_SCALAR
constexpr std::size_t lanes = 1;
#else
constexpr std::size_t lanes = (HWY_MAX_BYTES > 64 ? std::size_t{64} : HWY_MAX_BYTES) / sizeof(float);
#endif
using D = hn::CappedTag<float, lanes>;
using Narrow = hn::CappedTag<float, (lanes < column_group ? lanes : column_group)>;

// Accumulators that fit in registers: 8 rows x 3 vectors of 32 registers (AVX-512), 4 x 3 of 16 (AVX2), 4 x 2 (SSE4,
// NEON).
constexpr std::size_t rows_at_once = lanes >= 16 ? 8 : 4;
constexpr std::size_t most_vectors = lanes >= 8 ? 3 : 2;
constexpr std::size_t prefetch_distance = 32;  // floats

template <class Tag>
HWY_INLINE void add_to(Tag d, hn::Vec<Tag> sum, double* c) {
#if HWY_TARGET == HWY_SCALAR
  (void)d;
  *c += static_cast<double>(hn::GetLane(sum));
#else
  const hn::Half<Tag> half;
  const hn::Rebind<double, decltype(half)> w;
  const std::size_t count = hn::Lanes(w);
  (void)d;
  hn::StoreU(hn::Add(hn::LoadU(w, c), hn::PromoteTo(w, hn::LowerHalf(half, sum))), w, c);
  hn::StoreU(hn::Add(hn::LoadU(w, c + count), hn::PromoteTo(w, hn::UpperHalf(half, sum))), w, c + count);
#endif
}

// `full` vectors of D, then `half` (0 or 1) of Narrow.
template <std::size_t rows, std::size_t full, std::size_t half>
HWY_INLINE void block(const FloatView& a, std::size_t depth, const float* b, std::size_t columns, double* c) {
  const D d;
  const Narrow narrow;
  hn::Vec<D> sum[rows][full + 1];
  hn::Vec<Narrow> rest[rows];
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t v = 0; v < full; ++v) sum[r][v] = hn::Zero(d);
    rest[r] = hn::Zero(narrow);
  }
  // Down a column of samples no hardware prefetcher follows: fetch the line that the blocks after this one read.
  const bool columnwise = a.inner_step > 1;
  for (std::size_t k = 0; k < depth; ++k) {
    if (columnwise) __builtin_prefetch(a.values + k * a.inner_step + prefetch_distance);
    hn::Vec<D> right[full + 1];
    for (std::size_t v = 0; v < full; ++v) right[v] = hn::LoadU(d, b + k * columns + v * lanes);
    hn::Vec<Narrow> last = hn::Zero(narrow);
    if constexpr (half > 0) last = hn::LoadU(narrow, b + k * columns + full * lanes);
    for (std::size_t r = 0; r < rows; ++r) {
      const float left = a.values[r * a.row_step + k * a.inner_step];
      const hn::Vec<D> wide = hn::Set(d, left);
      for (std::size_t v = 0; v < full; ++v) sum[r][v] = hn::MulAdd(wide, right[v], sum[r][v]);
      if constexpr (half > 0) rest[r] = hn::MulAdd(hn::Set(narrow, left), last, rest[r]);
    }
  }
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t v = 0; v < full; ++v) add_to(d, sum[r][v], c + r * columns + v * lanes);
    if constexpr (half > 0) add_to(narrow, rest[r], c + r * columns + full * lanes);
  }
}

struct Strip {
  const FloatView& a;
  std::size_t rows, depth;
  const float* b;
  std::size_t columns;
  double* c;
};

template <std::size_t full, std::size_t half>
void multiply_strip(const Strip& s, std::size_t first) {
  std::size_t i = 0;
  const auto at = [&](std::size_t row) {
    return FloatView{s.a.values + row * s.a.row_step, s.a.row_step, s.a.inner_step};
  };
  for (; i + rows_at_once <= s.rows; i += rows_at_once)
    block<rows_at_once, full, half>(at(i), s.depth, s.b + first, s.columns, s.c + i * s.columns + first);
  for (; i < s.rows; ++i) block<1, full, half>(at(i), s.depth, s.b + first, s.columns, s.c + i * s.columns + first);
}

void MultiplyAddTarget(const FloatView& a, std::size_t rows, std::size_t depth, const float* b, std::size_t columns,
                       double* c) {
  const Strip strip{a, rows, depth, b, columns, c};
  std::size_t j = 0;
  const auto left = [&] { return columns - j; };
  const auto take = [&](auto full, auto half) HWY_ATTR {
    multiply_strip<full, half>(strip, j);
    j += full * lanes + half * column_group;
  };
  using std::integral_constant;
  constexpr integral_constant<std::size_t, 0> none;
  constexpr integral_constant<std::size_t, 1> one;
  constexpr integral_constant<std::size_t, 2> two;
  constexpr integral_constant<std::size_t, most_vectors> most;
  while (left() >= most_vectors * lanes) take(most, none);
  if constexpr (lanes > column_group) {
    if (left() >= 2 * lanes + column_group) take(two, one);
    if (left() >= 2 * lanes) take(two, none);
    if (left() >= lanes + column_group) take(one, one);
    if (left() >= lanes) take(one, none);
    if (left() > 0) take(none, one);
  } else {
    while (left() > 0) take(one, none);
  }
}

// `count` is known where it is not 0.
template <std::size_t known>
HWY_INLINE void add_some_rows(const float* rows, std::size_t stride, std::size_t count, const double* u, std::size_t n,
                              double* out) {
  if constexpr (known > 0) count = known;
  const D d;
  std::size_t j = 0;
  for (; j + lanes <= n; j += lanes) {
    hn::Vec<D> sum = hn::Zero(d);
    for (std::size_t r = 0; r < count; ++r)
      sum = hn::Add(sum, hn::Mul(hn::LoadU(d, rows + r * stride + j), hn::Set(d, static_cast<float>(u[r]))));
    add_to(d, sum, out + j);
  }
  for (; j < n; ++j) {
    float sum = 0;
    for (std::size_t r = 0; r < count; ++r) sum += rows[r * stride + j] * static_cast<float>(u[r]);
    out[j] += static_cast<double>(sum);
  }
}

void AddRowsTarget(const float* rows, std::size_t stride, std::size_t count, const double* u, std::size_t n,
                   double* out) {
  if (count == row_group)
    add_some_rows<row_group>(rows, stride, count, u, n, out);
  else
    add_some_rows<0>(rows, stride, count, u, n, out);
}

void ScaleRowTarget(const float* values, const FloatScaling& scaling, std::size_t n, float* out) {
  const D d;
  using V = hn::Vec<D>;
  const V row = hn::Set(d, scaling.row_scale);
  std::size_t j = 0;
  for (; j + hn::Lanes(d) <= n; j += hn::Lanes(d)) {
    __builtin_prefetch(values + j + n, 0, 2);  // this sample's next panel
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
HWY_EXPORT(AddRowsTarget);
HWY_EXPORT(ScaleRowTarget);

void multiply_add(const FloatView& a, std::size_t rows, std::size_t depth, const float* b, std::size_t columns,
                  double* c) {
  HWY_DYNAMIC_DISPATCH(MultiplyAddTarget)(a, rows, depth, b, columns, c);
}

void add_rows(const float* rows, std::size_t stride, std::size_t count, const double* u, std::size_t n, double* out) {
  HWY_DYNAMIC_DISPATCH(AddRowsTarget)(rows, stride, count, u, n, out);
}

void scale_row(const float* values, const FloatScaling& scaling, std::size_t n, float* out) {
  HWY_DYNAMIC_DISPATCH(ScaleRowTarget)(values, scaling, n, out);
}

}  // namespace cavity::kernels
#endif
