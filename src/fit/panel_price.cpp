#include "fit/panel_price.hpp"

#include <cmath>

#include "assess/class_weights.hpp"
#include "assess/mean_error.hpp"
#include "fit/calibrate.hpp"
#include "fit/estimate.hpp"
#include "fit/joining.hpp"
#include "fit/recalibrate.hpp"
#include "fit/soft_regression.hpp"
#include "table/question.hpp"

namespace cavity {

namespace {

PanelCalibrated calibrate_two(const PriceTable& table, const Matrix& field, ThreadPool& pool) {
  const std::vector<std::uint32_t>& classes = table.samples.classes;
  const auto own = [&](std::size_t mu, double second) { return classes[mu] == 1 ? second : 1 - second; };
  const Matrix second = soft_probability(field);
  std::vector<double> logs;
  for (std::size_t mu = 0; mu < classes.size(); ++mu)
    logs.push_back(std::log(std::max(own(mu, second(static_cast<Eigen::Index>(mu), 0)), 1e-15)));
  PanelCalibrated out;
  out.model.recalibration = fit_recalibration(logs, pool);
  if (out.model.recalibration)
    logs = cross_recalibrated_log_probability(std::move(logs), *out.model.recalibration, table.groups, pool);
  out.left_out.resize(field.rows(), 2);
  for (std::size_t mu = 0; mu < classes.size(); ++mu) {
    const double p = own(mu, std::exp(logs[mu]));  // of the second class again
    out.left_out.row(static_cast<Eigen::Index>(mu)) << 1 - p, p;
  }
  return out;
}

/// Mean over some values of one deal each.
class Mean {
 public:
  explicit Mean(std::size_t count) : share_(1 / static_cast<double>(count)) {}
  void add(double value, double& to) const { to += share_ * value; }
  void add(const Interval& value, Interval& to) const {
    add(value.low, to.low);
    add(value.high, to.high);
  }

 private:
  double share_;
};

Interval nothing() { return {0, 0}; }

void add_accuracy(const PriceTable& table, const Matrix& probability, const Mean& mean, Accuracy& to) {
  std::vector<double> second;
  for (Eigen::Index mu = 0; mu < probability.rows(); ++mu) second.push_back(probability(mu, 1));
  const Accuracy one = measure_accuracy(
      second, against_rest(table.samples.classes, 1), class_weights(table.samples.classes, table.shares),
      table.groups ? std::span<const std::size_t>(table.groups->of) : std::span<const std::size_t>());
  for (const auto value : {&Accuracy::sensitivity, &Accuracy::specificity, &Accuracy::balanced_accuracy, &Accuracy::auc,
                           &Accuracy::auc_se, &Accuracy::brier})
    mean.add(one.*value, to.*value);
  for (const auto value :
       {&Accuracy::error, &Accuracy::sensitivity_interval, &Accuracy::specificity_interval, &Accuracy::auc_interval})
    mean.add(one.*value, to.*value);
}

Accuracy empty_accuracy() {
  Accuracy out;
  out.error = out.sensitivity_interval = out.specificity_interval = out.auc_interval = nothing();
  return out;
}

/// A sample's losses, of a mean over samples that count as the shares say.
Losses mean_losses(const PriceTable& table, const std::vector<Matrix>& probability) {
  const std::vector<double> weights = class_weights(table.samples.classes, table.shares);
  const auto samples = static_cast<double>(weights.size());
  Losses out{std::vector<double>(weights.size(), 0), std::vector<double>(weights.size(), 0)};
  for (const Matrix& one : probability) {
    const Losses losses = losses_of(one, table.samples.classes);
    for (std::size_t mu = 0; mu < weights.size(); ++mu) {
      const double times = samples * weights[mu] / static_cast<double>(probability.size());
      out.wrong[mu] += times * losses.wrong[mu];
      out.log[mu] += times * losses.log[mu];
    }
  }
  return out;
}

}  // namespace

Matrix shifted(const PriceTable& table, Matrix probability) {
  const std::vector<double> shift = class_shift(table.shares, table.samples.counts);
  if (shift.empty()) return probability;
  for (Eigen::Index k = 0; k < probability.cols(); ++k) probability.col(k) *= shift[static_cast<std::size_t>(k)];
  for (Eigen::Index mu = 0; mu < probability.rows(); ++mu) probability.row(mu) /= probability.row(mu).sum();
  return probability;
}

PanelCalibrated calibrate_panel(const PriceTable& table, const Matrix& field, ThreadPool& pool) {
  PanelCalibrated out;
  if (field.cols() == 1) {
    out = calibrate_two(table, field, pool);
  } else {
    Joined joined = fit_joining(field, table.samples.classes, pool, table.groups);
    out = {{}, std::move(joined.probability)};
    out.model.joining = std::move(joined.joining);
  }
  out.model.class_shift = class_shift(table.shares, table.samples.counts);
  out.left_out = shifted(table, std::move(out.left_out));
  return out;
}

Matrix fields_of_size(const std::vector<FoldPanels>& folds, std::size_t size, std::size_t samples) {
  Matrix out(static_cast<Eigen::Index>(samples), folds.front().field.front().cols());
  for (const FoldPanels& fold : folds) {
    const Matrix& field = fold.field[std::min(size, fold.field.size() - 1)];
    for (std::size_t i = 0; i < fold.samples.size(); ++i)
      out.row(static_cast<Eigen::Index>(fold.samples[i])) = field.row(static_cast<Eigen::Index>(i));
  }
  return out;
}

Matrix whole_of(const std::vector<FoldPanels>& folds, std::size_t samples) {
  Matrix out(static_cast<Eigen::Index>(samples), folds.front().whole.cols());
  for (const FoldPanels& fold : folds)
    for (std::size_t i = 0; i < fold.samples.size(); ++i)
      out.row(static_cast<Eigen::Index>(fold.samples[i])) = fold.whole.row(static_cast<Eigen::Index>(i));
  return out;
}

PanelPrice price_panel(const PriceTable& table, const std::vector<Matrix>& probability,
                       const std::vector<Matrix>& whole) {
  PanelPrice out;
  const Mean mean(probability.size());
  out.error_interval = nothing();
  if (table.samples.class_count() == 2) out.accuracy = empty_accuracy();
  for (const Matrix& one : probability) {
    const LooEstimate said = estimate(one, table.samples, table.shares, table.groups);
    mean.add(said.error, out.error);
    mean.add(said.error_se, out.error_se);
    mean.add(said.log_loss, out.log_loss);
    mean.add(said.balanced_accuracy, out.balanced_accuracy);
    mean.add(said.error_interval, out.error_interval);
    if (out.accuracy) add_accuracy(table, one, mean, *out.accuracy);
  }
  const Losses mine = mean_losses(table, probability), theirs = mean_losses(table, whole);
  out.log_loss_se = standard_error(mine.log, table.groups);
  const Gain error = gain_of(mine.wrong, theirs.wrong, table.groups),
             logs = gain_of(mine.log, theirs.log, table.groups);
  out.error_more = error.value;
  out.error_more_se = error.se;
  out.log_loss_more = logs.value;
  out.log_loss_more_se = logs.se;
  return out;
}

std::size_t suggest_size(const std::vector<PanelSize>& sizes) {
  for (std::size_t s = 0; s < sizes.size(); ++s)
    if (sizes[s].price.log_loss_more <= sizes[s].price.log_loss_more_se) return s + 1;
  return 0;
}

}  // namespace cavity
