// A baseline from data set to Fit: prepare, run, report in the words of our own fits.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/enum_names.hpp"
#include "baselines/baseline_run.hpp"
#include "cavity/baselines.hpp"
#include "cavity/errors.hpp"
#include "fit/describe.hpp"
#include "fit/describe_features.hpp"
#include "fit/estimate.hpp"
#include "fit/make_covariates.hpp"
#include "fit/training_rows.hpp"
#include "prepare/make_design.hpp"
#include "table/question.hpp"

namespace cavity {

namespace {

constexpr EnumName<Baseline> names[] = {
    {Baseline::sbl, "sbl"}, {Baseline::fda, "fda"}, {Baseline::fda_shrunk, "fda-shrunk"}};

bool is_fisher(const BaselineOptions& options) { return options.method != Baseline::sbl; }

/// Samples x classes; none where there are no folds.
Matrix left_out_probabilities(const BaselineOutcome& outcome) {
  const std::vector<double>& positive = outcome.left_out;
  Matrix out(static_cast<Eigen::Index>(positive.size()), 2);
  for (std::size_t mu = 0; mu < positive.size(); ++mu)
    out.row(static_cast<Eigen::Index>(mu)) << 1 - positive[mu], positive[mu];
  return out;
}

LooEstimate left_out_estimate(const BaselineOutcome& outcome, const Labelled& samples, int folds) {
  if (outcome.left_out.empty()) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    LooEstimate nothing;
    nothing.error = nothing.error_se = nothing.log_loss = none;
    return nothing;
  }
  LooEstimate out = estimate(left_out_probabilities(outcome), samples);
  out.folds = std::min(static_cast<std::size_t>(folds), samples.classes.size());
  return out;
}

double train_error(const BaselineOutcome& outcome, const std::vector<std::int8_t>& labels) {
  std::vector<double> own(labels.size());
  for (std::size_t mu = 0; mu < own.size(); ++mu) own[mu] = labels[mu] * outcome.field[mu];
  return sign_error(own);
}

Cell describe_cell(const BaselineOutcome& outcome, const LooEstimate& loo) {
  Cell out = outcome.cell;
  out.density = outcome.component.density;
  out.noise = outcome.component.noise;
  out.weight = 1;
  out.loo_error = loo.error;
  out.loo_log_loss = loo.log_loss;
  return out;
}

CellMixture describe_mixture(const BaselineOutcome& outcome, const BaselineOptions& options, bool with_sites) {
  CellMixture out;
  out.activation = is_fisher(options) ? ActivationKind::probit : ActivationKind::logistic;
  out.intercept = is_fisher(options) || options.intercept;
  out.covariate_precision = outcome.covariate_precision;
  out.components = {outcome.component};
  if (!with_sites) out.components.front().feature_precision = out.components.front().sample_precision = {};
  return out;
}

std::vector<Warning> baseline_warnings(const QuestionFit& fit, const BaselineOptions& options) {
  std::vector<Warning> out;
  const Cell& cell = fit.grid.front();
  if (!cell.usable)
    out.push_back({"not-converged",
                   fmt::format("{} stopped after {} updates, before it settled", fit.solver.name, cell.iterations),
                   "allow more updates (`max_iterations`)"});
  if (is_fisher(options) && cell.noise > 0 && options.folds <= 1)
    out.push_back({"uncalibrated", "without folds the probabilities are not calibrated",
                   "use the labels only, or ask for folds"});
  return out;
}

Fit describe(const Labelled& data, const Prepared& prepared, const std::vector<std::int8_t>& labels,
             const BaselineOutcome& outcome, const BaselineOptions& options) {
  const bool sites = !outcome.component.feature_precision.empty() && options.keep_variances && storable(prepared);
  Fit out;
  out.data = describe_data(data, prepared);
  out.loo = left_out_estimate(outcome, data, options.folds);
  QuestionFit question;
  question.solver = {to_string(options.method), "asked for"};
  question.grid = {describe_cell(outcome, out.loo)};
  question.error = out.loo.error;
  question.log_loss = out.loo.log_loss;
  if (!outcome.left_out.empty()) question.accuracy = measure_accuracy(outcome.left_out, labels);
  question.train_error = train_error(outcome, labels);
  QuestionModel model;
  model.mixture = describe_mixture(outcome, options, sites);
  if (model.mixture.intercept) question.contributions.intercept = outcome.component.covariate_mean.front();
  model.features = describe_features(prepared.preprocessing, prepared.row_scale,
                                     {outcome.component.mean, outcome.sd, outcome.inclusion});
  out.model.class_names = data.class_names;
  out.model.label_name = data.label_name;
  out.model.id_name = data.id_name;
  out.model.preprocessing = prepared.preprocessing;
  out.model.questions = {std::move(model)};
  if (sites) out.model.training = training_rows(prepared);
  out.warnings = baseline_warnings(question, options);
  out.questions = {std::move(question)};
  return out;
}

}  // namespace

Baseline parse_baseline(const std::string& name) {
  for (const auto& row : names)
    if (name == row.name) return row.value;
  throw UsageError(fmt::format("unknown method '{}': use one of sbc, {}", name, fmt::join(names_in(names), ", ")));
}

std::string to_string(Baseline baseline) { return name_of(names, baseline); }

Fit fit_baseline(Dataset data, const BaselineOptions& options) {
  if (data.class_names.size() != 2)
    throw InputError(fmt::format("{} classes: this needs two", data.class_names.size()));
  const Labelled samples = checked_labels(data);
  const std::vector<std::int8_t> labels = against_rest(samples.classes, 1);
  if (is_fisher(options) && !data.covariates.empty())
    throw UsageError("Fisher's discriminant takes no covariates: leave them out, or use `method=sbl`");
  if (!data.groups.empty())
    throw UsageError(
        "the folds of this method part samples of a group: `group` belongs to `method=sbc`; keep one sample, or the "
        "mean, of each group");
  ThreadPool pool(options.threads);
  data.features.make_dense();
  const Prepared prepared = prepare(std::move(data), options.preprocessing, pool);
  const Covariates covariates =
      make_covariates(prepared.covariates, prepared.samples(), is_fisher(options) || options.intercept, 1);
  const auto design = make_design(prepared);
  const BaselineOutcome outcome = run_baseline({options, prepared, *design, labels, covariates, pool});
  return describe(samples, prepared, labels, outcome, options);
}

}  // namespace cavity
