#include "cavity/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "assess/calibration_line.hpp"
#include "assess/decision_curve.hpp"
#include "assess/mean_error.hpp"
#include "assess/quantiles.hpp"
#include "assess/roc.hpp"
#include "base/matrix.hpp"
#include "cavity/errors.hpp"
#include "fit/drift.hpp"
#include "fit/estimate.hpp"
#include "fit/promise.hpp"
#include "fit/validation_findings.hpp"

namespace cavity {

namespace {

/// What is stated of the samples whose class is known.
struct Stated {
  Matrix probability;  // samples x classes
  std::vector<std::uint32_t> classes;
  std::vector<std::string> groups;  // empty, or a sample

  std::size_t size() const { return classes.size(); }
};

Stated labelled_part(const Prediction& made, const Dataset& data, std::vector<std::string>& names) {
  Stated out;
  std::vector<std::size_t> known;
  for (std::size_t i = 0; i < data.classes.size(); ++i)
    if (data.classes[i] < made.classes) known.push_back(i);
  out.probability.resize(static_cast<Eigen::Index>(known.size()), static_cast<Eigen::Index>(made.classes));
  for (std::size_t i = 0; i < known.size(); ++i) {
    for (std::size_t k = 0; k < made.classes; ++k)
      out.probability(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) = made.at(known[i], k);
    out.classes.push_back(data.classes[known[i]]);
    if (!data.groups.empty()) out.groups.push_back(data.groups[known[i]]);
  }
  names = data.sample_names;
  return out;
}

Stated subset(const Stated& all, const std::vector<std::size_t>& which) {
  Stated out;
  out.probability.resize(static_cast<Eigen::Index>(which.size()), all.probability.cols());
  for (std::size_t i = 0; i < which.size(); ++i) {
    out.probability.row(static_cast<Eigen::Index>(i)) = all.probability.row(static_cast<Eigen::Index>(which[i]));
    out.classes.push_back(all.classes[which[i]]);
  }
  return out;
}

Figure mean_of(const std::vector<double>& values) {
  Figure out;
  for (const double x : values) out.value += x / static_cast<double>(values.size());
  out.se = standard_error(values, nullptr);
  out.interval = {out.value - z95 * out.se, out.value + z95 * out.se};
  return out;
}

SiteFigures figures_of(const Stated& stated, const std::string& name) {
  SiteFigures out{
      name, stated.size(), std::vector<std::size_t>(static_cast<std::size_t>(stated.probability.cols()), 0), {}, {},
      {}};
  const Losses losses = losses_of(stated.probability, stated.classes);
  std::vector<double> brier;
  for (std::size_t mu = 0; mu < stated.size(); ++mu) {
    ++out.class_counts[stated.classes[mu]];
    double squares = 0;
    for (Eigen::Index k = 0; k < stated.probability.cols(); ++k) {
      const double off = (k == static_cast<Eigen::Index>(stated.classes[mu]) ? 1 : 0) -
                         stated.probability(static_cast<Eigen::Index>(mu), k);
      squares += off * off;
    }
    brier.push_back(0.5 * squares);
  }
  out.error = mean_of(losses.wrong);
  out.error.interval = wilson_interval(std::clamp(out.error.value, 0.0, 1.0), static_cast<double>(stated.size()));
  out.log_loss = mean_of(losses.log);
  out.brier = mean_of(brier);
  return out;
}

DecisionRow row_of(const DecisionPoint& p) {
  return {p.threshold,      p.sensitivity,          p.specificity,          p.positive_value,
          p.negative_value, p.sensitivity_interval, p.specificity_interval, p.net_benefit,
          p.treat_all};
}

Figure figure_of(const Estimated& e) { return {e.value, e.se, e.interval()}; }

ClassFigures class_figures(const Stated& stated, std::uint32_t of_class, const std::string& name,
                           const std::vector<double>& thresholds) {
  ClassFigures out;
  out.name = name;
  std::vector<double> probability;
  std::vector<std::int8_t> labels;
  for (std::size_t mu = 0; mu < stated.size(); ++mu) {
    probability.push_back(stated.probability(static_cast<Eigen::Index>(mu), of_class));
    labels.push_back(stated.classes[mu] == of_class ? 1 : -1);
  }
  const auto came = std::ranges::count(labels, std::int8_t{1});
  if (came > 0 && came < std::ssize(labels)) out.accuracy = measure_accuracy(probability, labels);
  for (const RocPoint& p : roc_corners(probability, labels))
    out.roc.push_back({p.threshold, p.false_positive, p.true_positive});
  const CalibrationLine line = calibration_line(probability, labels);
  out.in_the_large = figure_of(line.in_the_large);
  out.intercept = figure_of(line.intercept);
  out.slope = figure_of(line.slope);
  for (const CalibrationBin& bin : calibration_curve(probability, labels))
    out.curve.push_back({bin.samples, bin.stated, bin.came, bin.interval});
  for (const DecisionPoint& p : decision_curve(thresholds, probability, labels)) out.decisions.push_back(row_of(p));
  std::vector<double> steps;
  for (int k = 1; k < 20; ++k) steps.push_back(0.05 * k);
  for (const DecisionPoint& p : decision_curve(steps, probability, labels)) out.decision_curve.push_back(row_of(p));
  return out;
}

std::vector<SiteFigures> figures_by(const Stated& stated) {
  std::vector<std::string> names;
  std::map<std::string, std::vector<std::size_t>> members;
  for (std::size_t i = 0; i < stated.groups.size(); ++i) {
    std::vector<std::size_t>& of = members[stated.groups[i]];
    if (of.empty()) names.push_back(stated.groups[i]);
    of.push_back(i);
  }
  std::vector<SiteFigures> out;
  for (const std::string& name : names) out.push_back(figures_of(subset(stated, members[name]), name));
  return out;
}

void check(const ValidateOptions& options) {
  for (const double t : options.thresholds)
    if (!(t > 0 && t < 1)) throw UsageError(fmt::format("a threshold of {}: it lies between 0 and 1", t));
}

}  // namespace

Validation validate(const Model& model, Dataset data, const ValidateOptions& options) {
  check(options);
  ThreadPool pool(options.predict.threads);
  const Prediction made = predict(model, data, options.predict);
  Validation out;
  out.class_names = model.class_names;
  out.measured = made.measured;
  const Stated stated = labelled_part(made, data, out.sample_names);
  if (stated.size() == 0)
    throw InputError("no sample has a label of the model: there is nothing to set its predictions against");
  out.unlabelled = data.samples() - stated.size();
  out.truth = data.classes;
  out.called = made.label;
  out.probabilities = made.probabilities;
  out.promised = promise_of(model);
  out.all = figures_of(stated, "");
  out.by = figures_by(stated);
  const std::size_t classes = made.classes;
  for (std::uint32_t k = classes == 2 ? 1 : 0; k < classes; ++k)
    out.classes.push_back(class_figures(stated, k, model.class_names[k], options.thresholds));
  out.confusion.assign(classes * classes, 0);
  for (std::size_t mu = 0; mu < stated.size(); ++mu)
    ++out.confusion[stated.classes[mu] * classes + called_class(stated.probability, mu)];
  out.drift = measure_drift(model, std::move(data), options.predict, pool);
  const TrainedOn training{model.training.values.rows, left_out_of(model), model.calibration.class_shift.empty()};
  if (out.drift) compare_fields(made.probabilities, training.left_out, classes, *out.drift);
  out.findings = findings_of(out, training);
  return out;
}

}  // namespace cavity
