#include "model/activation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "cavity/errors.hpp"
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

void check_flip(double flip) {
  if (!(flip >= 0 && flip < 0.5))
    throw UsageError(
        fmt::format("noise {} is outside [0, 0.5): for the step activation it is the probability of a "
                    "flipped label",
                    flip));
}

}  // namespace

Tilt ThresholdActivation::tilt(double mean, double variance) const {
  const double total = width * width + variance;
  const double sd = std::sqrt(total);
  const double z = mean / sd;
  // 1 + V b = (1 - V/S) + (V/S) (1 + S b), S = V + width^2: two positive terms.
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

AnyActivation make_activation(ActivationKind kind, double noise) {
  if (kind == ActivationKind::step) {
    check_flip(noise);
    return step(noise);
  }
  if (!(noise > 0 && std::isfinite(noise)))
    throw UsageError(fmt::format("noise {} is not positive: for the {} activation it is the width of the transition",
                                 noise, to_string(kind)));
  if (kind == ActivationKind::probit) return probit(noise);
  return LogisticActivation{noise};
}

AnyActivation make_activation(double flip, double width) {
  check_flip(flip);
  if (!(width >= 0 && std::isfinite(width)))
    throw UsageError(fmt::format("width {} is outside [0, infinity): it is the width of the transition", width));
  return ThresholdActivation{flip, width};
}

std::string to_string(const AnyActivation& activation) {
  if (const auto* logistic = std::get_if<LogisticActivation>(&activation))
    return fmt::format("logistic {}", logistic->width);
  const auto [flip, width] = std::get<ThresholdActivation>(activation);
  if (width == 0) return fmt::format("step {}", flip);
  return flip == 0 ? fmt::format("probit {}", width) : fmt::format("flip {} width {}", flip, width);
}

bool scale_is_free(const AnyActivation& activation) {
  const auto* threshold = std::get_if<ThresholdActivation>(&activation);
  return threshold && threshold->width == 0;
}

bool slab_is_solved(const AnyActivation& activation) {
  const auto* threshold = std::get_if<ThresholdActivation>(&activation);
  return !threshold || (threshold->width > 0 && threshold->flip == 0);
}

ActivationKind parse_activation(const std::string& name) {
  for (const auto kind : {ActivationKind::step, ActivationKind::probit, ActivationKind::logistic})
    if (name == to_string(kind)) return kind;
  throw UsageError(fmt::format("unknown activation '{}': use step, probit or logistic", name));
}

std::string to_string(ActivationKind kind) {
  switch (kind) {
    case ActivationKind::step:
      return "step";
    case ActivationKind::probit:
      return "probit";
    case ActivationKind::logistic:
      return "logistic";
  }
  throw std::logic_error("activation kind");
}

double average_likelihood(const AnyActivation& activation, double mean, double variance) {
  if (const auto* f = std::get_if<ThresholdActivation>(&activation))
    return flipped(f->flip, normal_cdf(mean / std::sqrt(variance + f->width * f->width)));
  return std::exp(tilt(activation, mean, variance).log_g);
}

void tilt(const AnyActivation& activation, std::span<const double> mean, std::span<const double> variance,
          std::span<Tilt> out) {
  const bool common = variance.size() == 1;
  std::visit(
      [&](const auto& f) {
        for (std::size_t i = 0; i < mean.size(); ++i) out[i] = f.tilt(mean[i], variance[common ? 0 : i]);
      },
      activation);
}

void log_averages(const AnyActivation& activation, std::span<const double> mean, std::span<const double> variance,
                  std::span<double> out) {
  const auto* f = std::get_if<ThresholdActivation>(&activation);
  if (!f) {
    for (std::size_t i = 0; i < mean.size(); ++i) out[i] = tilt(activation, mean[i], variance[i]).log_g;
    return;
  }
  for (std::size_t i = 0; i < mean.size(); ++i) out[i] = mean[i] / std::sqrt(variance[i] + f->width * f->width);
  kernels::log_normal_cdf(f->flip, out, out);
}

void tilt_slopes(const AnyActivation& activation, std::span<const double> mean, double variance, std::span<double> a,
                 std::span<double> b) {
  const auto one_by_one = [&](auto wanted) {
    for (std::size_t i = 0; i < mean.size(); ++i) {
      if (!wanted(mean[i])) continue;
      const Tilt t = tilt(activation, mean[i], variance);
      a[i] = t.a;
      b[i] = t.b;
    }
  };
  const auto* f = std::get_if<ThresholdActivation>(&activation);
  if (!f) return one_by_one([](double) { return true; });
  const double total = variance + f->width * f->width;
  kernels::normal_slopes(f->flip, mean, total, a, b);
  const double cancels = -10 * std::sqrt(total);
  if (f->flip == 0) one_by_one([=](double d) { return d < cancels; });
}

}  // namespace cavity
