#include "kernels/square_kernels.hpp"

#include <type_traits>

#include "kernels/dense_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/square_kernels.cpp"
#include <hwy/foreach_target.h>
// must come after foreach_target.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace cavity::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, 8>;
using V = hn::Vec<D>;
using F = hn::Rebind<float, D>;

HWY_INLINE V centred_square(const float* value, V centre) {
  const V x = hn::Sub(hn::PromoteTo(D(), hn::LoadU(F(), value)), centre);
  return hn::Mul(x, x);
}

HWY_INLINE double centred_square(float value, double centre) {
  const double x = static_cast<double>(value) - centre;
  return x * x;
}

template <std::size_t count>
void DotSquares(const FloatRows& rows, const double* centre, const double* v, std::size_t n, double* out) {
  const D d;
  V sum[count];
  for (auto& s : sum) s = hn::Zero(d);
  std::size_t j = 0;
  for (; j + hn::Lanes(d) <= n; j += hn::Lanes(d)) {
    const V c = hn::LoadU(d, centre + j), weight = hn::LoadU(d, v + j);
    for (std::size_t r = 0; r < count; ++r)
      sum[r] = hn::MulAdd(centred_square(rows.values + r * rows.stride + j, c), weight, sum[r]);
  }
  for (std::size_t r = 0; r < count; ++r) {
    out[r] = hn::GetLane(hn::SumOfLanes(d, sum[r]));
    for (std::size_t i = j; i < n; ++i) out[r] += centred_square(rows.values[r * rows.stride + i], centre[i]) * v[i];
  }
}

template <std::size_t count>
void AddSquares(const FloatRows& rows, const double* centre, const double* u, std::size_t n, double* out) {
  const D d;
  V weight[count];
  for (std::size_t r = 0; r < count; ++r) weight[r] = hn::Set(d, u[r]);
  std::size_t j = 0;
  for (; j + hn::Lanes(d) <= n; j += hn::Lanes(d)) {
    const V c = hn::LoadU(d, centre + j);
    V sum = hn::LoadU(d, out + j);
    for (std::size_t r = 0; r < count; ++r)
      sum = hn::MulAdd(centred_square(rows.values + r * rows.stride + j, c), weight[r], sum);
    hn::StoreU(sum, d, out + j);
  }
  for (; j < n; ++j)
    for (std::size_t r = 0; r < count; ++r)
      out[j] += centred_square(rows.values[r * rows.stride + j], centre[j]) * u[r];
}

// Calls the kernel for the number of rows at hand: run(integral_constant<count>).
template <std::size_t most = row_group, class Run>
HWY_INLINE void with_count(std::size_t count, const Run& run) {
  if constexpr (most > 1)
    if (count < most) return with_count<most - 1>(count, run);
  run(std::integral_constant<std::size_t, most>());
}

void DotSquaresTarget(const FloatRows& rows, const double* centre, const double* v, std::size_t n, double* out) {
  with_count(rows.count, [&](auto count) { DotSquares<count>(rows, centre, v, n, out); });
}

void AddSquaresTarget(const FloatRows& rows, const double* centre, const double* u, std::size_t n, double* out) {
  with_count(rows.count, [&](auto count) { AddSquares<count>(rows, centre, u, n, out); });
}

}  // namespace cavity::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cavity::kernels {

HWY_EXPORT(DotSquaresTarget);
HWY_EXPORT(AddSquaresTarget);

void dot_squares(const FloatRows& rows, const double* centre, const double* v, std::size_t n, double* out) {
  HWY_DYNAMIC_DISPATCH(DotSquaresTarget)(rows, centre, v, n, out);
}

void add_squares(const FloatRows& rows, const double* centre, const double* u, std::size_t n, double* out) {
  HWY_DYNAMIC_DISPATCH(AddSquaresTarget)(rows, centre, u, n, out);
}

}  // namespace cavity::kernels
#endif
