// AUC = P(score of a positive > score of a negative) + P(tie)/2; its standard error is DeLong's (Biometrics 44 (1988)
// 837), its interval inverts |AUC - a| = z sqrt(a (1-a) [1 + n (1-a)/(2-a) + n a/(1+a)] / (P N)), n = (P+N)/2 - 1,
// which Newcombe (Stat. Med. 25 (2006) 559) found to hold its level where the AUC is near 1. Where samples come in
// groups the error is Obuchowski's (Biometrics 53 (1997) 567): DeLong's sums of squares over groups instead of samples;
// P and N shrink by what that adds to the variance.
#include "cavity/accuracy.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <vector>

#include "assess/area_under_roc.hpp"
#include "assess/effective_count.hpp"
#include "assess/quantiles.hpp"

namespace cavity {

namespace {

struct Judged {
  std::span<const double> probability;
  std::span<const std::int8_t> labels;
  std::span<const std::size_t> group_of;
};

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

void count_outcomes(const Judged& all, Accuracy& out) {
  for (std::size_t i = 0; i < all.labels.size(); ++i) {
    const bool called = all.probability[i] >= 0.5;
    ++(all.labels[i] > 0 ? (called ? out.true_positive : out.false_negative)
                         : (called ? out.false_positive : out.true_negative));
  }
  const auto share = [](std::size_t hits, std::size_t others) {
    return static_cast<double>(hits) / static_cast<double>(hits + others);
  };
  out.sensitivity = share(out.true_positive, out.false_negative);
  out.specificity = share(out.true_negative, out.false_positive);
  out.balanced_accuracy = 0.5 * (out.sensitivity + out.specificity);
}

/// Of the samples of one class.
Interval share_interval(const Judged& all, bool positive, double share) {
  std::vector<double> hits;
  std::vector<std::size_t> group_of;
  for (std::size_t i = 0; i < all.labels.size(); ++i) {
    if ((all.labels[i] > 0) != positive) continue;
    hits.push_back((all.probability[i] >= 0.5) == positive ? 1 : 0);
    if (!all.group_of.empty()) group_of.push_back(all.group_of[i]);
  }
  return wilson_interval(share, effective_count(hits, group_of));
}

/// Placements less their mean, summed over the samples of a group: of the positive class, and of the negative one.
struct GroupSums {
  double positive = 0, negative = 0;
  bool has_positive = false, has_negative = false;
};

/// The square of the AUC's standard error, and how many samples of each class that are independent know it as well.
struct AucError {
  double squared, positives, negatives;
};
AucError auc_error(const std::map<std::size_t, GroupSums>& groups, double alone, double positives, double negatives) {
  double up = 0, down = 0, both = 0, of_up = 0, of_down = 0;
  for (const auto& [group, sums] : groups) {
    up += sums.positive * sums.positive;
    down += sums.negative * sums.negative;
    both += 2 * sums.positive * sums.negative;
    of_up += sums.has_positive ? 1 : 0;
    of_down += sums.has_negative ? 1 : 0;
  }
  const auto of_all = static_cast<double>(groups.size());
  const double squared = of_up / (of_up - 1) * up + of_down / (of_down - 1) * down + of_all / (of_all - 1) * both;
  const double ratio = alone > 0 ? alone / (up + down + both) : 0;
  return {squared < 0 ? 0 : squared, std::clamp(positives * ratio, of_up, positives),
          std::clamp(negatives * ratio, of_down, negatives)};
}

void measure_auc(const Judged& all, Accuracy& out) {
  std::vector<double> up, down;
  for (std::size_t i = 0; i < all.labels.size(); ++i) (all.labels[i] > 0 ? up : down).push_back(all.probability[i]);
  std::sort(up.begin(), up.end());
  std::sort(down.begin(), down.end());
  const auto positives = static_cast<double>(up.size()), negatives = static_cast<double>(down.size());
  const double auc = area_under_roc(up, down);
  std::map<std::size_t, GroupSums> groups;
  double alone = 0;
  for (std::size_t i = 0; i < all.labels.size(); ++i) {
    const bool positive = all.labels[i] > 0;
    const double off = positive ? (placement(down, all.probability[i]) - auc) / positives
                                : (1 - placement(up, all.probability[i]) - auc) / negatives;
    GroupSums& sums = groups[all.group_of.empty() ? i : all.group_of[i]];
    (positive ? sums.positive : sums.negative) += off;
    (positive ? sums.has_positive : sums.has_negative) = true;
    alone += off * off;
  }
  out.auc = auc;
  const AucError error = auc_error(groups, alone, positives, negatives);
  out.auc_se = std::sqrt(error.squared);
  out.auc_interval = auc_interval(out.auc, error.positives, error.negatives);
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
                          std::span<const double> weights, std::span<const std::size_t> group_of) {
  if (probability.size() != labels.size()) throw std::invalid_argument("as many probabilities as labels are needed");
  Accuracy out;
  const Judged all{probability, labels, group_of};
  count_outcomes(all, out);
  out.sensitivity_interval = share_interval(all, true, out.sensitivity);
  out.specificity_interval = share_interval(all, false, out.specificity);
  measure_auc(all, out);
  const std::vector<double> alike(weights.empty() ? labels.size() : 0, 1 / static_cast<double>(labels.size()));
  if (weights.empty()) weights = alike;
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
