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
  const auto ranked = ranked_features(model, most);
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

}  // namespace

std::string fit_json(const Fit& fit, const FitJsonOptions& options) {
  if (fit.questions.size() > 1) return dumped(several_json(fit, options), options.indent);
  const Model& model = fit.model;
  const QuestionFit& question = fit.questions.front();
  const std::vector<double>& inclusion = model.questions.front().features.inclusion;
  Json out;
  out["samples"] = fit.data.samples;
  out["features"] = fit.data.features;
  out["kept_features"] = model.preprocessing.kept.size();
  out["classes"] = classes_json(fit);
  out["positive"] = model.class_names[1];
  out["solver"] = fit.solver().name;
  out["solver_reason"] = fit.solver().why;
  out["activation"] = to_string(model.first_mixture().activation);
  out["transform"] = to_string(model.preprocessing.transform);
  out["grid"] = grid_json(question.grid);
  out["chosen"] = cell_json(question.chosen_cell());
  if (fit.loo.folds > 0) out["folds"] = fit.loo.folds;
  add_accuracy(fit, out);
  if (!fit.data.class_shares.empty()) out["prior"] = fit.data.class_shares;
  add_guessing(fit, out);
  if (fit.loo.folds == 0 && !fit.loo.probability.empty()) out["permutation"] = permutation_json(fit);
  out["train_error"] = question.train_error;
  out["intercept"] = question.contributions.intercept;
  out["recalibrated"] = model.recalibrated();
  out["top_features"] = top_features(model, options.features);
  out["expected_relevant"] = std::accumulate(inclusion.begin(), inclusion.end(), 0.0);
  out["groups"] = groups_json(model);
  out["credible_sets"] = credible_sets_json(model);
  if (options.loo) {
    out["loo_sample"] = fit.data.sample_names;
    out["loo_truth"] = truths_json(fit);
    out["loo_probability"] = loo_probability_json(fit);
    out["loo_reliable"] = fit.loo.reliable;
  }
  if (options.page) {
    out["learning_curve"] = learning_json(fit);
    if (options.loo) out["contributions"] = contributions_json(fit.model, question.contributions);
  }
  add_covariates(model, 0, out);
  add_covariates_alone(fit, out);
  if (question.loo_check) out["loo_check"] = loo_check_json(*question.loo_check);
  if (options.resources) out["resources"] = resources_json(fit.resources);
  out["notes"] = fit.data.notes;
  out["warnings"] = warnings_json(fit);
  return dumped(out, options.indent);
}

}  // namespace cavity
