// All from erfcx(x) = exp(x^2) erfc(x), x >= 0: (1 + 2x) erfcx(x) is smooth and between 1 and 1.24, a polynomial in
// t = (x - 4)/(x + 4) to 1e-15 (Chebyshev interpolation on t in [-1, 1], rewritten in powers of t).
#include "model/normal_kernels.hpp"

#include <cmath>

#include "model/normal.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "model/normal_kernels.cpp"
#include <hwy/foreach_target.h>
// must come after foreach_target.h
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace cavity::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;

constexpr double erfcx_powers[] = {
    1.2329951186255526,      -0.1396211168405572,     0.015379652102610473,    0.06809705425421975,
    -0.10103906603586531,    0.09373283501077743,     -0.06633036582031156,    0.03716751538635928,
    -0.01619773398145521,    0.0050319710022999915,   -0.0007577737070634088,  -0.00019926095315453993,
    0.00015062309719794965,  -2.4387790848090552e-05, -1.1225101869459286e-05, 5.689537718689912e-06,
    2.98013528088394e-07,    -8.020193648422449e-07,  7.115338729849334e-08,   9.295291710947624e-08,
    -1.6371784465144146e-08, -6.992611526080582e-09,  1.5738293728165357e-09};

HWY_INLINE V erfcx(D d, V x) {
  const V four = hn::Set(d, 4.0);
  const V t = hn::Div(hn::Sub(x, four), hn::Add(x, four));
  constexpr int degree = sizeof(erfcx_powers) / sizeof(double) - 1;
  V p = hn::Set(d, erfcx_powers[degree]);
  for (int i = degree - 1; i >= 0; --i) p = hn::MulAdd(p, t, hn::Set(d, erfcx_powers[i]));
  return hn::Div(p, hn::MulAdd(hn::Set(d, 2.0), x, hn::Set(d, 1.0)));
}

struct Tail {
  V scaled;   // erfcx(|z|/sqrt(2))
  V density;  // exp(-z^2/2)
  V below;    // Phi(-|z|)
};
HWY_INLINE Tail tail(D d, V z) {
  const V half = hn::Set(d, 0.5);
  Tail out;
  out.scaled = erfcx(d, hn::Mul(hn::Abs(z), hn::Set(d, inv_sqrt_2)));
  out.density = hn::Exp(d, hn::Neg(hn::Mul(half, hn::Mul(z, z))));
  out.below = hn::Mul(half, hn::Mul(out.density, out.scaled));
  return out;
}

// Calls step(in, out...) over whole vectors; the last, partial one goes through buffers.
template <class Step>
HWY_INLINE void for_each(D d, std::span<const double> in, std::span<double> out, Step step) {
  const std::size_t n = in.size(), lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) hn::StoreU(step(i, hn::LoadU(d, in.data() + i)), d, out.data() + i);
  if (i == n) return;
  HWY_ALIGN double buffer[HWY_MAX_BYTES / sizeof(double)] = {};
  for (std::size_t j = i; j < n; ++j) buffer[j - i] = in[j];
  hn::Store(step(i, hn::Load(d, buffer)), d, buffer);
  for (std::size_t j = i; j < n; ++j) out[j] = buffer[j - i];
}

void LogNormalCdfTarget(double noise, std::span<const double> z, std::span<double> out) {
  const D d;
  const V lowest = hn::Set(d, noise), scale = hn::Set(d, 1 - 2 * noise), half = hn::Set(d, 0.5);
  for_each(d, z, out, [&](std::size_t, V x) HWY_ATTR {
    const Tail t = tail(d, x);
    const V minor = hn::MulAdd(scale, t.below, lowest);  // the smaller of the two probabilities
    const V left =
        noise > 0 ? hn::Log(d, minor) : hn::NegMulAdd(hn::Mul(half, x), x, hn::Log(d, hn::Mul(half, t.scaled)));
    return hn::IfThenElse(hn::Gt(x, hn::Zero(d)), hn::Log1p(d, hn::Neg(minor)), left);
  });
}

void NormalSlopesTarget(double noise, std::span<const double> mean, double variance, std::span<double> a,
                        std::span<double> b) {
  const D d;
  const double sd = std::sqrt(variance);
  const V lowest = hn::Set(d, noise), scale = hn::Set(d, 1 - 2 * noise), largest = hn::Set(d, 1e100);
  const V one = hn::Set(d, 1.0), peak = hn::Set(d, inv_sqrt_2pi), to_a = hn::Set(d, 1 / sd);
  const V to_b = hn::Set(d, -1 / variance);
  HWY_ALIGN double slope[HWY_MAX_BYTES / sizeof(double)];
  for_each(d, mean, a, [&](std::size_t at, V x) HWY_ATTR {
    const V z = hn::Max(hn::Neg(largest), hn::Min(hn::Mul(x, to_a), largest));
    const Tail t = tail(d, z);
    const auto right = hn::Gt(z, hn::Zero(d));
    V r;
    if (noise > 0) {
      const V cdf = hn::IfThenElse(right, hn::Sub(one, t.below), t.below);
      r = hn::Div(hn::Mul(scale, hn::Mul(peak, t.density)), hn::MulAdd(scale, cdf, lowest));
    } else {  // phi/Phi, left of 0 without the density that both share
      const V above = hn::IfThenElse(right, hn::Mul(peak, t.density), hn::Add(peak, peak));
      r = hn::Div(above, hn::IfThenElse(right, hn::Sub(one, t.below), t.scaled));
    }
    hn::Store(hn::Mul(to_b, hn::Mul(r, hn::Add(z, r))), d, slope);
    for (std::size_t j = 0; j < hn::Lanes(d) && at + j < b.size(); ++j) b[at + j] = slope[j];
    return hn::Mul(r, to_a);
  });
}

}  // namespace cavity::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cavity::kernels {

HWY_EXPORT(LogNormalCdfTarget);
HWY_EXPORT(NormalSlopesTarget);

void log_normal_cdf(double noise, std::span<const double> z, std::span<double> out) {
  HWY_DYNAMIC_DISPATCH(LogNormalCdfTarget)(noise, z, out);
}

void normal_slopes(double noise, std::span<const double> mean, double variance, std::span<double> a,
                   std::span<double> b) {
  HWY_DYNAMIC_DISPATCH(NormalSlopesTarget)(noise, mean, variance, a, b);
}

}  // namespace cavity::kernels
#endif
