// P(label | field): f(u) >= 0, f(u) + f(-u) = 1, and its Gaussian average
//   g(D; V) = int Du f(sqrt(V) u + D)
// with  a = d ln g / dD  and  b = da / dD. Pure functions; every solver and the theory use these and no others.
//   threshold  f(u) = flip + (1 - 2 flip) Phi(u / width)   flip in [0, 1/2), width >= 0   closed form
//     width 0 is the step activation, flip + (1 - 2 flip) Theta(u); flip 0 is the probit activation. With flips it is
//     not log-concave: b > 0 is possible.
//   logistic   f(u) = 1 / (1 + exp(-u / width))            width > 0                      quadrature, log-concave
#pragma once

#include <concepts>
#include <span>
#include <string>
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
  { activation.tilt(x, x) } -> std::same_as<Tilt>;           // at cavity mean D and variance V > 0
  { activation.likelihood(x) } -> std::same_as<double>;      // f(u)
  { activation.log_likelihood(x) } -> std::same_as<double>;  // ln f(u)
};

struct ThresholdActivation {
  double flip = 0;   // probability of a flipped label
  double width = 0;  // of the transition, in units of the field
  Tilt tilt(double mean, double variance) const;
  double likelihood(double field) const;
  double log_likelihood(double field) const;
};

struct LogisticActivation {
  double width;
  Tilt tilt(double mean, double variance) const;
  double likelihood(double field) const;
  double log_likelihood(double field) const;
};

using AnyActivation = std::variant<ThresholdActivation, LogisticActivation>;
static_assert(Activation<ThresholdActivation> && Activation<LogisticActivation>);

inline ThresholdActivation step(double flip) { return {flip, 0}; }
inline ThresholdActivation probit(double width) { return {0, width}; }

/// The activation that a user names; UsageError where `noise` is out of its range.
AnyActivation make_activation(ActivationKind kind, double noise);
/// Flipped labels and a width at once; UsageError outside flip in [0, 1/2), width in [0, infinity).
AnyActivation make_activation(double flip, double width);
/// For messages: "step 0.1", "probit 0.5", "flip 0.1 width 0.5", "logistic 2".
std::string to_string(const AnyActivation& activation);

/// Whether only the sign of the field matters: width 0.
bool scale_is_free(const AnyActivation& activation);
/// Whether both pruning conditions are imposed and the slab's precision G solved for. A free scale forces G = 1; with
/// flips and a width the width carries the scale, in units of a slab of G = 1.
bool slab_is_solved(const AnyActivation& activation);

inline Tilt tilt(const AnyActivation& activation, double mean, double variance) {
  return std::visit([=](const auto& f) { return f.tilt(mean, variance); }, activation);
}

/// f(u): the probability of the label at a known field.
inline double likelihood(const AnyActivation& activation, double field) {
  return std::visit([=](const auto& f) { return f.likelihood(field); }, activation);
}

/// ln f(u) without underflow; -infinity for the wrong sign where labels are certain.
inline double log_likelihood(const AnyActivation& activation, double field) {
  return std::visit([=](const auto& f) { return f.log_likelihood(field); }, activation);
}

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
