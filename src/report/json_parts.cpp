#include "report/json_parts.hpp"

#include <cmath>

namespace cavity {

using Json = nlohmann::ordered_json;

Json json_number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

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
          {"iterations", cell.iterations},
          {"residual", json_number(cell.residual)},
          {"log_evidence", json_number(cell.log_evidence)},
          {"weight", cell.weight}};
}

Json grid_json(const Fit& fit) {
  Json out = Json::array();
  for (const Cell& cell : fit.grid) out.push_back(cell_json(cell));
  return out;
}

Json classes_json(const Fit& fit) {
  const auto& names = fit.model.class_names;
  return {{names[0], fit.data.class_counts[0]}, {names[1], fit.data.class_counts[1]}};
}

Json loo_check_json(const LooCheck& check) {
  return {{"refits", check.checked},
          {"failed", check.failed},
          {"largest_difference", check.largest_difference},
          {"mean_difference", check.mean_difference},
          {"changed_labels", check.changed_labels}};
}

Json credible_sets_json(const Model& model) {
  Json out = Json::array();
  for (const CredibleSet& set : model.features.credible_sets) {
    Json names = Json::array();
    for (const auto l : set.features) names.push_back(model.preprocessing.feature_names[l]);
    out.push_back(
        {{"features", names}, {"share", set.share}, {"probability", set.probability}, {"filled", set.filled}});
  }
  return out;
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
