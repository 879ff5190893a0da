#include "fit/know_dependence.hpp"

#include <algorithm>
#include <cmath>

#include "assess/class_weights.hpp"

namespace cavity {

namespace {

/// Between groups there is more to know than between samples.
Interval hull(const Interval& a, const Interval& b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }

Interval turned(const Interval& of_error) { return {1 - of_error.high, 1 - of_error.low}; }

/// As many samples of one weight as know the error as well.
double known_by(const Fit& fit) {
  double squares = 0;
  for (const double w : class_weights(fit.data.classes, fit.data.class_shares)) squares += w * w;
  return 1 / squares;
}

ChanceSpread chance_of_error(const Fit& fit) {
  return {fit.permutation.mean.error, fit.permutation.sd.error, static_cast<double>(fit.data.samples)};
}

/// Of the share of a class that is called right.
void widen(double share, std::size_t count, double mean, double sd, Interval& interval) {
  const auto samples = static_cast<double>(count);
  interval = hull(interval, turned(dependent_interval({1 - share, samples}, {1 - mean, sd, samples})));
}

void widen(const LeftOutSpread& mean, const LeftOutSpread& sd, Accuracy& a) {
  const std::size_t positives = a.true_positive + a.false_negative, negatives = a.true_negative + a.false_positive;
  widen(a.sensitivity, positives, mean.sensitivity, sd.sensitivity, a.sensitivity_interval);
  widen(a.specificity, negatives, mean.specificity, sd.specificity, a.specificity_interval);
  const AucFigure auc{a.auc, static_cast<double>(positives), static_cast<double>(negatives)};
  const ChanceSpread chance{mean.auc, sd.auc, auc.positives + auc.negatives};
  a.auc_interval = hull(a.auc_interval, dependent_auc_interval(auc, chance));
  a.auc_se *= std::sqrt(auc_dependence(auc, chance));
}

}  // namespace

Interval error_interval(const Fit& fit, double z) {
  return dependent_interval({std::clamp(fit.loo.error, 0.0, 1.0), known_by(fit)}, chance_of_error(fit), z);
}

void know_dependence(Fit& fit) {
  if (!fit.permutation.known()) return;
  LooEstimate& loo = fit.loo;
  loo.error_interval = hull(loo.error_interval, error_interval(fit, z95));
  loo.error_se = std::max(
      loo.error_se, std::sqrt(loo.error * (1 - loo.error) * dependence(loo.error, chance_of_error(fit)) / known_by(fit)));
  if (fit.questions.size() != 1) return;
  Accuracy& accuracy = fit.questions.front().accuracy;
  accuracy.error = hull(accuracy.error, loo.error_interval);
  widen(fit.permutation.mean, fit.permutation.sd, accuracy);
}

}  // namespace cavity
