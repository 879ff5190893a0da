// P(label | field): f(u) >= 0, f(u) + f(-u) = 1, and its Gaussian average
//   g(D; V) = int Du f(sqrt(V) u + D)
// with  a = d ln g / dD  and  b = da / dD. Pure functions; every solver and the theory use these and no others.
//   threshold  f(u) = flip + (1 - 2 flip) Phi(u / width)   flip in [0, 1/2), width >= 0   closed form
//     width 0 is the step activation, flip + (1 - 2 flip) Theta(u); flip 0 is the probit activation. With flips it is
//     not log-concave: b > 0 is possible.
//   logistic   f(u) = 1 / (1 + exp(-u / width))            width > 0                      quadrature, log-concave
// All that inference, theory and the grid ask of an activation is in the concept below. A new one is a struct here, a
// .cpp beside threshold.cpp and logistic.cpp, its name in activation_kind.cpp, and its augmentation in the sampler.
#pragma once

#include <concepts>
#include <optional>
#include <span>
#include <string>
#include <variant>

#include "model/bend.hpp"

namespace cavity {

/// ln g and its derivatives at a Gaussian message (D, V), V > 0.
struct Tilt {
  double log_g = 0;
  double a = 0;
  double b = 0;
  double shrink = 1;  // 1 + V b: tilted variance over V, computed without cancellation
};

// The free functions of the same names below say what each answers.
template <class A>
concept Activation = requires(const A& f, double x, std::span<const double> xs, std::span<double> out) {
  { f.tilt(x, x) } -> std::same_as<Tilt>;
  { f.likelihood(x) } -> std::same_as<double>;
  { f.log_likelihood(x) } -> std::same_as<double>;
  { f.average_likelihood(x, x) } -> std::same_as<double>;
  { f.log_averages(xs, xs, out) } -> std::same_as<void>;
  { f.tilt_slopes(xs, x, out, out) } -> std::same_as<void>;
  { f.scale_is_free() } -> std::same_as<bool>;
  { f.slab_is_solved() } -> std::same_as<bool>;
  { f.labels_are_certain() } -> std::same_as<bool>;
  { f.added_variance() } -> std::same_as<double>;
  { f.closed_sign_error(x, x) } -> std::same_as<std::optional<double>>;
  { f.bend(x) } -> std::same_as<Bend>;
  { f.name() } -> std::same_as<std::string>;
};

struct ThresholdActivation {
  double flip = 0;   // probability of a flipped label
  double width = 0;  // of the transition, in units of the field

  Tilt tilt(double mean, double variance) const;
  double likelihood(double field) const;
  double log_likelihood(double field) const;
  double average_likelihood(double mean, double variance) const;
  void log_averages(std::span<const double> mean, std::span<const double> variance, std::span<double> out) const;
  void tilt_slopes(std::span<const double> mean, double variance, std::span<double> a, std::span<double> b) const;
  bool scale_is_free() const { return width == 0; }
  bool slab_is_solved() const { return width > 0 && flip == 0; }
  bool labels_are_certain() const { return width == 0 && flip == 0; }
  double added_variance() const { return width * width; }
  std::optional<double> closed_sign_error(double slope, double variance) const;
  Bend bend(double variance) const;
  std::string name() const;
};

struct LogisticActivation {
  double width;

  Tilt tilt(double mean, double variance) const;
  double likelihood(double field) const;
  double log_likelihood(double field) const;
  double average_likelihood(double mean, double variance) const;
  void log_averages(std::span<const double> mean, std::span<const double> variance, std::span<double> out) const;
  void tilt_slopes(std::span<const double> mean, double variance, std::span<double> a, std::span<double> b) const;
  bool scale_is_free() const { return false; }
  bool slab_is_solved() const { return true; }
  bool labels_are_certain() const { return false; }
  double added_variance() const;
  std::optional<double> closed_sign_error(double, double) const { return std::nullopt; }
  Bend bend(double variance) const;
  std::string name() const;
};

using AnyActivation = std::variant<ThresholdActivation, LogisticActivation>;
static_assert(Activation<ThresholdActivation> && Activation<LogisticActivation>);

inline ThresholdActivation step(double flip) { return {flip, 0}; }
inline ThresholdActivation probit(double width) { return {0, width}; }

/// Flipped labels and a width at once; UsageError outside flip in [0, 1/2), width in [0, infinity).
AnyActivation make_activation(double flip, double width);

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
inline double average_likelihood(const AnyActivation& activation, double mean, double variance) {
  return std::visit([=](const auto& f) { return f.average_likelihood(mean, variance); }, activation);
}

/// Vectorised: out[i] = tilt at (mean[i], variance[i]); one variance serves all when `variance` has length 1.
void tilt(const AnyActivation& activation, std::span<const double> mean, std::span<const double> variance,
          std::span<Tilt> out);

/// ln g alone.
inline void log_averages(const AnyActivation& activation, std::span<const double> mean,
                         std::span<const double> variance, std::span<double> out) {
  std::visit([=](const auto& f) { f.log_averages(mean, variance, out); }, activation);
}

/// a and b alone, at one variance for all.
inline void tilt_slopes(const AnyActivation& activation, std::span<const double> mean, double variance,
                        std::span<double> a, std::span<double> b) {
  std::visit([=](const auto& f) { f.tilt_slopes(mean, variance, a, b); }, activation);
}

/// Whether only the sign of the field matters.
inline bool scale_is_free(const AnyActivation& activation) {
  return std::visit([](const auto& f) { return f.scale_is_free(); }, activation);
}

/// Whether both pruning conditions are imposed and the slab's precision G solved for. A free scale forces G = 1; with
/// flips and a width the width carries the scale, in units of a slab of G = 1.
inline bool slab_is_solved(const AnyActivation& activation) {
  return std::visit([](const auto& f) { return f.slab_is_solved(); }, activation);
}

/// Whether f is 0 for the wrong sign: then a draw of the weights says nothing of a sample that it gets wrong.
inline bool labels_are_certain(const AnyActivation& activation) {
  return std::visit([](const auto& f) { return f.labels_are_certain(); }, activation);
}

/// Variance that the activation adds to a field: what turns a field into a probit score.
inline double added_variance(const AnyActivation& activation) {
  return std::visit([](const auto& f) { return f.added_variance(); }, activation);
}

/// 2 int_{z>0} Dz (1 - g(slope z; variance)): how often the sign of z errs about labels of the field slope z + noise of
/// that variance. Nothing where there is no closed form.
inline std::optional<double> closed_sign_error(const AnyActivation& activation, double slope, double variance) {
  return std::visit([=](const auto& f) { return f.closed_sign_error(slope, variance); }, activation);
}

/// The zero or pole of g(D; V) nearest to the real axis, as a function of D.
inline Bend bend(const AnyActivation& activation, double variance) {
  return std::visit([=](const auto& f) { return f.bend(variance); }, activation);
}

/// For messages: "step 0.1", "probit 0.5", "flip 0.1 width 0.5", "logistic 2".
inline std::string to_string(const AnyActivation& activation) {
  return std::visit([](const auto& f) { return f.name(); }, activation);
}

}  // namespace cavity
