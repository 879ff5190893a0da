#include "fit/panel_fit.hpp"

#include <fmt/format.h>

#include <cmath>

#include "assess/class_weights.hpp"
#include "fit/describe.hpp"
#include "fit/describe_features.hpp"
#include "fit/estimate.hpp"
#include "fit/make_covariates.hpp"
#include "model/activation_kind.hpp"
#include "model/score.hpp"
#include "table/question.hpp"

namespace cavity {

namespace {

constexpr double link_width = 1;  // of the logistic function: fields are log odds

/// Log odds a probit.
double probit_unit() { return std::sqrt(added_variance(make_activation(ActivationKind::logistic, link_width))); }

/// One feature: values that the table has less the references' mean are whole again, and keep their scale.
void add_feature(const PanelFitParts& parts, std::uint32_t l, double scale, Preprocessing& out) {
  out.kept.push_back(static_cast<std::uint32_t>(out.feature_names.size()));
  out.feature_names.push_back(parts.table.prepared.preprocessing.feature_names[l]);
  out.impute.push_back(parts.reference.mean[l]);
  out.centre.push_back(parts.reference.mean[l]);
  out.scale.push_back(scale);
}

/// Of the panel's features and the references after them.
Preprocessing with_reference(const PanelFitParts& parts, Preprocessing out) {
  const Preprocessing& all = parts.table.prepared.preprocessing;
  out.transform = parts.reference.transform;
  for (const std::size_t j : parts.features) add_feature(parts, all.kept[j], all.scale[j], out);
  for (const std::uint32_t l : parts.reference.features) add_feature(parts, l, 1, out);
  return out;
}

/// Of the panel's features alone, in their order.
Preprocessing own_preprocessing(const PanelFitParts& parts) {
  const Preprocessing& all = parts.table.prepared.preprocessing;
  Preprocessing out;
  out.transform = all.transform;
  out.unit_variance = all.unit_variance;
  out.covariates = all.covariates;
  out.row_scale = all.row_scale;
  if (!parts.reference.features.empty()) return with_reference(parts, std::move(out));
  for (const std::size_t j : parts.features) {
    out.kept.push_back(static_cast<std::uint32_t>(out.feature_names.size()));
    out.feature_names.push_back(all.feature_names[all.kept[j]]);
    out.impute.push_back(all.impute[all.kept[j]]);
    out.centre.push_back(all.centre[j]);
    out.scale.push_back(all.scale[j]);
    if (!all.median.empty()) out.median.push_back(all.median[j]);
    if (!all.spread.empty()) out.spread.push_back(all.spread[j]);
  }
  return out;
}

/// Of each reference: what the features' differences to the mean take off.
double reference_weight(const PanelFitParts& parts, Eigen::Index column) {
  double out = 0;
  for (std::size_t j = 0; j < parts.features.size(); ++j)
    out -= parts.fit.weight(parts.table.always.cols() + static_cast<Eigen::Index>(j), column) *
           parts.table.prepared.preprocessing.scale[parts.features[j]];
  return out / static_cast<double>(parts.reference.features.size());
}

QuestionModel describe_question(const PanelFitParts& parts, const Preprocessing& preprocessing, Eigen::Index column) {
  const auto inputs = static_cast<double>(preprocessing.inputs());
  const Eigen::Index first = parts.table.always.cols();
  Component c;
  c.density = 1;
  c.noise = link_width;
  c.weight = 1;
  for (Eigen::Index j = 0; j < parts.fit.weight.rows(); ++j) {
    const double weight = parts.fit.weight(j, column);
    if (j < first)
      c.covariate_mean.push_back(weight);
    else
      c.mean.push_back(std::sqrt(inputs) * weight);
  }
  while (c.mean.size() < preprocessing.inputs()) c.mean.push_back(std::sqrt(inputs) * reference_weight(parts, column));
  QuestionModel out;
  out.mixture.activation = ActivationKind::logistic;
  out.mixture.intercept = parts.table.intercept;
  out.mixture.covariate_precision = covariate_prior_precision;
  const double unit = probit_unit();
  std::vector<double> probits = c.mean;
  for (double& w : probits) w /= unit;
  const std::vector<double> nothing(c.mean.size(), 0), ones(c.mean.size(), 1), row_scale(1, preprocessing.row_scale);
  out.features = describe_features(preprocessing, row_scale, {probits, nothing, ones});
  const std::size_t intercept = parts.table.intercept ? 1 : 0;
  for (std::size_t j = 0; j < preprocessing.covariates.size(); ++j)
    out.covariates.push_back({preprocessing.covariates[j].scale * c.covariate_mean[intercept + j] / unit, 0});
  out.mixture.components = {std::move(c)};
  return out;
}

/// Of the class against the others, by the folds.
QuestionFit judge_question(const PanelFitParts& parts, const Matrix& left_out, std::uint32_t of_class,
                           double train_error, const LooEstimate& loo) {
  const PriceTable& table = parts.samples;
  const std::vector<std::int8_t> labels = against_rest(table.samples.classes, of_class);
  const std::vector<double> weights = class_weights(table.samples.classes, table.shares);
  QuestionFit out;
  out.solver = {"projection", "a panel says what the fit of all features says"};
  Cell cell;
  cell.density = cell.weight = 1;
  cell.noise = link_width;
  cell.kept = static_cast<double>(parts.features.size());
  cell.solver = out.solver.name;
  cell.status = "converged";
  cell.usable = true;
  cell.by_folds = true;
  cell.loo_error = loo.error;
  cell.loo_log_loss = loo.log_loss;
  out.grid = {cell};
  std::vector<double> probability;
  for (std::size_t mu = 0; mu < labels.size(); ++mu) {
    probability.push_back(left_out(static_cast<Eigen::Index>(mu), of_class));
    const double own = labels[mu] > 0 ? probability.back() : 1 - probability.back();
    out.error += weights[mu] * wrong_label(own);
    out.log_loss += weights[mu] * log_loss(own);
  }
  out.accuracy =
      measure_accuracy(probability, labels, weights,
                       table.groups ? std::span<const std::size_t>(table.groups->of) : std::span<const std::size_t>());
  out.train_error = train_error;
  return out;
}

double train_error_of(const PanelFitParts& parts) {
  Matrix said = parts.fit.probability;
  if (said.cols() == 1) {
    said.resize(parts.fit.probability.rows(), 2);
    said << (1 - parts.fit.probability.array()).matrix(), parts.fit.probability;
  }
  double out = 0;
  for (const double wrong : losses_of(said, parts.samples.samples.classes).wrong)
    out += wrong / static_cast<double>(said.rows());
  return out;
}

}  // namespace

Fit describe_panel(const PanelFitParts& parts, const PanelCalibrated& calibrated) {
  const Labelled& samples = parts.samples.samples;
  Fit out;
  out.data = describe_data(samples, parts.table.prepared);
  out.data.features = parts.features.size() + parts.reference.features.size();
  out.data.class_prior = parts.samples.shares;
  out.loo = estimate(calibrated.left_out, samples, parts.samples.shares, parts.samples.groups);
  out.loo.folds = parts.folds;
  Model& model = out.model;
  model.class_names = samples.class_names;
  model.label_name = samples.label_name;
  model.id_name = samples.id_name;
  model.preprocessing = own_preprocessing(parts);
  model.calibration = calibrated.model;
  const double train_error = train_error_of(parts);
  for (Eigen::Index k = 0; k < parts.fit.weight.cols(); ++k) {
    model.questions.push_back(describe_question(parts, model.preprocessing, k));
    out.questions.push_back(
        judge_question(parts, calibrated.left_out, model.of_class(static_cast<std::size_t>(k)), train_error, out.loo));
    if (parts.table.intercept)
      out.questions.back().contributions.intercept =
          model.questions.back().mixture.components.front().covariate_mean.front() / probit_unit();
  }
  return out;
}

}  // namespace cavity
