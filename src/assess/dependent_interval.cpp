#include "assess/dependent_interval.hpp"

#include <algorithm>
#include <cmath>

namespace cavity {

namespace {

/// Variance over that of independent samples, `alone`, at least 1.
double most_dependence(double sd, double alone) {
  const double ratio = sd * sd / alone;
  return ratio > 1 ? ratio : 1;  // a ratio that is no number is none
}

/// All values in [0, 1] whose spread allows the figure, by halving from it.
template <class Spread>
Interval not_contradicted(double figure, const Spread& spread) {
  const auto bound = [&](double outside) {
    double inside = figure;
    for (int i = 0; i < 60; ++i) {
      const double middle = 0.5 * (inside + outside);
      (std::abs(middle - figure) <= spread(middle) ? inside : outside) = middle;
    }
    return 0.5 * (inside + outside);
  };
  return {figure > 0 ? bound(0) : 0, figure < 1 ? bound(1) : 1};
}

double dependence_at(double error, double chance_error, double most) {
  return 1 + (most - 1) * std::sqrt(std::clamp(error / chance_error, 0.0, 1.0));
}

}  // namespace

double dependence(double error, const ChanceSpread& chance) {
  if (!(chance.mean > 0 && chance.mean < 1)) return 1;
  return dependence_at(error, chance.mean, most_dependence(chance.sd, chance.mean * (1 - chance.mean) / chance.count));
}

Interval dependent_interval(const ShareFigure& error, const ChanceSpread& chance, double z) {
  if (!(error.count > 0)) return {};
  return not_contradicted(error.share,
                          [&](double e) { return z * std::sqrt(e * (1 - e) * dependence(e, chance) / error.count); });
}

double auc_dependence(const AucFigure& figure, const ChanceSpread& chance) {
  const double alone = (figure.positives + figure.negatives + 1) / (12 * figure.positives * figure.negatives);
  return dependence_at(1 - figure.auc, 0.5, most_dependence(chance.sd, alone));
}

Interval dependent_auc_interval(const AucFigure& figure, const ChanceSpread& chance, double z) {
  const double pairs = figure.positives * figure.negatives, n = 0.5 * (figure.positives + figure.negatives) - 1;
  return not_contradicted(figure.auc, [&](double a) {
    const double alone = a * (1 - a) * (1 + n * (1 - a) / (2 - a) + n * a / (1 + a)) / pairs;
    return z * std::sqrt(alone * auc_dependence({a, figure.positives, figure.negatives}, chance));
  });
}

}  // namespace cavity
