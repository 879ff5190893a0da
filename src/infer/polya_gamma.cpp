// X = 4 w has density sum_n (-1)^n a_n(x) (tilted by z); a proposal from the first term, an exponential right of
// `switch_point` and an inverse Gaussian left of it, is accepted as soon as the partial sums decide.
#include "infer/polya_gamma.hpp"

#include <cmath>
#include <numbers>

#include "model/normal.hpp"

namespace cavity {

namespace {

constexpr double switch_point = 0.64;
constexpr double pi = std::numbers::pi;

double series_term(int n, double x) {
  const double k = n + 0.5;
  if (x > switch_point) return pi * k * std::exp(-0.5 * pi * pi * k * k * x);
  return pi * k * std::pow(2 / (pi * x), 1.5) * std::exp(-2 * k * k / x);
}

// Probability that the proposal comes from the exponential part.
double exponential_share(double z, double rate) {
  const double t = switch_point, root = std::sqrt(1 / t), log_scale = std::log(rate) + rate * t;
  const double near = log_scale - z + log_normal_cdf(root * (t * z - 1));
  const double far = log_scale + z + log_normal_cdf(-root * (t * z + 1));
  return 1 / (1 + 4 / pi * (std::exp(near) + std::exp(far)));
}

// Inverse Gaussian with mean 1/z and shape 1, given that it is below the switch point.
double short_inverse_gaussian(double z, Random& random) {
  const double t = switch_point;
  if (z * t < 1) {
    while (true) {
      double first = random.exponential(), second = random.exponential();
      while (first * first > 2 * second / t) {
        first = random.exponential();
        second = random.exponential();
      }
      const double x = t / ((1 + first * t) * (1 + first * t));
      if (random.uniform() < std::exp(-0.5 * z * z * x)) return x;
    }
  }
  const double mean = 1 / z;
  while (true) {
    const double y = random.normal(), my = mean * y * y;
    double x = mean + 0.5 * mean * (my - std::sqrt(4 * my + my * my));
    if (random.uniform() > mean / (mean + x)) x = mean * mean / x;
    if (x < t) return x;
  }
}

}  // namespace

double polya_gamma(double z, Random& random) {
  const double half = 0.5 * std::abs(z), rate = 0.125 * pi * pi + 0.5 * half * half;
  const double share = exponential_share(half, rate);
  while (true) {
    const double x =
        random.bernoulli(share) ? switch_point + random.exponential() / rate : short_inverse_gaussian(half, random);
    double sum = series_term(0, x);
    const double level = random.uniform() * sum;
    for (int n = 1;; ++n) {
      if (n % 2 == 1) {
        sum -= series_term(n, x);
        if (level <= sum) return 0.25 * x;
      } else {
        sum += series_term(n, x);
        if (level > sum) break;
      }
    }
  }
}

}  // namespace cavity
