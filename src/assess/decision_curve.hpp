// What a classifier is worth to those who act on it: who treats from probability t on holds one harmed for nothing to
// weigh t/(1 - t) of one who is helped. Net benefit a sample,
//   (true positives - t/(1 - t) false positives)/samples,
// beside treating all, share - t/(1 - t) (1 - share), and treating none, 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cavity/accuracy.hpp"

namespace cavity {

/// At one threshold: a sample is called positive from this probability on.
struct DecisionPoint {
  double threshold = 0.5;
  std::size_t true_positive = 0, false_positive = 0, true_negative = 0, false_negative = 0;
  double sensitivity = 0, specificity = 0, positive_value = 0, negative_value = 0;  // NaN where there is none to count
  Interval sensitivity_interval, specificity_interval;
  double net_benefit = 0, treat_all = 0;
};

/// std::invalid_argument unless 0 < threshold < 1.
DecisionPoint decide(double threshold, std::span<const double> probability, std::span<const std::int8_t> labels);

std::vector<DecisionPoint> decision_curve(std::span<const double> thresholds, std::span<const double> probability,
                                          std::span<const std::int8_t> labels);

}  // namespace cavity
