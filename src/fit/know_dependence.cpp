#include "fit/know_dependence.hpp"

#include <algorithm>
#include <cmath>

#include "assess/class_weights.hpp"
#include "assess/guessing.hpp"

namespace cavity {

namespace {

// Variance of the fit's figures over that of the kernel's where there is nothing to find: the fit also chooses among
// cells. Of the error over 100 tables of noise each, 40 x 500, 40 x 2000, 60 x 1000 and 100 x 200: 1.3, 1.5, 2.4, 1.2,
// whose mean it is. Over 826 tables of experiments/nothing/coverage.py the mean square of the error's deviation from
// that of new samples, over the variance stated, is 1.45, 1.18, 1.08, .99 by 1, 1.4, 1.6 and 1.8.
constexpr double choosing = 1.6;

double spread_of_fit(double of_kernel) { return std::sqrt(choosing) * of_kernel; }

/// Between groups there is more to know than between samples.
Interval hull(const Interval& a, const Interval& b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }

Interval turned(const Interval& of_error) { return {1 - of_error.high, 1 - of_error.low}; }

/// As many samples of one weight as know the error as well.
double known_by(const Fit& fit) {
  double squares = 0;
  for (const double w : class_weights(fit.data.classes, fit.data.class_prior)) squares += w * w;
  return 1 / squares;
}

ChanceSpread chance_of_error(const Fit& fit) {
  return {fit.permutation.mean.error, spread_of_fit(fit.permutation.sd.error), static_cast<double>(fit.data.samples)};
}

/// Of the share of a class that is called right.
void widen(double share, std::size_t count, double mean, double sd, Interval& interval) {
  const auto samples = static_cast<double>(count);
  interval = hull(interval, turned(dependent_interval({1 - share, samples}, {1 - mean, spread_of_fit(sd), samples})));
}

void widen(const LeftOutSpread& mean, const LeftOutSpread& sd, Accuracy& a) {
  const std::size_t positives = a.true_positive + a.false_negative, negatives = a.true_negative + a.false_positive;
  widen(a.sensitivity, positives, mean.sensitivity, sd.sensitivity, a.sensitivity_interval);
  widen(a.specificity, negatives, mean.specificity, sd.specificity, a.specificity_interval);
  const AucFigure auc{a.auc, static_cast<double>(positives), static_cast<double>(negatives)};
  const ChanceSpread chance{mean.auc, spread_of_fit(sd.auc), auc.positives + auc.negatives};
  a.auc_interval = hull(a.auc_interval, dependent_auc_interval(auc, chance));
  a.auc_se *= std::sqrt(auc_dependence(auc, chance));
}

/// From this error to what chance allows of so many samples: of 99 %, since the test has its 5 % already.
Interval up_to_chance(const Fit& fit, double error) {
  return {error, dependent_interval({error, known_by(fit)}, {}, z99).high};
}

/// Always guessing the commonest class, on samples whose classes are as common as these and chance allow.
Interval guessing_interval(const Fit& fit) {
  const double error = best_guess(fit.data.class_counts, fit.data.class_prior).error;
  if (!fit.data.class_prior.empty()) return {error, error};
  const auto classes = static_cast<double>(fit.data.class_counts.size());
  return {error, std::max(error, std::min(up_to_chance(fit, error).high, 1 - 1 / classes))};
}

/// Whether an interval may leave guessing out: by the test, or by a bent boundary, of which the test knows nothing.
bool may_exclude_guessing(const Fit& fit) {
  return fit.permutation.shown() ||
         std::ranges::any_of(fit.questions, [](const QuestionFit& q) { return q.boundary.share > 0; });
}

}  // namespace

Interval error_interval(const Fit& fit, double z) {
  return dependent_interval({std::clamp(fit.loo.error, 0.0, 1.0), known_by(fit)}, chance_of_error(fit), z);
}

void know_dependence(Fit& fit) {
  if (!fit.permutation.known()) return;
  LooEstimate& loo = fit.loo;
  loo.error_interval = hull(loo.error_interval, error_interval(fit, z95));
  if (!may_exclude_guessing(fit))
    loo.error_interval = hull(loo.error_interval, fit.covariates_alone ? up_to_chance(fit, fit.covariates_alone->error)
                                                                       : guessing_interval(fit));
  loo.error_se = std::max(loo.error_se, std::sqrt(loo.error * (1 - loo.error) *
                                                  dependence(loo.error, chance_of_error(fit)) / known_by(fit)));
  if (fit.questions.size() != 1) return;
  Accuracy& accuracy = fit.questions.front().accuracy;
  accuracy.error = hull(accuracy.error, loo.error_interval);
  widen(fit.permutation.mean, fit.permutation.sd, accuracy);
  if (!may_exclude_guessing(fit) && !fit.covariates_alone)
    accuracy.auc_interval = hull(accuracy.auc_interval, {0.5, 0.5});
}

}  // namespace cavity
