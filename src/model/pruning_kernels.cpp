#include "model/pruning_kernels.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "model/pruning_kernels.cpp"
#include <hwy/foreach_target.h>
// must come after foreach_target.h
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace cavity::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;

struct Feature {
  V inverse;  // 1/B
  V ratio;    // h/B
  V k;        // lambda - (1/2) ln B + h^2/(2B)
  V p, q;     // inclusion and its complement
  V e;        // exp(-|k|)
};

// ln B, when B is common, is passed in `log_b` and not computed a feature at a time.
template <bool common>
HWY_INLINE Feature evaluate(D d, V h, V a, V precision, V log_odds, V log_b) {
  const V one = hn::Set(d, 1.0), half = hn::Set(d, 0.5);
  const V b = common ? precision : hn::Add(precision, a);
  Feature f;
  f.inverse = hn::Div(one, b);
  f.ratio = hn::Mul(h, f.inverse);
  const V ln_b = common ? log_b : hn::Log(d, b);
  f.k = hn::MulAdd(half, hn::Sub(hn::Mul(h, f.ratio), ln_b), log_odds);
  f.e = hn::Exp(d, hn::Neg(hn::Abs(f.k)));
  const V large = hn::Div(one, hn::Add(one, f.e)), small = hn::Mul(f.e, large);
  const auto positive = hn::Gt(f.k, hn::Zero(d));
  f.p = hn::IfThenElse(positive, large, small);
  f.q = hn::IfThenElse(positive, small, large);
  return f;
}

// Calls step(i, lanes, h, a, w) over the features; the last, partial vector is padded with features of weight zero.
template <class Step>
HWY_INLINE void for_each(D d, const FeatureMessages& messages, Step step) {
  const std::size_t n = messages.linear.size(), lanes = hn::Lanes(d);
  const double* h = messages.linear.data();
  const double* a = messages.precision.empty() ? nullptr : messages.precision.data();
  const double* w = messages.weight.empty() ? nullptr : messages.weight.data();
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes)
    step(i, lanes, hn::LoadU(d, h + i), a ? hn::LoadU(d, a + i) : hn::Zero(d),
         w ? hn::LoadU(d, w + i) : hn::Set(d, 1.0));
  if (i < n) {
    constexpr std::size_t longest = HWY_MAX_BYTES / sizeof(double);
    HWY_ALIGN double hb[longest] = {}, ab[longest] = {}, wb[longest] = {};
    for (std::size_t j = i; j < n; ++j) {
      hb[j - i] = h[j];
      if (a) ab[j - i] = a[j];
      wb[j - i] = w ? w[j] : 1;
    }
    step(i, n - i, hn::Load(d, hb), hn::Load(d, ab), hn::Load(d, wb));
  }
}

// Sums over the features of one block.
template <bool common>
PruningSums block_sums(const FeatureMessages& messages, const PruningPrior& prior) {
  const D d;
  const V precision = hn::Set(d, prior.precision), log_odds = hn::Set(d, prior.log_odds);
  const V log_b = hn::Log(d, precision);
  const V half = hn::Set(d, 0.5), zero = hn::Zero(d);
  V count = zero, inclusion = zero, second = zero, softplus = zero, spread = zero, spread_slope = zero,
    curvature = zero;
  for_each(d, messages, [&](std::size_t, std::size_t, V h, V a, V w) HWY_ATTR {
    const Feature f = evaluate<common>(d, h, a, precision, log_odds, log_b);
    const V ratio2 = hn::Mul(f.ratio, f.ratio);
    const V width = hn::Add(f.inverse, ratio2);                              // 1/B + (h/B)^2 = -2 k'
    const V slope = hn::Neg(hn::Mul(half, width));                           // k'
    const V bend = hn::Mul(f.inverse, hn::MulAdd(half, f.inverse, ratio2));  // k''
    const V p = hn::Mul(w, f.p), pq = hn::Mul(p, f.q);
    const V sp = hn::Add(hn::Max(f.k, zero), hn::Log1p(d, f.e));
    count = hn::Add(count, w);
    inclusion = hn::Add(inclusion, p);
    second = hn::MulAdd(p, width, second);
    softplus = hn::MulAdd(w, sp, softplus);
    spread = hn::Add(spread, pq);
    spread_slope = hn::MulAdd(pq, slope, spread_slope);
    curvature = hn::Add(curvature, hn::MulAdd(hn::Mul(pq, slope), slope, hn::Mul(p, bend)));
  });
  const auto total = [&](V v) HWY_ATTR { return hn::GetLane(hn::SumOfLanes(d, v)); };
  return {total(count),  total(inclusion),    total(second),   total(softplus),
          total(spread), total(spread_slope), total(curvature)};
}

// A sum of millions in one go is off by more than the Newton solve can tell from progress, and it would not end: what
// is summed in one go is `block` vectors, a bound on the rounding of each sum whatever the number of features.
constexpr std::size_t block = 8192;

PruningSums added(const PruningSums& s, const PruningSums& t) {
  return {s.count + t.count,   s.inclusion + t.inclusion,       s.second + t.second,      s.softplus + t.softplus,
          s.spread + t.spread, s.spread_slope + t.spread_slope, s.curvature + t.curvature};
}

template <bool common>
PruningSums sums(const FeatureMessages& messages, const PruningPrior& prior) {
  const std::size_t n = messages.linear.size(), length = block * hn::Lanes(D());
  PruningSums total;
  for (std::size_t first = 0; first < n; first += length) {
    const auto part = [&](std::span<const double> v) {
      return v.empty() ? v : v.subspan(first, std::min(length, n - first));
    };
    total = added(total,
                  block_sums<common>({part(messages.linear), part(messages.precision), part(messages.weight)}, prior));
  }
  return total;
}

template <bool common>
void moments(const FeatureMessages& messages, const PruningPrior& prior, const FeatureOutputs& out) {
  const D d;
  const V precision = hn::Set(d, prior.precision), log_odds = hn::Set(d, prior.log_odds);
  const V log_b = hn::Log(d, precision);
  const auto store = [&](V v, std::span<double> to, std::size_t i, std::size_t lanes) HWY_ATTR {
    if (to.empty()) return;
    if (lanes == hn::Lanes(d)) {
      hn::StoreU(v, d, to.data() + i);
      return;
    }
    HWY_ALIGN double buffer[HWY_MAX_BYTES / sizeof(double)];
    hn::Store(v, d, buffer);
    for (std::size_t j = 0; j < lanes; ++j) to[i + j] = buffer[j];
  };
  for_each(d, messages, [&](std::size_t i, std::size_t lanes, V h, V a, V) HWY_ATTR {
    const Feature f = evaluate<common>(d, h, a, precision, log_odds, log_b);
    const V spread = hn::Mul(hn::Mul(f.p, f.q), hn::Mul(f.ratio, f.ratio));
    store(f.p, out.inclusion, i, lanes);
    store(hn::Mul(f.p, f.ratio), out.mean, i, lanes);
    store(hn::MulAdd(f.p, f.inverse, spread), out.variance, i, lanes);
  });
}

PruningSums PruningSumsTarget(const FeatureMessages& messages, const PruningPrior& prior) {
  return messages.precision.empty() ? sums<true>(messages, prior) : sums<false>(messages, prior);
}

void PrunedMomentsTarget(const FeatureMessages& messages, const PruningPrior& prior, const FeatureOutputs& out) {
  if (messages.precision.empty())
    moments<true>(messages, prior, out);
  else
    moments<false>(messages, prior, out);
}

}  // namespace cavity::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cavity::kernels {

HWY_EXPORT(PruningSumsTarget);
HWY_EXPORT(PrunedMomentsTarget);

PruningSums pruning_sums(const FeatureMessages& messages, const PruningPrior& prior) {
  return HWY_DYNAMIC_DISPATCH(PruningSumsTarget)(messages, prior);
}

void pruned_moments(const FeatureMessages& messages, const PruningPrior& prior, const FeatureOutputs& out) {
  HWY_DYNAMIC_DISPATCH(PrunedMomentsTarget)(messages, prior, out);
}

}  // namespace cavity::kernels
#endif
