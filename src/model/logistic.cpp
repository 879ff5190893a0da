// Gaussian average of the logistic function. No closed form; two equivalent integrals, each smooth on its own scale, so
// that the trapezoidal rule (exponentially accurate for analytic integrands) needs few points whatever V is:
//   narrow Gaussian, sqrt(V) <= s:  g = int Du sigma((D + sqrt(V) u)/s)
//   wide Gaussian,   sqrt(V) >  s:  g = int de p(e) Phi((D + s e)/sqrt(V)),   p = logistic density
// Both integrands are log-concave: find the mode by Newton, sum outwards until e^-42 below it. Steps of 0.4 resolve the
// poles of sigma and p at distance >= pi to below 1e-16.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/activation.hpp"
#include "model/normal.hpp"

namespace cavity {

namespace {

constexpr double grid_step = 0.4;
constexpr double cut_off = 42;

double log_sigmoid(double x) { return x > 0 ? -std::log1p(std::exp(-x)) : x - std::log1p(std::exp(x)); }
double sigmoid(double x) { return x > 0 ? 1 / (1 + std::exp(-x)) : std::exp(x) / (1 + std::exp(x)); }

// One value of the log integrand with the score and curvature of ln f there, in units of the integral's own width.
struct Integrand {
  double log_value, score, curvature;
};

struct NarrowGaussian {
  double mean, sd, noise;
  double constant() const { return inv_sqrt_2pi; }
  double width() const { return noise; }
  Integrand at(double u) const {
    const double x = (mean + sd * u) / noise, p = sigmoid(x), q = sigmoid(-x);
    return {log_sigmoid(x) - 0.5 * u * u, q, -p * q};
  }
  double slope(double u) const { return sigmoid(-(mean + sd * u) / noise) * sd / noise - u; }
  double bend(double u) const {
    const double x = (mean + sd * u) / noise, t = sd / noise;
    return -sigmoid(x) * sigmoid(-x) * t * t - 1;
  }
};

struct WideGaussian {
  double mean, sd, noise;
  double constant() const { return 1; }
  double width() const { return sd; }
  Integrand at(double e) const {
    const double z = (mean + noise * e) / sd;
    const MillsRatio mills = mills_ratio(z);
    return {log_normal_cdf(z) + log_sigmoid(e) + log_sigmoid(-e), mills.ratio, -mills.ratio * mills.excess};
  }
  double slope(double e) const {
    return mills_ratio((mean + noise * e) / sd).ratio * noise / sd + sigmoid(-e) - sigmoid(e);
  }
  double bend(double e) const {
    const double t = noise / sd;
    const MillsRatio mills = mills_ratio((mean + noise * e) / sd);
    return -mills.ratio * mills.excess * t * t - 2 * sigmoid(e) * sigmoid(-e);
  }
};

// Root of the decreasing slope: bracket by doubling, then Newton kept inside the bracket.
template <class I>
double mode(const I& integrand) {
  double low = 0, high = 0;
  for (double d = 1; integrand.slope(low) < 0; d *= 2) low -= d;
  for (double d = 1; integrand.slope(high) > 0; d *= 2) high += d;
  double x = 0.5 * (low + high);
  for (int i = 0; i < 100 && high - low > 1e-3; ++i) {
    const double s = integrand.slope(x);
    (s > 0 ? low : high) = x;
    const double newton = x - s / integrand.bend(x);
    if (std::abs(newton - x) < 1e-3) return newton;
    x = newton > low && newton < high ? newton : 0.5 * (low + high);
  }
  return x;
}

template <class I>
Tilt average(const I& integrand, double variance) {
  const double centre = mode(integrand);
  const double top = integrand.at(centre).log_value;
  double mass = 0, score = 0, score2 = 0, curvature = 0;
  const auto add = [&](double x) {
    const Integrand value = integrand.at(x);
    const double w = std::exp(value.log_value - top);
    mass += w;
    score += w * value.score;
    score2 += w * value.score * value.score;
    curvature += w * value.curvature;
    return value.log_value > top - cut_off;
  };
  add(centre);
  for (int i = 1; add(centre + i * grid_step); ++i) {
  }
  for (int i = 1; add(centre - i * grid_step); ++i) {
  }
  const double width = integrand.width();
  const double mean_score = score / mass;
  const double slope = (curvature + score2) / mass - mean_score * mean_score;
  const double b = slope / (width * width);
  const double log_g = top + std::log(mass * grid_step * integrand.constant());
  return {std::min(log_g, 0.0), mean_score / width, b, 1 + variance * b};  // rounding may lift g above 1
}

}  // namespace

Tilt LogisticActivation::tilt(double mean, double variance) const {
  const double sd = std::sqrt(variance);
  if (sd <= width) return average(NarrowGaussian{mean, sd, width}, variance);
  return average(WideGaussian{mean, sd, width}, variance);
}

double LogisticActivation::likelihood(double field) const { return sigmoid(field / width); }

double LogisticActivation::log_likelihood(double field) const {
  const double z = field / width;
  return std::min(z, 0.0) - std::log1p(std::exp(-std::abs(z)));
}

double LogisticActivation::average_likelihood(double mean, double variance) const {
  return std::exp(tilt(mean, variance).log_g);
}

void LogisticActivation::log_averages(std::span<const double> mean, std::span<const double> variance,
                                      std::span<double> out) const {
  for (std::size_t i = 0; i < mean.size(); ++i) out[i] = tilt(mean[i], variance[i]).log_g;
}

void LogisticActivation::tilt_slopes(std::span<const double> mean, double variance, std::span<double> a,
                                     std::span<double> b) const {
  for (std::size_t i = 0; i < mean.size(); ++i) {
    const Tilt t = tilt(mean[i], variance);
    a[i] = t.a;
    b[i] = t.b;
  }
}

double LogisticActivation::added_variance() const { return width * width * 1.702 * 1.702; }  // of the closest probit

// The poles of the logistic function at +- i pi width, smoothed away once the Gaussian is wider than them.
Bend LogisticActivation::bend(double variance) const { return {0, std::max(2.5 * width, 1.5 * std::sqrt(variance))}; }

std::string LogisticActivation::name() const { return fmt::format("logistic {}", width); }

}  // namespace cavity
