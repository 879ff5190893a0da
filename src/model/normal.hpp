// The standard normal tail without cancellation or underflow, from z = -1e300 to 1e300.
#pragma once

namespace cavity {

inline constexpr double inv_sqrt_2pi = 0.39894228040143267794;
inline constexpr double inv_sqrt_2 = 0.70710678118654752440;

double normal_pdf(double z);
double normal_cdf(double z);
double log_normal_cdf(double z);
/// z with Phi(z) = p, p in (0, 1); to full relative accuracy up to p = 1/2.
double normal_quantile(double p);

/// The inverse Mills ratio and what its cancellation-prone companions are, each to full relative accuracy.
struct MillsRatio {
  double ratio;   // r = phi(z) / Phi(z)
  double excess;  // z + r  (> 0, about 1/|z| for z -> -inf)
  double shrink;  // 1 - r (z + r): variance of a standard normal cut at -z; in (0, 1]
};
MillsRatio mills_ratio(double z);

}  // namespace cavity
