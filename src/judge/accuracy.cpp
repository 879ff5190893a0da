// AUC = P(score of a positive > score of a negative) + P(tie)/2; its standard error is DeLong's (Biometrics 44 (1988)
// 837), its interval inverts |AUC - a| = z sqrt(a (1-a) [1 + n (1-a)/(2-a) + n a/(1+a)] / (P N)), n = (P+N)/2 - 1,
// which Newcombe (Stat. Med. 25 (2006) 559) found to hold its level where the AUC is near 1.
#include "cavity/accuracy.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "judge/class_weights.hpp"

namespace cavity {

namespace {

constexpr double z95 = 1.959963984540054;

/// How many of the sorted values are below v, ties counting half, as a share.
double placement(const std::vector<double>& sorted, double v) {
  const auto [below, above] = std::equal_range(sorted.begin(), sorted.end(), v);
  return 0.5 * static_cast<double>((below - sorted.begin()) + (above - sorted.begin())) /
         static_cast<double>(sorted.size());
}

struct Mean {
  double value, squared_error;  // of the mean; NaN for one value
};
Mean mean_of(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  double mean = 0, square = 0;
  for (const double v : values) mean += v / count;
  for (const double v : values) square += (v - mean) * (v - mean);
  return {mean, square / (count - 1) / count};
}

double auc_spread(double a, double positives, double negatives) {
  const double n = 0.5 * (positives + negatives) - 1;
  return z95 * std::sqrt(a * (1 - a) * (1 + n * (1 - a) / (2 - a) + n * a / (1 + a)) / (positives * negatives));
}

Interval auc_interval(double auc, double positives, double negatives) {
  const auto bound = [&](double inside, double outside) {
    for (int i = 0; i < 60; ++i) {
      const double middle = 0.5 * (inside + outside);
      (std::abs(middle - auc) <= auc_spread(middle, positives, negatives) ? inside : outside) = middle;
    }
    return 0.5 * (inside + outside);
  };
  return {auc > 0 ? bound(auc, 0) : 0, auc < 1 ? bound(auc, 1) : 1};
}

/// Wilson's, of as many samples of equal weight as have the same sum of squares (Kish).
Interval error_interval(std::span<const double> weights, double error) {
  double squares = 0;
  for (const double w : weights) squares += w * w;
  return wilson_interval(error, 1 / squares);
}

void count_outcomes(std::span<const double> probability, std::span<const std::int8_t> labels, Accuracy& out) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const bool called = probability[i] >= 0.5;
    ++(labels[i] > 0 ? (called ? out.true_positive : out.false_negative)
                     : (called ? out.false_positive : out.true_negative));
  }
  const auto share = [](std::size_t hits, std::size_t others) {
    return static_cast<double>(hits) / static_cast<double>(hits + others);
  };
  const auto interval = [](double p, std::size_t count) { return wilson_interval(p, static_cast<double>(count)); };
  out.sensitivity = share(out.true_positive, out.false_negative);
  out.specificity = share(out.true_negative, out.false_positive);
  out.sensitivity_interval = interval(out.sensitivity, out.true_positive + out.false_negative);
  out.specificity_interval = interval(out.specificity, out.true_negative + out.false_positive);
  out.balanced_accuracy = 0.5 * (out.sensitivity + out.specificity);
}

void measure_auc(std::span<const double> probability, std::span<const std::int8_t> labels, Accuracy& out) {
  std::vector<double> up, down;
  for (std::size_t i = 0; i < labels.size(); ++i) (labels[i] > 0 ? up : down).push_back(probability[i]);
  std::sort(up.begin(), up.end());
  std::sort(down.begin(), down.end());
  std::vector<double> of_up, of_down;
  for (const double v : up) of_up.push_back(placement(down, v));
  for (const double v : down) of_down.push_back(placement(up, v));
  const Mean above = mean_of(of_up), below = mean_of(of_down);
  out.auc = std::clamp(above.value, 0.0, 1.0);
  out.auc_se = std::sqrt(above.squared_error + below.squared_error);
  out.auc_interval = auc_interval(out.auc, static_cast<double>(up.size()), static_cast<double>(down.size()));
}

}  // namespace

Interval wilson_interval(double share, double count) {
  if (!(count > 0)) return {};
  const double square = z95 * z95, scale = 1 + square / count, centre = share + square / (2 * count);
  const double half = z95 * std::sqrt(share * (1 - share) / count + square / (4 * count * count));
  // At the ends the exact bound is 0 or 1; rounding must not push it past.
  return {share <= 0 ? 0 : (centre - half) / scale, share >= 1 ? 1 : (centre + half) / scale};
}

Accuracy measure_accuracy(std::span<const double> probability, std::span<const std::int8_t> labels,
                          const std::optional<std::array<double, 2>>& population) {
  if (probability.size() != labels.size()) throw std::invalid_argument("as many probabilities as labels are needed");
  Accuracy out;
  count_outcomes(probability, labels, out);
  measure_auc(probability, labels, out);
  const std::vector<double> weights = class_weights(labels, population);
  double error = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const double off = (labels[i] > 0 ? 1 : 0) - probability[i];
    out.brier += weights[i] * off * off;
    error += weights[i] * (probability[i] == 0.5 ? 0.5 : (probability[i] > 0.5) != (labels[i] > 0) ? 1 : 0);
  }
  out.error = error_interval(weights, std::clamp(error, 0.0, 1.0));
  return out;
}

}  // namespace cavity
