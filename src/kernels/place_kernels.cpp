#include "kernels/place_kernels.hpp"

#include <cmath>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/place_kernels.cpp"
#include <hwy/foreach_target.h>
// must come after foreach_target.h
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace cavity::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Wide = hn::ScalableTag<double>;
using Single = hn::CappedTag<double, 1>;

// Row l of G R^-1 by forward substitution; `whitened` holds it for one vector of features.
template <class D>
HWY_INLINE void moments_at(D d, const PlaceSet& set, std::size_t at, double* whitened, double* mean, double* variance,
                           double* exponent) {
  const std::size_t lanes = hn::Lanes(d);
  auto a = hn::LoadU(d, mean), c = hn::LoadU(d, variance);
  for (std::size_t k = 0; k < set.size; ++k) {
    const double* root = set.root + k * set.size;
    auto w = hn::LoadU(d, set.products[k] + at);
    for (std::size_t j = 0; j < k; ++j) w = hn::NegMulAdd(hn::Set(d, root[j]), hn::LoadU(d, whitened + j * lanes), w);
    w = hn::Mul(w, hn::Set(d, 1 / root[k]));
    hn::StoreU(w, d, whitened + k * lanes);
    c = hn::NegMulAdd(w, w, c);
    a = hn::NegMulAdd(w, hn::Set(d, set.score[k]), a);
  }
  const auto slab = hn::Set(d, set.slab_variance);
  const auto spread = hn::Div(slab, hn::MulAdd(slab, hn::Max(c, hn::Zero(d)), hn::Set(d, 1.0)));
  const auto centre = hn::Mul(spread, a);
  hn::StoreU(centre, d, mean);
  hn::StoreU(spread, d, variance);
  hn::StoreU(hn::Mul(hn::Set(d, 0.5), hn::Mul(centre, a)), d, exponent);
}

void PlaceMomentsTarget(const PlaceSet& set, std::span<double> mean, std::span<double> variance,
                        std::span<double> exponent) {
  const Wide d;
  const std::size_t lanes = hn::Lanes(d);
  std::vector<double> whitened(set.size * lanes);
  std::size_t l = 0;
  for (; l + lanes <= mean.size(); l += lanes)
    moments_at(d, set, l, whitened.data(), &mean[l], &variance[l], &exponent[l]);
  for (; l < mean.size(); ++l) moments_at(Single(), set, l, whitened.data(), &mean[l], &variance[l], &exponent[l]);
}

template <class D>
HWY_INLINE auto factor_at(D d, double sharpness, double largest, double unit, const double* variance,
                          double* exponent) {
  const auto distance = hn::Sub(hn::LoadU(d, exponent), hn::Set(d, largest));
  const auto scale = hn::Sqrt(hn::Mul(hn::LoadU(d, variance), hn::Set(d, unit)));
  const auto factor = hn::Mul(hn::Exp(d, hn::Mul(distance, hn::Set(d, sharpness))), scale);
  hn::StoreU(factor, d, exponent);
  return factor;
}

double PlaceFactorsTarget(double sharpness, double largest, double unit, std::span<const double> variance,
                          std::span<double> exponent) {
  const Wide d;
  const std::size_t lanes = hn::Lanes(d);
  auto sums = hn::Zero(d);
  std::size_t l = 0;
  for (; l + lanes <= exponent.size(); l += lanes)
    sums = hn::Add(sums, factor_at(d, sharpness, largest, unit, &variance[l], &exponent[l]));
  double total = hn::GetLane(hn::SumOfLanes(d, sums));
  for (; l < exponent.size(); ++l)
    total += hn::GetLane(factor_at(Single(), sharpness, largest, unit, &variance[l], &exponent[l]));
  return total;
}

}  // namespace cavity::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cavity::kernels {

HWY_EXPORT(PlaceMomentsTarget);
HWY_EXPORT(PlaceFactorsTarget);

void place_moments(const PlaceSet& set, std::span<double> mean, std::span<double> variance,
                   std::span<double> exponent) {
  HWY_DYNAMIC_DISPATCH(PlaceMomentsTarget)(set, mean, variance, exponent);
}

double place_factors(double sharpness, double largest, double unit, std::span<const double> variance,
                     std::span<double> exponent) {
  return HWY_DYNAMIC_DISPATCH(PlaceFactorsTarget)(sharpness, largest, unit, variance, exponent);
}

}  // namespace cavity::kernels
#endif
