#include "model/own_slopes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace cavity {

namespace {

// g(D; V) = g_step(D/s; 1), s^2 = V + width^2, so a = a_step/s and b = b_step/s^2.
void threshold_slopes(const ThresholdActivation& f, std::span<const double> mean, std::span<const double> variance,
                      std::span<double> a, std::span<double> b) {
  constexpr std::size_t most = 64;
  double deviation[most], z[most];
  for (std::size_t first = 0; first < mean.size(); first += most) {
    const std::size_t count = std::min(most, mean.size() - first);
    for (std::size_t i = 0; i < count; ++i) {
      deviation[i] = std::sqrt(variance[first + i] + f.width * f.width);
      z[i] = mean[first + i] / deviation[i];
    }
    tilt_slopes(step(f.flip), {z, count}, 1, a.subspan(first, count), b.subspan(first, count));
    for (std::size_t i = 0; i < count; ++i) {
      a[first + i] /= deviation[i];
      b[first + i] /= deviation[i] * deviation[i];
    }
  }
}

}  // namespace

void own_slopes(const AnyActivation& activation, std::span<const double> mean, std::span<const double> variance,
                std::span<double> a, std::span<double> b) {
  if (const auto* threshold = std::get_if<ThresholdActivation>(&activation))
    return threshold_slopes(*threshold, mean, variance, a, b);
  for (std::size_t i = 0; i < mean.size(); ++i) {
    const Tilt at = tilt(activation, mean[i], variance[i]);
    a[i] = at.a;
    b[i] = at.b;
  }
}

}  // namespace cavity
