// Phi with flips and a width: g(D; V) = flip + (1 - 2 flip) Phi(z), z = D/sqrt(S), S = V + width^2.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "cavity/errors.hpp"
#include "model/activation.hpp"
#include "model/normal.hpp"
#include "model/normal_kernels.hpp"

namespace cavity {

namespace {

double flipped(double flip, double cdf) { return flip + (1 - 2 * flip) * cdf; }

// ln(flip + (1 - 2 flip) Phi(z)); above 1/2 from its complement, so that a tiny error probability keeps its digits.
double log_flipped_cdf(double flip, double z) {
  if (flip == 0) return log_normal_cdf(z);
  return z > 0 ? std::log1p(-flip - (1 - 2 * flip) * normal_cdf(-z)) : std::log(flipped(flip, normal_cdf(z)));
}

constexpr Bend cdf_zero{-1.92, 2.8};  // of Phi, nearest to the real axis

// flip + (1 - 2 flip) Phi(z) = 0: for small flip the tail exp(-z^2/2) has to reach -flip, so at z = -x + i pi/x,
// x = sqrt(-2 ln flip).
Bend flipped_cdf_zero(double flip) {
  if (flip <= 0) return cdf_zero;
  const double x = std::sqrt(-2 * std::log(flip));
  return {-x, std::min(cdf_zero.distance, 0.8 * std::numbers::pi / x)};
}

}  // namespace

AnyActivation make_activation(double flip, double width) {
  if (!(flip >= 0 && flip < 0.5))
    throw UsageError(fmt::format("flip {} is outside [0, 0.5): it is the probability of a flipped label", flip));
  if (!(width >= 0 && std::isfinite(width)))
    throw UsageError(fmt::format("width {} is outside [0, infinity): it is the width of the transition", width));
  return ThresholdActivation{flip, width};
}

Tilt ThresholdActivation::tilt(double mean, double variance) const {
  const double total = width * width + variance;
  const double sd = std::sqrt(total);
  const double z = mean / sd;
  // 1 + V b = (1 - V/S) + (V/S) (1 + S b): two positive terms.
  const double share = variance / total, rest = width * width / total;
  if (flip == 0) {
    const MillsRatio mills = mills_ratio(z);
    return {log_normal_cdf(z), mills.ratio / sd, -mills.ratio * mills.excess / total, rest + share * mills.shrink};
  }
  const double r = (1 - 2 * flip) * normal_pdf(z) / flipped(flip, normal_cdf(z));
  const double slope = std::isinf(z) ? 0 : -r * (z + r);  // S b
  return {log_flipped_cdf(flip, z), r / sd, slope / total, rest + share * (1 + slope)};
}

double ThresholdActivation::likelihood(double field) const {
  if (width > 0) return flipped(flip, normal_cdf(field / width));
  if (field == 0) return 0.5;
  return field > 0 ? 1 - flip : flip;
}

double ThresholdActivation::log_likelihood(double field) const {
  return width > 0 ? log_flipped_cdf(flip, field / width) : std::log(likelihood(field));
}

double ThresholdActivation::average_likelihood(double mean, double variance) const {
  return flipped(flip, normal_cdf(mean / std::sqrt(variance + width * width)));
}

void ThresholdActivation::log_averages(std::span<const double> mean, std::span<const double> variance,
                                       std::span<double> out) const {
  for (std::size_t i = 0; i < mean.size(); ++i) out[i] = mean[i] / std::sqrt(variance[i] + width * width);
  kernels::log_normal_cdf(flip, out, out);
}

void ThresholdActivation::tilt_slopes(std::span<const double> mean, double variance, std::span<double> a,
                                      std::span<double> b) const {
  const double total = variance + width * width;
  kernels::normal_slopes(flip, mean, total, a, b);
  if (flip > 0) return;
  const double cancels = -10 * std::sqrt(total);  // the kernel's z + phi/Phi, below this
  for (std::size_t i = 0; i < mean.size(); ++i) {
    if (!(mean[i] < cancels)) continue;
    const Tilt t = tilt(mean[i], variance);
    a[i] = t.a;
    b[i] = t.b;
  }
}

// atan2 instead of arccos: no digits are lost near perfect overlap.
std::optional<double> ThresholdActivation::closed_sign_error(double slope, double variance) const {
  return flip + (1 - 2 * flip) * std::atan2(std::sqrt(variance + width * width), slope) / std::numbers::pi;
}

Bend ThresholdActivation::bend(double variance) const {
  const Bend zero = flipped_cdf_zero(flip);
  const double sd = std::sqrt(variance + width * width);
  return {zero.centre * sd, zero.distance * sd};
}

std::string ThresholdActivation::name() const {
  if (width == 0) return fmt::format("step {}", flip);
  return flip == 0 ? fmt::format("probit {}", width) : fmt::format("flip {} width {}", flip, width);
}

}  // namespace cavity
