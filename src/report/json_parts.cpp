#include "report/json_parts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "judge/guessing.hpp"
#include "leave/sample_groups.hpp"

namespace cavity {

using Json = nlohmann::ordered_json;

Json json_number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json numbers_json(const std::vector<double>& values) {
  Json out = Json::array();
  for (const double v : values) out.push_back(json_number(v));
  return out;
}

std::vector<std::size_t> most_included(const FeatureEstimates& features, std::size_t most) {
  const std::vector<double>& inclusion = features.inclusion;
  std::vector<std::size_t> order(inclusion.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return inclusion[a] > inclusion[b]; });
  order.resize(std::min(order.size(), most));
  return order;
}

Json cell_json(const Cell& cell) {
  return {{"density", cell.density},
          {"noise", cell.noise},
          {"width", cell.width},
          {"kept", cell.kept},
          {"solver", cell.solver},
          {"loo_error", json_number(cell.loo_error)},
          {"loo_log_loss", json_number(cell.loo_log_loss)},
          {"converged", cell.status == "converged"},
          {"status", cell.status},
          {"usable", cell.usable},
          {"reliable", cell.reliable},
          {"by_folds", cell.by_folds},
          {"iterations", cell.iterations},
          {"residual", json_number(cell.residual)},
          {"log_evidence", json_number(cell.log_evidence)},
          {"weight", cell.weight}};
}

Json grid_json(const std::vector<Cell>& cells) {
  Json out = Json::array();
  for (const Cell& cell : cells) out.push_back(cell_json(cell));
  return out;
}

Json classes_json(const Fit& fit) {
  const auto& names = fit.model.class_names;
  if (!fit.per_class.empty()) {
    Json out = Json::array();
    for (std::size_t k = 0; k < names.size(); ++k) out.push_back({{"name", names[k]}, {"count", fit.data.counts[k]}});
    return out;
  }
  return {{names[0], fit.data.class_counts[0]}, {names[1], fit.data.class_counts[1]}};
}

Json interval_json(const Interval& interval) {
  return Json::array({json_number(interval.low), json_number(interval.high)});
}

void add_accuracy(const LooEstimate& loo, Json& out) {
  const Accuracy& a = loo.accuracy;
  out["loo_error"] = json_number(loo.error);
  out["loo_error_se"] = json_number(loo.error_se);
  out["loo_log_loss"] = json_number(loo.log_loss);
  if (loo.optimism)
    out["choice_optimism"] = {{"error", json_number(loo.optimism->error)},
                              {"log_loss", json_number(loo.optimism->log_loss)}};
  if (loo.groups > 0) {
    out["sample_groups"] = loo.groups;
    out["group_loo_error"] = out["loo_error"];
    out["group_loo_log_loss"] = out["loo_log_loss"];
  }
  if (loo.probability.empty()) return;
  out["loo_error_interval"] = interval_json(a.error);
  out["confusion"] = {{"true_positive", a.true_positive},
                      {"false_negative", a.false_negative},
                      {"true_negative", a.true_negative},
                      {"false_positive", a.false_positive}};
  out["sensitivity"] = a.sensitivity;
  out["sensitivity_interval"] = interval_json(a.sensitivity_interval);
  out["specificity"] = a.specificity;
  out["specificity_interval"] = interval_json(a.specificity_interval);
  out["balanced_accuracy"] = a.balanced_accuracy;
  out["auc"] = json_number(a.auc);
  out["auc_se"] = json_number(a.auc_se);
  out["auc_interval"] = interval_json(a.auc_interval);
  out["brier"] = json_number(a.brier);
}

Json guessing_json(const Model& model, const Guess& guess, const AgainstGuessing& against) {
  return {{"class", model.class_names[guess.of_class]},
          {"error", guess.error},
          {"brier", guess.brier},
          {"log_loss", guess.log_loss},
          {"gained", against.gained},
          {"lost", against.lost},
          {"p_value", against.p_value}};
}

std::vector<std::size_t> group_of_samples(const Fit& fit) {
  return fit.loo.groups > 0 ? gather_groups(fit.data.groups).of : std::vector<std::size_t>();
}

void add_guessing(const Fit& fit, Json& out) {
  const Guess guess = best_guess(fit.data.class_counts, fit.data.population);
  out["baseline_error"] = guess.error;
  if (fit.loo.probability.empty()) return;
  const AgainstGuessing against =
      against_guessing(fit.loo.probability, fit.data.labels, fit.data.population, group_of_samples(fit));
  out["guessing"] = guessing_json(fit.model, guess, against);
}

Json loo_check_json(const LooCheck& check) {
  return {{"refits", check.refits},
          {"samples", check.checked},
          {"failed", check.failed},
          {"largest_difference", check.largest_difference},
          {"mean_difference", check.mean_difference},
          {"changed_labels", check.changed_labels}};
}

void add_covariates(const Fit& fit, Json& out) {
  const auto& encodings = fit.model.preprocessing.covariates;
  Json list = Json::array();
  for (std::size_t j = 0; j < fit.model.covariates.size(); ++j)
    list.push_back({{"name", encodings[j].name},
                    {"category", encodings[j].category},
                    {"reference", encodings[j].reference},
                    {"weight", fit.model.covariates[j].weight},
                    {"sd", fit.model.covariates[j].sd}});
  if (!list.empty()) out["covariates"] = list;
  add_covariates_alone(fit, out);
}

void add_covariates_alone(const Fit& fit, Json& out) {
  if (!fit.covariates_alone) return;
  const CovariatesAlone& a = *fit.covariates_alone;
  out["covariates_alone"] = {{"loo_error", a.error},
                             {"loo_log_loss", a.log_loss},
                             {"error_gain", a.error_gain},
                             {"error_gain_se", a.error_gain_se},
                             {"log_loss_gain", a.log_loss_gain},
                             {"log_loss_gain_se", a.log_loss_gain_se}};
}

Json credible_sets_json(const Model& model) {
  Json out = Json::array();
  for (const CredibleSet& set : model.features.credible_sets) {
    Json names = Json::array();
    for (const auto l : set.features) names.push_back(model.preprocessing.feature_names[l]);
    out.push_back({{"features", names},
                   {"share", set.share},
                   {"probability", set.probability},
                   {"filled", set.filled},
                   {"weight", model.mixture.sampled_weight()}});
  }
  return out;
}

Json groups_json(const Model& model) {
  Json out = Json::array();
  for (const auto& group : model.features.groups) {
    Json names = Json::array();
    double sum = 0;
    for (const auto l : group) {
      names.push_back(model.preprocessing.feature_names[l]);
      sum += model.features.inclusion[l];
    }
    out.push_back({{"features", names}, {"inclusion", std::min(sum, 1.0)}});
  }
  return out;
}

Json resources_json(const Resources& used) {
  return {{"processes", used.processes},
          {"threads", used.threads},
          {"feature_bytes", used.bytes},
          {"communication_seconds", used.communication_seconds},
          {"resumed_cells", used.resumed_cells}};
}

Json warnings_json(const Fit& fit) {
  Json out = Json::array();
  for (const Warning& w : fit.warnings) out.push_back({{"name", w.name}, {"text", w.text}, {"cure", w.cure}});
  return out;
}

std::string dumped(const Json& json, int indent) {
  return json.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace cavity
