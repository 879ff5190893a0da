// What a model file keeps of its fit, in the shape of today (docs/cavity.schema.json). Files from before there was a
// number of the shape hold one shape for two classes and another for more; what they do not know is null.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "assess/guessing.hpp"
#include "cavity/errors.hpp"
#include "cavity/report.hpp"
#include "file/json_depth.hpp"
#include "report/boundary_report.hpp"
#include "report/json_parts.hpp"

namespace cavity {

namespace {

using Json = nlohmann::ordered_json;

/// The first of these keys that is there, else null or what is said.
constexpr const char* before_there_was_one = "the model file is from before there was one";

Json found(const Json& from, std::initializer_list<const char*> keys, Json otherwise = nullptr) {
  for (const char* key : keys)
    if (from.contains(key)) return from[key];
  return otherwise;
}

Json list_of(const Json& from, const char* key) { return found(from, {key}, Json::array()); }

/// Two classes were {"n": 22, "t": 40}.
Json classes_of(const Json& old) {
  if (old.is_array()) return old;
  Json out = Json::array();
  for (const auto& [name, count] : old.items()) out.push_back({{"name", name}, {"count", count}});
  return out;
}

Json cell_of(const Json& old, std::size_t column, const Json& fit) {
  const double density = old.at("density");
  return {{"density", density},
          {"noise", old.at("noise")},
          {"width", found(old, {"width"}, 0)},
          {"column", column},
          {"kept", found(old, {"kept"}, density * fit.at("kept_features").get<double>())},
          {"solver", found(old, {"solver"}, fit.at("solver"))},
          {"loo_error", found(old, {"loo_error"})},
          {"loo_log_loss", found(old, {"loo_log_loss"})},
          {"converged", old.at("status") == "converged"},
          {"status", old.at("status")},
          {"usable", found(old, {"usable"}, old.at("status") == "converged")},
          {"reliable", found(old, {"reliable"}, true)},
          {"by_folds", found(old, {"by_folds"}, false)},
          {"iterations", found(old, {"iterations"}, 0)},
          {"residual", found(old, {"residual"})},
          {"log_evidence", found(old, {"log_evidence"})},
          {"weight", found(old, {"weight"}, 0)}};
}

/// Those that were solved, and which of them was chosen: cells that no path reached were listed, too, and the chosen
/// one was written out once more.
void add_cells(const Json& part, const Json& fit, Json& out) {
  std::size_t column = 0;
  Json density = nullptr;
  for (const Json& cell : part.at("grid")) {
    column = cell.at("density") == density ? column + 1 : 0;
    density = cell.at("density");
    if (cell.at("status") == "not visited") continue;
    if (cell == part.at("chosen")) out["chosen"] = out["grid"].size();
    out["grid"].push_back(cell_of(cell, column, fit));
  }
}

/// `part` is the whole of two classes, and what was said of one class of more.
Json question_of(const Json& part, const Json& fit, const Model& model, std::size_t question) {
  Json out = {{"class", model.class_names[model.of_class(question)]},
              {"solver", part.at("solver")},
              {"solver_reason", found(part, {"solver_reason"}, fit.at("solver_reason"))}};
  out["grid"] = Json::array();
  out["chosen"] = 0;
  add_cells(part, fit, out);
  for (const char* key : {"loo_error", "loo_log_loss", "sensitivity", "sensitivity_interval", "specificity",
                          "specificity_interval", "auc", "auc_se", "auc_interval", "train_error", "intercept"})
    out[key] = found(part, {key});
  out["top_features"] = Json::array();
  const std::vector<double>& inclusion = model.questions[question].features.inclusion;
  out["expected_relevant"] = std::accumulate(inclusion.begin(), inclusion.end(), 0.0);
  for (const char* key : {"expected_relevant_interval", "prior_inclusion"}) out[key] = nullptr;
  out["hypotheses"] = Json::array();
  out["covariates"] = covariates_json(model, question);
  out["loo_check"] = found(part, {"loo_check"});
  out["boundary"] = boundary_json({}, model, 0);
  return out;
}

Json confusion_of(const Json& old) {
  if (!old.is_object()) return old;
  return Json::array({Json::array({old.at("true_negative"), old.at("false_positive")}),
                      Json::array({old.at("false_negative"), old.at("true_positive")})});
}

/// A number a sample, of the positive class, was what two classes had.
Json probabilities_of(const Json& old) {
  Json out = Json::array();
  for (const Json& p : old) out.push_back(p.is_array() ? p : Json::array({1 - p.get<double>(), p}));
  return out;
}

Json permutation_of(const Json& old) {
  const Json p = found(old, {"permutation"}, Json::object());
  const Json level = found(p, {"p"});
  Json out = {{"shown", level.is_null() ? Json(nullptr) : Json(level.get<double>() < 0.05)}, {"p", level}};
  for (const char* key : {"p_together", "p_strongest"}) out[key] = found(p, {key});
  out["permutations"] = found(p, {"permutations"}, 0);
  for (const char* key : {"log_loss", "expected_log_loss", "expected_error", "error_sd"}) out[key] = found(p, {key});
  out["why_none"] = level.is_null() ? Json(before_there_was_one) : Json(nullptr);
  return out;
}

Json questions_of(const Json& old, const Model& model) {
  Json out = Json::array();
  const bool two = !old.contains("per_class");
  for (std::size_t k = 0; k < model.questions.size(); ++k)
    out.push_back(question_of(two ? old : old["per_class"].at(k), old, model, k));
  return out;
}

/// Of what is in the shape of today already.
double baseline_error(const Json& fit) {
  std::vector<std::size_t> counts;
  for (const Json& one : fit.at("classes")) counts.push_back(one.at("count"));
  std::vector<double> shares;
  if (!fit["class_prior"].is_null()) shares = fit["class_prior"].get<std::vector<double>>();
  return best_guess(counts, shares).error;
}

Json in_shape_of_today(const Json& old, const Model& model) {
  Json out = {{"schema", json_schema}, {"version", nullptr}, {"seed", nullptr}};
  for (const char* key : {"samples", "features", "kept_features"}) out[key] = old.at(key);
  out["classes"] = classes_of(old.at("classes"));
  for (const char* key : {"solver", "solver_reason"}) out[key] = old.at(key);
  out["activation"] = to_string(model.first_mixture().activation);
  out["value_transform"] = to_string(model.preprocessing.transform);
  out["permutation"] = permutation_of(old);
  out["verdict"] = {{"better", out["permutation"]["shown"]}, {"text", ""}};
  out["forecast"] = {{"points", Json::array()}, {"why_none", before_there_was_one}};
  out["folds"] = found(old, {"folds"}, 0);
  out["sample_groups"] = found(old, {"sample_groups"}, 0);
  for (const char* key : {"loo_error", "loo_error_se", "loo_error_interval", "loo_log_loss", "choice_optimism",
                          "balanced_accuracy", "brier"})
    out[key] = found(old, {key});
  out["confusion"] = confusion_of(found(old, {"confusion"}));
  out["class_prior"] = found(old, {"prior"});
  out["baseline_error"] = baseline_error(out);
  out["guessing"] = found(old, {"guessing"});
  out["calibration"] = calibration_json(model);
  out["top_features"] = Json::array();
  const std::vector<double> inclusion = overall_features(model).inclusion;
  out["expected_relevant"] = std::accumulate(inclusion.begin(), inclusion.end(), 0.0);
  out["correlated"] = correlated_json(model);
  out["credible_sets"] = credible_sets_json(model);
  out["covariates_alone"] = found(old, {"covariates_alone"});
  out["blocks"] = nullptr;
  out["questions"] = questions_of(old, model);
  out["methods"] = nullptr;
  out["notes"] = list_of(old, "notes");
  out["warnings"] = list_of(old, "warnings");
  for (const char* key : {"loo_sample", "loo_truth", "loo_reliable"}) out[key] = list_of(old, key);
  out["loo_probability"] = probabilities_of(list_of(old, "loo_probability"));
  return out;
}

}  // namespace

std::string model_summary(const Model& model) {
  if (json_too_deep(model.summary_json))
    throw InputError("what the model file says of its fit is damaged: it is nested");
  try {
    const Json held = Json::parse(model.summary_json);
    return held.contains("schema") ? model.summary_json : dumped(in_shape_of_today(held, model));
  } catch (const nlohmann::json::exception& error) {
    throw InputError(std::string("what the model file says of its fit is damaged: ") + error.what());
  }
}

}  // namespace cavity
