// A baseline from data set to Fit: prepare, run, report in the words of our own fits.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/enum_names.hpp"
#include "baselines/baseline_run.hpp"
#include "cavity/baselines.hpp"
#include "cavity/errors.hpp"
#include "prepare/make_design.hpp"
#include "select/describe_features.hpp"
#include "select/loo_estimate.hpp"
#include "select/make_covariates.hpp"
#include "select/training_rows.hpp"

namespace cavity {

namespace {

constexpr EnumName<Baseline> names[] = {
    {Baseline::sbl, "sbl"}, {Baseline::fda, "fda"}, {Baseline::fda_shrunk, "fda-shrunk"}};

bool is_fisher(const BaselineOptions& options) { return options.method != Baseline::sbl; }

LooEstimate left_out_estimate(const BaselineOutcome& outcome, const std::vector<std::int8_t>& labels, int folds) {
  const std::vector<double>& positive = outcome.left_out;
  if (positive.empty()) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    LooEstimate nothing;
    nothing.error = nothing.error_se = nothing.log_loss = none;
    return nothing;
  }
  std::vector<double> own;
  for (std::size_t mu = 0; mu < labels.size(); ++mu) own.push_back(labels[mu] > 0 ? positive[mu] : 1 - positive[mu]);
  LooEstimate out = loo_estimate(own, positive, std::vector<bool>(positive.size(), true), labels);
  out.folds = std::min(static_cast<std::size_t>(folds), labels.size());
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

std::vector<Warning> baseline_warnings(const Fit& fit, const BaselineOptions& options) {
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

Fit describe(const Labelled& data, const Prepared& prepared, const BaselineOutcome& outcome,
             const BaselineOptions& options) {
  const bool sites = !outcome.component.feature_precision.empty() && options.keep_variances && storable(prepared);
  Fit out;
  out.data = describe_data(data, prepared);
  out.solver = {to_string(options.method), "asked for"};
  out.loo = left_out_estimate(outcome, data.labels, options.folds);
  out.grid = {describe_cell(outcome, out.loo)};
  out.train_error = train_error(outcome, data.labels);
  out.model.class_names = data.class_names;
  out.model.label_name = data.label_name;
  out.model.id_name = data.id_name;
  out.model.preprocessing = prepared.preprocessing;
  out.model.mixture = describe_mixture(outcome, options, sites);
  if (out.model.mixture.intercept) out.contributions.intercept = outcome.component.covariate_mean.front();
  out.model.features = describe_features(prepared.preprocessing, prepared.row_scale,
                                         {outcome.component.mean, outcome.sd, outcome.inclusion});
  if (sites) out.model.training = training_rows(prepared, data.labels);
  out.warnings = baseline_warnings(out, options);
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
  const Labelled labelled = checked_labels(data);
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
  const BaselineOutcome outcome = run_baseline({options, prepared, *design, labelled.labels, covariates, pool});
  return describe(labelled, prepared, outcome, options);
}

}  // namespace cavity
