#include "model/activation_kind.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "cavity/errors.hpp"

namespace cavity {

AnyActivation make_activation(ActivationKind kind, double noise) {
  if (!is_valid_noise(kind, noise)) {
    if (kind == ActivationKind::step)
      throw UsageError(
          fmt::format("noise {} is outside [0, 0.5): for the step activation it is the probability of a "
                      "flipped label",
                      noise));
    throw UsageError(fmt::format("noise {} is not positive: for the {} activation it is the width of the transition",
                                 noise, to_string(kind)));
  }
  switch (kind) {
    case ActivationKind::step:
      return step(noise);
    case ActivationKind::probit:
      return probit(noise);
    case ActivationKind::logistic:
      return LogisticActivation{noise};
  }
  throw std::logic_error("activation kind");
}

AnyActivation make_activation(ActivationKind kind, double noise, double width, double density) {
  if (width == 0) return make_activation(kind, noise);
  if (kind != ActivationKind::step)
    throw UsageError(
        fmt::format("width {} for the {} activation: there the noise is the width", width, to_string(kind)));
  return make_activation(noise, width * std::sqrt(density));
}

bool is_valid_noise(ActivationKind kind, double noise) {
  if (kind == ActivationKind::step) return noise >= 0 && noise < 0.5;
  return noise > 0 && std::isfinite(noise);
}

std::vector<double> default_noises(ActivationKind kind, double density) {
  if (kind == ActivationKind::step) return {0.003, 0.02, 0.08, 0.2};
  std::vector<double> widths = {0.1, 0.3, 1, 3};
  for (double& width : widths) width *= std::sqrt(density);
  return widths;
}

std::vector<double> paper_noises(ActivationKind kind, double density) {
  if (kind == ActivationKind::step) return {0.1, 0.2, 0.3, 0.4};
  return default_noises(kind, density);
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

}  // namespace cavity
