#include "model/own_precision_kernels.hpp"

#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "model/own_precision_kernels.cpp"
#include <hwy/foreach_target.h>
// must come after foreach_target.h
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace cavity::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;

constexpr std::size_t longest = HWY_MAX_BYTES / sizeof(double);

// Calls step(x, lanes, store) with a vector of each input; store(k, v) writes to output k. The last, partial vector is
// padded with `pad`; null outputs are skipped.
template <std::size_t ins, std::size_t outs, class Step>
HWY_INLINE void for_each(D d, std::size_t n, const double* const (&in)[ins], double* const (&out)[outs], double pad,
                         Step step) {
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    V x[ins];
    for (std::size_t k = 0; k < ins; ++k) x[k] = hn::LoadU(d, in[k] + i);
    step(x, [&](std::size_t k, V v) HWY_ATTR {
      if (out[k]) hn::StoreU(v, d, out[k] + i);
    });
  }
  if (i == n) return;
  V x[ins];
  HWY_ALIGN double buffer[longest];
  for (std::size_t k = 0; k < ins; ++k) {
    for (std::size_t j = 0; j < lanes; ++j) buffer[j] = i + j < n ? in[k][i + j] : pad;
    x[k] = hn::Load(d, buffer);
  }
  step(x, [&](std::size_t k, V v) HWY_ATTR {
    if (!out[k]) return;
    hn::Store(v, d, buffer);
    for (std::size_t j = 0; i + j < n; ++j) out[k][i + j] = buffer[j];
  });
}

// Inclusion at log-odds k and its complement, both without cancellation.
struct Inclusion {
  V p, q;
};
HWY_INLINE Inclusion inclusion(D d, V k) {
  const V one = hn::Set(d, 1.0);
  const V e = hn::Exp(d, hn::Neg(hn::Abs(k)));
  const V large = hn::Div(one, hn::Add(one, e)), small = hn::Mul(e, large);
  const auto positive = hn::Gt(k, hn::Zero(d));
  return {hn::IfThenElse(positive, large, small), hn::IfThenElse(positive, small, large)};
}

void EvidenceTarget(std::span<const double> linear, std::span<const double> precision, std::span<double> out) {
  const D d;
  const V one = hn::Set(d, 1.0), half = hn::Set(d, 0.5);
  for_each(d, out.size(), {linear.data(), precision.data()}, {out.data()}, 0, [&](const V(&x)[2], auto store) HWY_ATTR {
    const V b = hn::Add(one, x[1]);
    store(0, hn::Mul(half, hn::Sub(hn::Div(hn::Mul(x[0], x[0]), b), hn::Log(d, b))));
  });
}

InclusionSums InclusionSumsTarget(std::span<const double> evidence, double log_odds) {
  const D d;
  constexpr double never = -1e30;  // log-odds of the padding
  const V lambda = hn::Set(d, log_odds);
  V kept = hn::Zero(d), spread = kept;
  double* const none[] = {nullptr};
  for_each(d, evidence.size(), {evidence.data()}, none, never, [&](const V(&x)[1], auto) HWY_ATTR {
    const Inclusion f = inclusion(d, hn::Add(lambda, x[0]));
    kept = hn::Add(kept, f.p);
    spread = hn::MulAdd(f.p, f.q, spread);
  });
  return {hn::GetLane(hn::SumOfLanes(d, kept)), hn::GetLane(hn::SumOfLanes(d, spread))};
}

void OwnMomentsTarget(const OwnMessages& messages, double log_odds, const OwnMoments& out) {
  const D d;
  const V one = hn::Set(d, 1.0), lambda = hn::Set(d, log_odds);
  for_each(d, messages.evidence.size(), {messages.linear.data(), messages.precision.data(), messages.evidence.data()},
           {out.inclusion.data(), out.mean.data(), out.variance.data()}, 0, [&](const V(&x)[3], auto store) HWY_ATTR {
             const Inclusion f = inclusion(d, hn::Add(lambda, x[2]));
             const V inverse = hn::Div(one, hn::Add(one, x[1])), ratio = hn::Mul(x[0], inverse);
             store(0, f.p);
             store(1, hn::Mul(f.p, ratio));
             store(2, hn::Mul(f.p, hn::MulAdd(hn::Mul(f.q, ratio), ratio, inverse)));
           });
}

}  // namespace cavity::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cavity::kernels {

HWY_EXPORT(EvidenceTarget);
HWY_EXPORT(InclusionSumsTarget);
HWY_EXPORT(OwnMomentsTarget);

void log_odds_evidence(std::span<const double> linear, std::span<const double> precision, std::span<double> out) {
  HWY_DYNAMIC_DISPATCH(EvidenceTarget)(linear, precision, out);
}

InclusionSums inclusion_sums(std::span<const double> evidence, double log_odds) {
  return HWY_DYNAMIC_DISPATCH(InclusionSumsTarget)(evidence, log_odds);
}

void own_moments(const OwnMessages& messages, double log_odds, const OwnMoments& out) {
  HWY_DYNAMIC_DISPATCH(OwnMomentsTarget)(messages, log_odds, out);
}

}  // namespace cavity::kernels
#endif
