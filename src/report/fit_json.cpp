#include <algorithm>
#include <numeric>

#include "cavity/report.hpp"
#include "report/json_parts.hpp"
#include "report/several_json.hpp"

namespace cavity {

namespace {

using Json = nlohmann::ordered_json;

Json top_features(const Model& model, std::size_t most) {
  Json out = Json::array();
  auto ranked = ranked_features(model);
  ranked.resize(std::min(most, ranked.size()));
  std::vector<double> inclusion;
  for (const Feature& feature : ranked) inclusion.push_back(feature.inclusion);
  const std::vector<double> doubt = expected_false(inclusion);  // of the features down to each
  for (std::size_t i = 0; i < ranked.size(); ++i)
    out.push_back({{"name", ranked[i].name},
                   {"inclusion", ranked[i].inclusion},
                   {"weight", ranked[i].weight},
                   {"sd", ranked[i].sd},
                   {"expected_false", doubt[i]}});
  return out;
}

/// Class names, a sample.
Json truths(const Fit& fit) {
  Json out = Json::array();
  for (const auto y : fit.data.labels) out.push_back(fit.model.class_names[y > 0 ? 1 : 0]);
  return out;
}

}  // namespace

std::string fit_json(const Fit& fit, const FitJsonOptions& options) {
  if (!fit.per_class.empty()) return dumped(several_json(fit, options), options.indent);
  const Model& model = fit.model;
  Json out;
  out["samples"] = fit.data.samples;
  out["features"] = fit.data.features;
  out["kept_features"] = model.preprocessing.kept.size();
  out["classes"] = classes_json(fit);
  out["positive"] = model.class_names[1];
  out["solver"] = fit.solver.name;
  out["solver_reason"] = fit.solver.why;
  out["activation"] = to_string(model.mixture.activation);
  out["transform"] = to_string(model.preprocessing.transform);
  out["grid"] = grid_json(fit.grid);
  out["chosen"] = cell_json(fit.grid[fit.chosen]);
  if (fit.loo.folds > 0) out["folds"] = fit.loo.folds;
  add_accuracy(fit.loo, out);
  if (fit.data.population) out["prior"] = *fit.data.population;
  add_guessing(fit, out);
  out["train_error"] = fit.train_error;
  out["intercept"] = fit.contributions.intercept;
  out["recalibrated"] = model.mixture.recalibrated();
  out["top_features"] = top_features(model, options.features);
  out["expected_relevant"] = std::accumulate(model.features.inclusion.begin(), model.features.inclusion.end(), 0.0);
  out["groups"] = groups_json(model);
  out["credible_sets"] = credible_sets_json(model);
  if (options.loo) {
    out["loo_sample"] = fit.data.sample_names;
    out["loo_truth"] = truths(fit);
    out["loo_probability"] = fit.loo.probability;
    out["loo_reliable"] = fit.loo.reliable;
  }
  if (options.page) {
    out["learning_curve"] = learning_json(fit);
    if (options.loo) out["contributions"] = contributions_json(fit);
  }
  add_covariates(fit, out);
  if (fit.loo_check) out["loo_check"] = loo_check_json(*fit.loo_check);
  if (options.resources) out["resources"] = resources_json(fit.resources);
  out["notes"] = fit.data.notes;
  out["warnings"] = warnings_json(fit);
  return dumped(out, options.indent);
}

}  // namespace cavity
