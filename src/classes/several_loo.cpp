#include "classes/several_loo.hpp"

#include <algorithm>
#include <cmath>

#include "model/score.hpp"
#include "select/loo_estimate.hpp"

namespace cavity {

std::vector<double> class_shift(const std::vector<double>& shares, const std::vector<std::size_t>& counts) {
  std::vector<double> out;
  std::size_t samples = 0;
  for (const std::size_t count : counts) samples += count;
  for (std::size_t k = 0; k < shares.size(); ++k)
    out.push_back(shares[k] * static_cast<double>(samples) / static_cast<double>(counts[k]));
  return out;
}

void shift_classes(const std::vector<double>& shift, Matrix& probability) {
  if (shift.empty()) return;
  for (Eigen::Index k = 0; k < probability.cols(); ++k) probability.col(k) *= shift[static_cast<std::size_t>(k)];
  for (Eigen::Index mu = 0; mu < probability.rows(); ++mu) probability.row(mu) /= probability.row(mu).sum();
}

std::uint32_t most_probable(const Matrix& probability, std::size_t sample) {
  Eigen::Index best = 0;
  probability.row(static_cast<Eigen::Index>(sample)).maxCoeff(&best);
  return static_cast<std::uint32_t>(best);
}

void estimate_several(const Matrix& probability, const std::vector<double>& shift, const SampleGroups* groups,
                      Fit& fit) {
  const std::size_t samples = fit.data.samples, classes = fit.data.counts.size();
  fit.several.probability.assign(probability.data(), probability.data() + probability.size());
  fit.several.confusion.assign(classes * classes, 0);
  LooEstimate& loo = fit.loo;
  double squares = 0;  // of the samples' weights
  std::vector<double> wrong, weights;
  for (std::size_t mu = 0; mu < samples; ++mu) {
    const std::uint32_t truth = fit.data.classes[mu], called = most_probable(probability, mu);
    const auto row = probability.row(static_cast<Eigen::Index>(mu));
    const double weight = (shift.empty() ? 1 : shift[truth]) / static_cast<double>(samples);
    ++fit.several.confusion[truth * classes + called];
    squares += weight * weight;
    wrong.push_back(called == truth ? 0 : 1);
    weights.push_back(weight);
    loo.error += wrong.back() * weight;
    loo.log_loss += weight * log_loss(row[truth]);
    loo.accuracy.brier += weight * 0.5 * (row.squaredNorm() - 2 * row[truth] + 1);
  }
  loo.error = std::min(loo.error, 1.0);
  loo.error_se = std::sqrt(loo.error * (1 - loo.error) * squares);
  loo.accuracy.error = wilson_interval(loo.error, 1 / squares);
  if (groups) know_by_groups(wrong, weights, *groups, loo);
  for (std::size_t k = 0; k < classes; ++k)
    loo.accuracy.balanced_accuracy +=
        static_cast<double>(fit.several.confusion[k * classes + k]) / static_cast<double>(fit.data.counts[k] * classes);
}

}  // namespace cavity
