// A fit as JSON: one shape for any number of classes (docs/cavity.schema.json).
#include <numeric>

#include "cavity/report.hpp"
#include "report/block_report.hpp"
#include "report/boundary_report.hpp"
#include "report/json_parts.hpp"
#include "report/methods.hpp"

namespace cavity {

namespace {

using Json = nlohmann::ordered_json;

/// One class against the others.
Json question_json(const Fit& fit, std::size_t k, const FitJsonOptions& options) {
  const QuestionFit& question = fit.questions[k];
  const Model& model = fit.model;
  Json out = {{"class", model.class_names[model.of_class(k)]},
              {"solver", question.solver.name},
              {"solver_reason", question.solver.why},
              {"grid", grid_json(question.grid)},
              {"chosen", question.chosen}};
  const bool known = !fit.loo.probability.empty();
  out["loo_error"] = known ? json_number(question.error) : Json(nullptr);
  out["loo_log_loss"] = known ? json_number(question.log_loss) : Json(nullptr);
  add_accuracy(question.accuracy, known, out);
  out["train_error"] = json_number(question.train_error);
  out["boundary"] = boundary_json(question.boundary, model, options.features);
  out["intercept"] = json_number(question.contributions.intercept);
  out["top_features"] = features_json(model, ranked_features_of(model, k, options.features));
  const FeatureEstimates& features = model.questions[k].features;
  out["expected_relevant"] = std::accumulate(features.inclusion.begin(), features.inclusion.end(), 0.0);
  out["expected_relevant_interval"] = relevant_json(question);
  out["prior_inclusion"] = features.average ? json_number(features.average->prior_inclusion) : Json(nullptr);
  out["hypotheses"] = hypotheses_json(question);
  out["covariates"] = covariates_json(model, k);
  out["loo_check"] = loo_check_json(question.loo_check);
  return out;
}

}  // namespace

Json fit_values(const Fit& fit, const FitJsonOptions& options) {
  const Model& model = fit.model;
  const std::vector<double> inclusion = overall_features(model).inclusion;
  Json out;
  out["samples"] = fit.data.samples;
  out["features"] = fit.data.features;
  out["kept_features"] = model.preprocessing.kept.size();
  out["classes"] = classes_json(fit);
  out["solver"] = fit.solver().name;
  out["solver_reason"] = fit.solver().why;
  out["activation"] = to_string(model.first_mixture().activation);
  out["value_transform"] = to_string(model.preprocessing.transform);
  out["verdict"] = verdict_json(fit);
  out["permutation"] = permutation_json(fit);
  add_accuracy(fit, out);
  out["class_prior"] = class_prior_json(fit);
  add_guessing(fit, out);
  out["calibration"] = calibration_json(model);
  out["top_features"] = features_json(model, ranked_features(model, options.features));
  out["expected_relevant"] = std::accumulate(inclusion.begin(), inclusion.end(), 0.0);
  out["correlated"] = correlated_json(model);
  out["credible_sets"] = credible_sets_json(model);
  out["covariates_alone"] = covariates_alone_json(fit.covariates_alone);
  out["blocks"] = blocks_json(fit);
  out["questions"] = Json::array();
  for (std::size_t k = 0; k < fit.questions.size(); ++k) out["questions"].push_back(question_json(fit, k, options));
  out["forecast"] = forecast_json(fit.forecast);
  if (options.page && options.loo) out["contributions"] = contributions_json(fit);
  const std::string methods = methods_words(fit);
  out["methods"] = methods.empty() ? Json(nullptr) : Json(methods);
  out["notes"] = fit.data.notes;
  out["warnings"] = warnings_json(fit);
  return out;
}

std::string fit_json(const Fit& fit, const FitJsonOptions& options) {
  Json out = {{"schema", json_schema},
              {"version", CAVITY_VERSION},
              {"seed", options.seed ? Json(*options.seed) : Json(nullptr)}};
  out.update(fit_values(fit, options));
  if (options.loo) {
    out["loo_sample"] = fit.data.sample_names;
    out["loo_truth"] = truths_json(fit);
    out["loo_probability"] = loo_probability_json(fit);
    out["loo_reliable"] = fit.loo.reliable;
  }
  if (options.resources) out["resources"] = resources_json(fit.resources);
  return dumped(out, options.indent);
}

}  // namespace cavity
