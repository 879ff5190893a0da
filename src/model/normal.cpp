#include "model/normal.hpp"

#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>

namespace cavity {

namespace {

// Below this the continued fraction of the tail is used: it converges fast there, and z + r would cancel.
constexpr double tail_start = -10;

// r(-x) = x + 1/(x + 2/(x + 3/(x + ...))): `first` is the fraction from 1 on, `second` from 2 on.
struct TailFraction {
  double first, second;
};
TailFraction tail_fraction(double x) {
  constexpr int levels = 18;  // 16 give every bit from x = 10 on
  double rest = 0;
  for (int k = levels; k >= 3; --k) rest = k / (x + rest);
  const double second = 2 / (x + rest);
  return {1 / (x + second), second};
}

}  // namespace

double normal_pdf(double z) { return inv_sqrt_2pi * std::exp(-0.5 * z * z); }

double normal_cdf(double z) { return 0.5 * std::erfc(-z * inv_sqrt_2); }

double normal_quantile(double p) { return -std::numbers::sqrt2 * boost::math::erfc_inv(2 * p); }

double log_normal_cdf(double z) {
  if (z > 0) return std::log1p(-0.5 * std::erfc(z * inv_sqrt_2));
  if (z > tail_start) return std::log(0.5 * std::erfc(-z * inv_sqrt_2));
  const double x = -z;
  return -0.5 * x * x - std::log((x + tail_fraction(x).first) / inv_sqrt_2pi);
}

MillsRatio mills_ratio(double z) {
  if (z > tail_start) {
    const double r = normal_pdf(z) / normal_cdf(z);
    return {r, z + r, 1 - r * (z + r)};
  }
  const double x = -z;
  const auto [c, d] = tail_fraction(x);
  return {x + c, c, c * (d - c)};
}

}  // namespace cavity
