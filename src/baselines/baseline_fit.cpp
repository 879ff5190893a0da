// A baseline from data set to Fit: prepare, run, report in the words of our own fits.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "baselines/baseline_run.hpp"
#include "cavity/baselines.hpp"
#include "cavity/errors.hpp"
#include "infer/posterior.hpp"
#include "prepare/feature_weights.hpp"
#include "prepare/make_design.hpp"

namespace cavity {

namespace {

constexpr std::size_t most_stored_bytes = std::size_t{512} << 20;  // of training rows in a model

Covariates make_covariates(const FeatureMatrix& encoded, bool intercept, std::size_t samples) {
  Covariates out;
  const std::size_t first = intercept ? 1 : 0;
  out.values = Matrix::Ones(static_cast<Eigen::Index>(samples), static_cast<Eigen::Index>(first + encoded.cols));
  for (std::size_t mu = 0; mu < samples; ++mu)
    for (std::size_t j = 0; j < encoded.cols; ++j)
      out.values(static_cast<Eigen::Index>(mu), static_cast<Eigen::Index>(first + j)) =
          static_cast<double>(encoded.row(mu)[j]);
  out.precision.assign(first + encoded.cols, 1);
  return out;
}

void report_left_out(const BaselineOutcome& outcome, const std::vector<std::int8_t>& labels, std::size_t folds,
                     Fit& out) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  out.loo_error = out.loo_error_se = out.loo_log_loss = none;
  out.loo_probability = outcome.left_out;
  out.loo_reliable.assign(outcome.left_out.size(), true);
  if (outcome.left_out.empty()) return;
  out.folds = folds;
  const auto m = static_cast<double>(labels.size());
  out.loo_error = out.loo_log_loss = 0;
  for (std::size_t mu = 0; mu < labels.size(); ++mu) {
    const double own = labels[mu] > 0 ? outcome.left_out[mu] : 1 - outcome.left_out[mu];
    out.loo_error += (own < 0.5 ? 1 : own == 0.5 ? 0.5 : 0) / m;
    out.loo_log_loss -= std::log(std::max(own, 1e-300)) / m;
  }
  out.loo_error_se = std::sqrt(out.loo_error * (1 - out.loo_error) / m);
}

void store_training(const Prepared& prepared, const std::vector<std::int8_t>& labels, Model& model) {
  model.training = prepared.features.dense();
  model.training_row_scale = prepared.row_scale;
  model.training_covariates = prepared.covariates;
  model.training_labels = labels;
}

void warn(const BaselineOptions& options, Fit& out) {
  if (!out.grid.front().usable)
    out.warnings.push_back(
        {"not-converged",
         fmt::format("{} stopped after {} updates, before it settled", out.solver, out.grid.front().iterations),
         "allow more updates (--max-iterations)"});
  if (options.method != Baseline::sbl && out.model.components.front().noise > 0 && options.folds <= 1)
    out.warnings.push_back({"uncalibrated", "without folds the probabilities are not calibrated",
                            "use the labels only, or ask for folds"});
}

void report(const Prepared& prepared, BaselineOutcome outcome, const BaselineOptions& options,
            const std::vector<std::int8_t>& labels, Fit& out) {
  report_left_out(outcome, labels, std::min(static_cast<std::size_t>(options.folds), labels.size()), out);
  std::vector<double> own(labels.size());
  for (std::size_t mu = 0; mu < own.size(); ++mu) own[mu] = labels[mu] * outcome.field[mu];
  out.train_error = sign_error(own);
  if (out.model.intercept) out.intercept = outcome.component.covariate_mean.front();
  FeatureEstimates described = describe_features(prepared.preprocessing, prepared.row_scale,
                                                 {outcome.component.mean, outcome.sd, outcome.inclusion});
  out.model.weight = std::move(described.weight);
  out.model.sd = std::move(described.sd);
  out.model.inclusion = std::move(described.inclusion);
  outcome.cell.density = outcome.component.density;
  outcome.cell.noise = outcome.component.noise;
  outcome.cell.weight = 1;
  outcome.cell.loo_error = out.loo_error;
  outcome.cell.loo_log_loss = out.loo_log_loss;
  out.grid = {outcome.cell};
  out.model.covariate_precision = outcome.covariate_precision;
  const bool sites = !outcome.component.feature_precision.empty() && options.keep_variances &&
                     prepared.samples() * prepared.inputs() * sizeof(float) <= most_stored_bytes;
  if (sites) {
    store_training(prepared, labels, out.model);
  } else {
    outcome.component.feature_precision.clear();
    outcome.component.sample_precision.clear();
  }
  out.model.components = {std::move(outcome.component)};
  out.model.preprocessing = prepared.preprocessing;
  warn(options, out);
}

}  // namespace

Baseline parse_baseline(const std::string& name) {
  for (const Baseline one : {Baseline::sbl, Baseline::fda, Baseline::fda_shrunk})
    if (name == to_string(one)) return one;
  throw UsageError(fmt::format("unknown method '{}': use one of sbc, sbl, fda, fda-shrunk", name));
}

std::string to_string(Baseline baseline) {
  return baseline == Baseline::sbl ? "sbl" : baseline == Baseline::fda ? "fda" : "fda-shrunk";
}

Fit fit_baseline(Dataset data, const BaselineOptions& options) {
  if (data.labels.size() != data.samples())
    throw InputError(fmt::format("{} labels for {} samples", data.labels.size(), data.samples()));
  Fit out;
  for (const auto y : data.labels) ++out.class_counts[y > 0 ? 1 : 0];
  if (out.class_counts[0] == 0 || out.class_counts[1] == 0)
    throw InputError("all samples are of one class: two classes are required");
  const bool fisher = options.method != Baseline::sbl;
  if (fisher && !data.covariates.empty())
    throw UsageError("Fisher's discriminant takes no covariates: leave them out, or use --method sbl");
  ThreadPool pool(options.threads);
  out.samples = data.samples();
  out.features = data.features.cols();
  out.notes = data.notes;
  out.solver = to_string(options.method);
  out.why = "asked for";
  out.model.class_names = data.class_names;
  out.model.label_name = data.label_name;
  out.model.activation = fisher ? ActivationKind::probit : ActivationKind::logistic;
  out.model.intercept = fisher || options.intercept;
  std::vector<std::int8_t> labels = std::move(data.labels);
  data.features.make_dense();
  Prepared prepared = prepare(std::move(data), options.preprocessing, pool);
  out.notes.insert(out.notes.end(), prepared.notes.begin(), prepared.notes.end());
  const Covariates covariates = make_covariates(prepared.covariates, out.model.intercept, labels.size());
  const auto design = make_design(prepared);
  BaselineOutcome outcome = run_baseline({options, prepared, *design, labels, covariates, pool});
  report(prepared, std::move(outcome), options, labels, out);
  return out;
}

}  // namespace cavity
