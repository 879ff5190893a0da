#include <algorithm>
#include <cmath>

#include "report/fit_report.hpp"

namespace cavity {

using Json = nlohmann::ordered_json;

Json json_number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

namespace {

Json cell_json(const Cell& cell) {
  return {{"density", cell.density},
          {"noise", cell.noise},
          {"loo_error", json_number(cell.loo_error)},
          {"loo_log_loss", json_number(cell.loo_log_loss)},
          {"converged", cell.status == "converged"},
          {"status", cell.status},
          {"reliable", cell.reliable},
          {"iterations", cell.iterations},
          {"residual", json_number(cell.residual)},
          {"log_evidence", json_number(cell.log_evidence)},
          {"weight", cell.weight}};
}

Json group_json(const Model& model, const std::vector<std::uint32_t>& group) {
  Json names = Json::array();
  double sum = 0;
  for (const auto l : group) {
    names.push_back(model.preprocessing.feature_names[l]);
    sum += model.inclusion[l];
  }
  return {{"features", names}, {"inclusion", std::min(sum, 1.0)}};
}

}  // namespace

Json fit_json(const Fit& fit, const FitJsonOptions& options) {
  const Model& model = fit.model;
  Json out;
  out["samples"] = fit.samples;
  out["features"] = fit.features;
  out["kept_features"] = model.preprocessing.kept.size();
  out["classes"] = {{model.class_names[0], fit.class_counts[0]}, {model.class_names[1], fit.class_counts[1]}};
  out["positive"] = model.class_names[1];
  out["solver"] = fit.solver;
  out["solver_reason"] = fit.why;
  out["activation"] = to_string(model.activation);
  out["transform"] = to_string(model.preprocessing.transform);
  out["grid"] = Json::array();
  for (const Cell& cell : fit.grid) out["grid"].push_back(cell_json(cell));
  out["chosen"] = cell_json(fit.grid[fit.chosen]);
  if (fit.folds > 0) out["folds"] = fit.folds;
  out["loo_error"] = json_number(fit.loo_error);
  out["loo_error_se"] = json_number(fit.loo_error_se);
  out["loo_log_loss"] = json_number(fit.loo_log_loss);
  out["train_error"] = fit.train_error;
  out["intercept"] = fit.intercept;
  out["recalibrated"] = model.recalibration.has_value();
  out["top_features"] = Json::array();
  const auto ranked = ranked_features(model);
  for (std::size_t i = 0; i < std::min(options.features, ranked.size()); ++i)
    out["top_features"].push_back(
        {{"name", ranked[i].name}, {"inclusion", ranked[i].inclusion}, {"weight", ranked[i].weight}});
  out["groups"] = Json::array();
  for (const auto& group : model.groups) out["groups"].push_back(group_json(model, group));
  if (options.loo) {
    out["loo_probability"] = fit.loo_probability;
    out["loo_reliable"] = fit.loo_reliable;
  }
  if (fit.loo_checked > 0)
    out["loo_check"] = {{"refits", fit.loo_checked},
                        {"largest_difference", fit.loo_largest_difference},
                        {"mean_difference", fit.loo_mean_difference},
                        {"changed_labels", fit.loo_changed_labels}};
  if (options.resources)
    out["resources"] = {{"processes", fit.resources.processes},
                        {"threads", fit.resources.threads},
                        {"feature_bytes", fit.resources.bytes},
                        {"communication_seconds", fit.resources.communication_seconds},
                        {"resumed_cells", fit.resources.resumed_cells}};
  out["notes"] = fit.notes;
  out["warnings"] = Json::array();
  for (const Warning& w : fit.warnings)
    out["warnings"].push_back({{"name", w.name}, {"text", w.text}, {"cure", w.cure}});
  return out;
}

}  // namespace cavity
