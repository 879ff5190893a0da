#include "assess/decision_curve.hpp"

#include <limits>
#include <stdexcept>

namespace cavity {

namespace {

double share(std::size_t part, std::size_t rest) {
  const auto all = static_cast<double>(part + rest);
  return all > 0 ? static_cast<double>(part) / all : std::numeric_limits<double>::quiet_NaN();
}

Interval interval_of(std::size_t part, std::size_t rest) {
  return part + rest > 0 ? wilson_interval(share(part, rest), static_cast<double>(part + rest)) : Interval{0, 1};
}

}  // namespace

DecisionPoint decide(double threshold, std::span<const double> probability, std::span<const std::int8_t> labels) {
  if (!(threshold > 0 && threshold < 1)) throw std::invalid_argument("a threshold lies between 0 and 1");
  if (probability.size() != labels.size()) throw std::invalid_argument("as many probabilities as labels are needed");
  DecisionPoint out;
  out.threshold = threshold;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const bool called = probability[i] >= threshold, is = labels[i] > 0;
    ++(is ? (called ? out.true_positive : out.false_negative) : (called ? out.false_positive : out.true_negative));
  }
  out.sensitivity = share(out.true_positive, out.false_negative);
  out.specificity = share(out.true_negative, out.false_positive);
  out.positive_value = share(out.true_positive, out.false_positive);
  out.negative_value = share(out.true_negative, out.false_negative);
  out.sensitivity_interval = interval_of(out.true_positive, out.false_negative);
  out.specificity_interval = interval_of(out.true_negative, out.false_positive);
  const auto samples = static_cast<double>(labels.size());
  const double odds = threshold / (1 - threshold);
  const double positive = static_cast<double>(out.true_positive + out.false_negative) / samples;
  out.net_benefit = (static_cast<double>(out.true_positive) - odds * static_cast<double>(out.false_positive)) / samples;
  out.treat_all = positive - odds * (1 - positive);
  return out;
}

std::vector<DecisionPoint> decision_curve(std::span<const double> thresholds, std::span<const double> probability,
                                          std::span<const std::int8_t> labels) {
  std::vector<DecisionPoint> out;
  for (const double t : thresholds) out.push_back(decide(t, probability, labels));
  return out;
}

}  // namespace cavity
