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

Tilt StepActivation::tilt(double mean, double variance) const {
  const double sd = std::sqrt(variance);
  const double z = mean / sd;
  if (noise == 0) {
    const MillsRatio mills = mills_ratio(z);
    return {log_normal_cdf(z), mills.ratio / sd, -mills.ratio * mills.excess / variance, mills.shrink};
  }
  const double g = noise + (1 - 2 * noise) * normal_cdf(z);
  const double r = (1 - 2 * noise) * normal_pdf(z) / g;
  const double slope = std::isinf(z) ? 0 : -r * (z + r);  // V b
  // Above 1/2, ln g from its complement g(-D), so that a tiny error probability keeps its digits.
  const double log_g = z > 0 ? std::log1p(-noise - (1 - 2 * noise) * normal_cdf(-z)) : std::log(g);
  return {log_g, r / sd, slope / variance, 1 + slope};
}

double StepActivation::likelihood(double field) const {
  if (field == 0) return 0.5;
  return field > 0 ? 1 - noise : noise;
}

Tilt ProbitActivation::tilt(double mean, double variance) const {
  const double total = noise * noise + variance;
  const double sd = std::sqrt(total);
  const double z = mean / sd;
  const MillsRatio mills = mills_ratio(z);
  // 1 - (V/S) r c = (1 - V/S) + (V/S) (1 - r c): two positive terms.
  const double share = variance / total;
  return {log_normal_cdf(z), mills.ratio / sd, -mills.ratio * mills.excess / total,
          noise * noise / total + share * mills.shrink};
}

double ProbitActivation::likelihood(double field) const { return normal_cdf(field / noise); }

AnyActivation make_activation(ActivationKind kind, double noise) {
  if (kind == ActivationKind::step) {
    if (!(noise >= 0 && noise < 0.5))
      throw UsageError(
          fmt::format("noise {} is outside [0, 0.5): for the step activation it is the probability of a "
                      "flipped label",
                      noise));
    return StepActivation{noise};
  }
  if (!(noise > 0 && std::isfinite(noise)))
    throw UsageError(fmt::format("noise {} is not positive: for the {} activation it is the width of the transition",
                                 noise, to_string(kind)));
  if (kind == ActivationKind::probit) return ProbitActivation{noise};
  return LogisticActivation{noise};
}

ActivationKind activation_kind(const AnyActivation& activation) {
  return static_cast<ActivationKind>(activation.index());
}

double activation_noise(const AnyActivation& activation) {
  return std::visit([](const auto& f) { return f.noise; }, activation);
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

double log_likelihood(const AnyActivation& activation, double field) {
  if (const auto* step = std::get_if<StepActivation>(&activation)) return std::log(step->likelihood(field));
  if (const auto* probit = std::get_if<ProbitActivation>(&activation)) return log_normal_cdf(field / probit->noise);
  const double z = field / std::get<LogisticActivation>(activation).noise;
  return std::min(z, 0.0) - std::log1p(std::exp(-std::abs(z)));
}

double average_likelihood(const AnyActivation& activation, double mean, double variance) {
  if (const auto* step = std::get_if<StepActivation>(&activation))
    return step->noise + (1 - 2 * step->noise) * normal_cdf(mean / std::sqrt(variance));
  if (const auto* probit = std::get_if<ProbitActivation>(&activation))
    return normal_cdf(mean / std::sqrt(variance + probit->noise * probit->noise));
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
  if (std::holds_alternative<LogisticActivation>(activation)) {
    for (std::size_t i = 0; i < mean.size(); ++i) out[i] = tilt(activation, mean[i], variance[i]).log_g;
    return;
  }
  const auto* step = std::get_if<StepActivation>(&activation);
  const double width = step ? 0 : std::get<ProbitActivation>(activation).noise;
  for (std::size_t i = 0; i < mean.size(); ++i) out[i] = mean[i] / std::sqrt(variance[i] + width * width);
  kernels::log_normal_cdf(step ? step->noise : 0, out, out);
}

void tilt_slopes(const AnyActivation& activation, std::span<const double> mean, double variance, std::span<double> a,
                 std::span<double> b) {
  double noise = 0, total = variance;
  if (const auto* step = std::get_if<StepActivation>(&activation)) noise = step->noise;
  if (const auto* probit = std::get_if<ProbitActivation>(&activation)) total += probit->noise * probit->noise;
  const bool normal = activation_kind(activation) != ActivationKind::logistic;
  if (normal) kernels::normal_slopes(noise, mean, total, a, b);
  const double cancels = normal && noise > 0 ? -std::numeric_limits<double>::infinity() : -10 * std::sqrt(total);
  for (std::size_t i = 0; i < mean.size(); ++i) {
    if (normal && !(mean[i] < cancels)) continue;
    const Tilt t = tilt(activation, mean[i], variance);
    a[i] = t.a;
    b[i] = t.b;
  }
}

}  // namespace cavity
