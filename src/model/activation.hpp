// P(label | field): f(u) >= 0, f(u) + f(-u) = 1, and its Gaussian average
//   g(D; V) = int Du f(sqrt(V) u + D)
// with  a = d ln g / dD  and  b = da / dD. Pure functions; every solver and the theory use these and no others.
//   step      f(u) = noise + (1 - 2 noise) Theta(u)   noise in [0, 1/2)   closed form; b > 0 is possible
//   probit    f(u) = Phi(u / noise)                   noise > 0           closed form, log-concave
//   logistic  f(u) = 1 / (1 + exp(-u / noise))        noise > 0           quadrature, log-concave
#pragma once

#include <concepts>
#include <span>
#include <variant>

#include "cavity/activation.hpp"

namespace cavity {

/// ln g and its derivatives at a Gaussian message (D, V), V > 0.
struct Tilt {
  double log_g = 0;
  double a = 0;
  double b = 0;
  double shrink = 1;  // 1 + V b: tilted variance over V, computed without cancellation
};

template <class A>
concept Activation = requires(const A& activation, double x) {
  { activation.tilt(x, x) } -> std::same_as<Tilt>;       // at cavity mean D and variance V > 0
  { activation.likelihood(x) } -> std::same_as<double>;  // f(u)
};

struct StepActivation {
  double noise;
  Tilt tilt(double mean, double variance) const;
  double likelihood(double field) const;
};

struct ProbitActivation {
  double noise;
  Tilt tilt(double mean, double variance) const;
  double likelihood(double field) const;
};

struct LogisticActivation {
  double noise;
  Tilt tilt(double mean, double variance) const;
  double likelihood(double field) const;
};

using AnyActivation = std::variant<StepActivation, ProbitActivation, LogisticActivation>;
static_assert(Activation<StepActivation> && Activation<ProbitActivation> && Activation<LogisticActivation>);

/// Checks the range of `noise`; UsageError outside it.
AnyActivation make_activation(ActivationKind kind, double noise);
ActivationKind activation_kind(const AnyActivation& activation);
double activation_noise(const AnyActivation& activation);

inline Tilt tilt(const AnyActivation& activation, double mean, double variance) {
  return std::visit([=](const auto& f) { return f.tilt(mean, variance); }, activation);
}

/// ln f(u) without underflow; -infinity for the wrong sign at noise 0.
double log_likelihood(const AnyActivation& activation, double field);

/// g(D; V) itself, in (0, 1): the predictive probability of the label.
double average_likelihood(const AnyActivation& activation, double mean, double variance);

/// Vectorised: out[i] = tilt at (mean[i], variance[i]); one variance serves all when `variance` has length 1.
void tilt(const AnyActivation& activation, std::span<const double> mean, std::span<const double> variance,
          std::span<Tilt> out);

/// ln g alone.
void log_averages(const AnyActivation& activation, std::span<const double> mean, std::span<const double> variance,
                  std::span<double> out);

/// a and b alone, at one variance for all.
void tilt_slopes(const AnyActivation& activation, std::span<const double> mean, double variance, std::span<double> a,
                 std::span<double> b);

}  // namespace cavity
