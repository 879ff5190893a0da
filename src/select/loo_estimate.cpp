#include "select/loo_estimate.hpp"

#include <cmath>

#include "judge/class_weights.hpp"
#include "leave/mean_error.hpp"
#include "model/score.hpp"

namespace cavity {

// As many samples that err alone know the error as well lie between the number of groups and that of samples.
void know_by_groups(std::span<const double> wrong, std::span<const double> weights, const SampleGroups& groups,
                    LooEstimate& out) {
  const auto samples = static_cast<double>(wrong.size());
  std::vector<double> excess;
  double squares = 0;
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    excess.push_back(samples * weights[i] * (wrong[i] - out.error));
    squares += weights[i] * weights[i];
  }
  out.groups = groups.count();
  out.error_se = standard_error(excess, &groups);
  const double alone = 1 / squares, fewest = alone * static_cast<double>(groups.count()) / samples;
  const double spread = out.error * (1 - out.error);
  const double known_by = spread > 0 ? std::clamp(spread / (out.error_se * out.error_se), fewest, alone) : fewest;
  out.accuracy.error = wilson_interval(std::clamp(out.error, 0.0, 1.0), known_by);
}

LooEstimate loo_estimate(std::span<const double> own, std::vector<double> positive, std::vector<bool> reliable,
                         std::span<const std::int8_t> labels, const std::optional<std::array<double, 2>>& population) {
  LooEstimate out;
  out.probability = std::move(positive);
  out.reliable = std::move(reliable);
  const auto m = static_cast<double>(own.size());
  const std::vector<double> weights = class_weights(labels, population);
  for (std::size_t i = 0; i < own.size(); ++i) {
    const double times = population ? m * weights[i] : 1;
    out.error += times * wrong_label(own[i]);
    out.log_loss += times * log_loss(own[i]);
  }
  out.error /= m;
  double squares = 0;
  for (const double w : weights) squares += w * w;
  out.error_se = std::sqrt(out.error * (1 - out.error) * (population ? squares : 1 / m));
  out.log_loss /= m;
  out.accuracy = measure_accuracy(out.probability, labels, population);
  return out;
}

LooEstimate loo_estimate(const std::vector<double>& log_probability, std::vector<bool> reliable,
                         std::span<const std::int8_t> labels, const SampleGroups* groups,
                         const std::optional<std::array<double, 2>>& population) {
  const double factor = population ? prior_shift(labels, *population) : 1;
  std::vector<double> own, positive;
  for (std::size_t mu = 0; mu < labels.size(); ++mu) {
    own.push_back(std::exp(log_probability[mu]));
    if (population) own.back() = shifted(own.back(), labels[mu] > 0 ? factor : 1 / factor);
    positive.push_back(labels[mu] > 0 ? own.back() : 1 - own.back());
  }
  LooEstimate out = loo_estimate(own, std::move(positive), std::move(reliable), labels, population);
  if (!groups) return out;
  std::vector<double> wrong;
  for (const double p : own) wrong.push_back(wrong_label(p));
  out.accuracy = measure_accuracy(out.probability, labels, population, groups->of);
  know_by_groups(wrong, class_weights(labels, population), *groups, out);
  return out;
}

}  // namespace cavity
