#include "report/several_json.hpp"

#include "report/json_parts.hpp"

namespace cavity {

using Json = nlohmann::ordered_json;

namespace {

Json features_json(const std::vector<Feature>& ranked) {
  Json out = Json::array();
  for (const Feature& f : ranked) out.push_back({{"name", f.name}, {"inclusion", f.inclusion}, {"weight", f.weight}});
  return out;
}

/// The class that each speaks for goes with it.
Json overall_json(const Model& model, std::size_t most) {
  Json out = Json::array();
  for (const Feature& f : ranked_features(model, most))
    out.push_back(
        {{"name", f.name}, {"inclusion", f.inclusion}, {"class", model.class_names[f.of_class]}, {"weight", f.weight}});
  return out;
}

}  // namespace

Json class_json(const Fit& fit, std::size_t k, std::size_t features) {
  const QuestionFit& c = fit.questions[k];
  Json out = {{"name", fit.model.class_names[k]},
              {"solver", c.solver.name},
              {"grid", grid_json(c.grid)},
              {"chosen", cell_json(c.chosen_cell())},
              {"loo_error", json_number(c.error)},
              {"loo_log_loss", json_number(c.log_loss)},
              {"auc", json_number(c.accuracy.auc)},
              {"train_error", c.train_error},
              {"intercept", c.contributions.intercept},
              {"top_features", features_json(ranked_features_of(fit.model, k, features))}};
  add_covariates(fit.model, k, out);
  if (c.loo_check) out["loo_check"] = loo_check_json(*c.loo_check);
  return out;
}

Json joining_json(const Model& model) {
  const Joining& joining = model.calibration.joining;
  Json out = {{"floor", joining.floor}, {"temperature", joining.temperature}, {"offset", joining.offset}};
  if (!joining.coupling.empty()) out["coupling"] = rows_json(joining.coupling, model.class_names.size());
  if (const Together& together = model.calibration.together; together.share > 0)
    out["together"] = {{"share", together.share}, {"precision", together.precision}};
  return out;
}

Json several_json(const Fit& fit, const FitJsonOptions& options) {
  const Model& model = fit.model;
  Json out;
  out["samples"] = fit.data.samples;
  out["features"] = fit.data.features;
  out["kept_features"] = model.preprocessing.kept.size();
  out["classes"] = classes_json(fit);
  out["solver"] = fit.solver().name;
  out["solver_reason"] = fit.solver().why;
  out["activation"] = to_string(model.first_mixture().activation);
  out["transform"] = to_string(model.preprocessing.transform);
  add_accuracy(fit, out);
  add_guessing(fit, out);
  out["permutation"] = permutation_json(fit);
  if (!fit.data.class_shares.empty()) out["prior"] = fit.data.class_shares;
  add_covariates_alone(fit, out);
  out["joining"] = joining_json(model);
  out["top_features"] = overall_json(model, options.features);
  out["groups"] = groups_json(model);
  out["per_class"] = Json::array();
  for (std::size_t k = 0; k < fit.questions.size(); ++k)
    out["per_class"].push_back(class_json(fit, k, options.features));
  if (options.loo) {
    out["loo_sample"] = fit.data.sample_names;
    out["loo_truth"] = truths_json(fit);
    out["loo_probability"] = loo_probability_json(fit);
    out["loo_reliable"] = fit.loo.reliable;
  }
  if (options.resources) out["resources"] = resources_json(fit.resources);
  out["notes"] = fit.data.notes;
  out["warnings"] = warnings_json(fit);
  return out;
}

}  // namespace cavity
