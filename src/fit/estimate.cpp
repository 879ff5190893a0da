#include "fit/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assess/class_weights.hpp"
#include "assess/mean_error.hpp"
#include "model/score.hpp"

namespace cavity {

namespace {

double likeliest_other(const Matrix& probability, Eigen::Index row, std::uint32_t own) {
  double out = -std::numeric_limits<double>::infinity();
  for (Eigen::Index k = 0; k < probability.cols(); ++k)
    if (k != static_cast<Eigen::Index>(own)) out = std::max(out, probability(row, k));
  return out;
}

// As many samples that err alone know the error as well lie between the number of groups and that of samples.
void know_by_groups(const std::vector<double>& wrong, const std::vector<double>& weights, const SampleGroups& groups,
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
  out.error_interval = wilson_interval(std::clamp(out.error, 0.0, 1.0), known_by);
}

/// Of samples alone; without shares sums of ones are exact.
void add_error(const Losses& losses, const std::vector<double>& weights, bool shares, LooEstimate& out) {
  const auto m = static_cast<double>(weights.size());
  double squares = 0, weighted = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double times = shares ? m * weights[i] : 1;
    out.error += times * losses.wrong[i];
    out.log_loss += times * losses.log[i];
    weighted += weights[i] * losses.wrong[i];
    squares += weights[i] * weights[i];
  }
  out.error = std::min(out.error / m, 1.0);
  out.log_loss /= m;
  out.error_se = std::sqrt(out.error * (1 - out.error) * (shares ? squares : 1 / m));
  out.error_interval = wilson_interval(std::clamp(weighted, 0.0, 1.0), 1 / squares);
}

}  // namespace

std::uint32_t called_class(const Matrix& probability, std::size_t sample) {
  const auto row = static_cast<Eigen::Index>(sample);
  Eigen::Index best = 0;
  for (Eigen::Index k = 1; k < probability.cols(); ++k)
    if (probability(row, k) >= probability(row, best)) best = k;
  return static_cast<std::uint32_t>(best);
}

Losses losses_of(const Matrix& probability, const std::vector<std::uint32_t>& classes) {
  Losses out;
  for (std::size_t mu = 0; mu < classes.size(); ++mu) {
    const auto row = static_cast<Eigen::Index>(mu);
    const double own = probability(row, classes[mu]);
    out.wrong.push_back(wrong_sign(own - likeliest_other(probability, row, classes[mu])));
    out.log.push_back(log_loss(own));
  }
  return out;
}

LooEstimate estimate(const Matrix& probability, const Labelled& samples, const std::vector<double>& shares,
                     const SampleGroups* groups) {
  LooEstimate out;
  const std::size_t classes = samples.class_count(), count = samples.classes.size();
  out.probability.assign(probability.data(), probability.data() + probability.size());
  out.reliable.assign(count, true);
  const Losses losses = losses_of(probability, samples.classes);
  const std::vector<double> weights = class_weights(samples.classes, shares);
  add_error(losses, weights, !shares.empty(), out);
  if (groups) know_by_groups(losses.wrong, weights, *groups, out);
  out.confusion.assign(classes * classes, 0);
  for (std::size_t mu = 0; mu < count; ++mu) {
    const std::uint32_t truth = samples.classes[mu];
    out.called.push_back(called_class(probability, mu));
    ++out.confusion[truth * classes + out.called.back()];
    double squares = 0;
    for (std::uint32_t k = 0; k < classes; ++k) {
      const double off = (k == truth ? 1 : 0) - probability(static_cast<Eigen::Index>(mu), k);
      squares += weights[mu] * off * off;
    }
    out.brier += 0.5 * squares;
  }
  for (std::size_t k = 0; k < classes; ++k)
    out.balanced_accuracy +=
        static_cast<double>(out.confusion[k * classes + k]) / static_cast<double>(samples.counts[k]);
  out.balanced_accuracy /= static_cast<double>(classes);
  return out;
}

}  // namespace cavity
