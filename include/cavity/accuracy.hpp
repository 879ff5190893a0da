// The numbers that people quote of one class against the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace cavity {

/// 95 %.
struct Interval {
  double low = 0, high = 1;
};

/// A sample is called positive from a probability of 1/2 on. Samples may weigh differently in error and Brier score;
/// all else counts them.
struct Accuracy {
  std::size_t true_positive = 0, false_negative = 0, true_negative = 0, false_positive = 0;
  double sensitivity = 0, specificity = 0, balanced_accuracy = 0;
  double auc = 0, auc_se = 0;  // P(a positive sample ranks above a negative one), ties one half; DeLong's error
  double brier = 0;            // mean squared error of the probabilities
  Interval error, sensitivity_interval, specificity_interval, auc_interval;
};

/// `probability` is that of the positive class; both classes are there. `weights` of the samples sum to 1; empty: all
/// alike. `group_of` is the group of each sample, such as its patient; empty: each is alone. Of groups, auc_se and the
/// intervals of sensitivity, specificity and AUC are those between groups; the interval of the error takes samples as
/// independent.
Accuracy measure_accuracy(std::span<const double> probability, std::span<const std::int8_t> labels,
                          std::span<const double> weights = {}, std::span<const std::size_t> group_of = {});

/// Wilson's score interval of `share` of `count`: sane at 0 and 1, where share +- error is not.
Interval wilson_interval(double share, double count);

}  // namespace cavity
