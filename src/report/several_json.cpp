#include "report/several_json.hpp"

#include <algorithm>

#include "judge/guessing.hpp"
#include "report/json_parts.hpp"

namespace cavity {

using Json = nlohmann::ordered_json;

namespace {

Json features_json(const std::vector<Feature>& ranked, std::size_t most) {
  Json out = Json::array();
  for (std::size_t i = 0; i < std::min(most, ranked.size()); ++i)
    out.push_back({{"name", ranked[i].name}, {"inclusion", ranked[i].inclusion}, {"weight", ranked[i].weight}});
  return out;
}

/// The class that each speaks for goes with it.
Json overall_json(const Model& model, std::size_t most) {
  Json out = Json::array();
  for (const OverallFeature& f : ranked_over_classes(model, most))
    out.push_back({{"name", f.feature.name},
                   {"inclusion", f.feature.inclusion},
                   {"class", model.class_names[f.of_class]},
                   {"weight", f.feature.weight}});
  return out;
}

Json covariates_json(const Model& model, std::size_t k) {
  Json out = Json::array();
  const auto& encodings = model.preprocessing.covariates;
  const auto& estimates = model.per_class[k].covariates;
  for (std::size_t j = 0; j < estimates.size(); ++j)
    out.push_back({{"name", encodings[j].name},
                   {"category", encodings[j].category},
                   {"reference", encodings[j].reference},
                   {"weight", estimates[j].weight},
                   {"sd", estimates[j].sd}});
  return out;
}

}  // namespace

Json class_json(const Fit& fit, std::size_t k, std::size_t features) {
  const ClassFit& c = fit.per_class[k];
  Json out = {{"name", fit.model.class_names[k]},
              {"solver", c.solver.name},
              {"grid", grid_json(c.grid)},
              {"chosen", cell_json(c.grid[c.chosen])},
              {"loo_error", json_number(c.loo.error)},
              {"loo_log_loss", json_number(c.loo.log_loss)},
              {"auc", json_number(c.loo.accuracy.auc)},
              {"train_error", c.train_error},
              {"intercept", c.contributions.intercept},
              {"top_features", features_json(ranked_features(fit.model, k), features)}};
  if (!fit.model.preprocessing.covariates.empty()) out["covariates"] = covariates_json(fit.model, k);
  if (c.loo_check) out["loo_check"] = loo_check_json(*c.loo_check);
  return out;
}

Json joining_json(const Model& model) {
  const Joining& joining = model.joining;
  Json out = {{"floor", joining.floor}, {"temperature", joining.temperature}, {"offset", joining.offset}};
  if (!joining.coupling.empty()) out["coupling"] = rows_json(joining.coupling, model.class_names.size());
  if (const Together& together = model.together; together.share > 0)
    out["together"] = {{"share", together.share}, {"precision", together.precision}};
  return out;
}

std::vector<std::uint32_t> called_classes(const Fit& fit) {
  const auto classes = static_cast<std::ptrdiff_t>(fit.data.counts.size());
  std::vector<std::uint32_t> out;
  for (auto row = fit.several.probability.begin(); row != fit.several.probability.end(); row += classes)
    out.push_back(static_cast<std::uint32_t>(std::max_element(row, row + classes) - row));
  return out;
}

void add_several_accuracy(const Fit& fit, Json& out) {
  out["loo_error"] = json_number(fit.loo.error);
  out["loo_error_se"] = json_number(fit.loo.error_se);
  out["loo_log_loss"] = json_number(fit.loo.log_loss);
  if (fit.loo.groups > 0) out["sample_groups"] = fit.loo.groups;
  out["loo_error_interval"] = interval_json(fit.loo.accuracy.error);
  out["balanced_accuracy"] = fit.loo.accuracy.balanced_accuracy;
  out["brier"] = fit.loo.accuracy.brier;
  out["confusion"] = rows_json(fit.several.confusion, fit.data.counts.size());
  const Guess guess = several_guess(fit.data.counts, fit.data.shares);
  const AgainstGuessing against =
      against_several_guess(called_classes(fit), fit.data.classes, fit.data.shares, group_of_samples(fit));
  out["baseline_error"] = guess.error;
  out["guessing"] = guessing_json(fit.model, guess, against);
  if (!fit.data.shares.empty()) out["prior"] = fit.data.shares;
  add_covariates_alone(fit, out);
}

Json several_json(const Fit& fit, const FitJsonOptions& options) {
  const Model& model = fit.model;
  Json out;
  out["samples"] = fit.data.samples;
  out["features"] = fit.data.features;
  out["kept_features"] = model.preprocessing.kept.size();
  out["classes"] = classes_json(fit);
  out["solver"] = fit.solver.name;
  out["solver_reason"] = fit.solver.why;
  out["activation"] = to_string(model.mixture.activation);
  out["transform"] = to_string(model.preprocessing.transform);
  add_several_accuracy(fit, out);
  out["joining"] = joining_json(model);
  out["top_features"] = overall_json(model, options.features);
  out["groups"] = groups_json(model);
  out["per_class"] = Json::array();
  for (std::size_t k = 0; k < fit.per_class.size(); ++k)
    out["per_class"].push_back(class_json(fit, k, options.features));
  if (options.loo) {
    out["loo_sample"] = fit.data.sample_names;
    out["loo_truth"] = Json::array();
    for (const std::uint32_t k : fit.data.classes) out["loo_truth"].push_back(model.class_names[k]);
    out["loo_probability"] = rows_json(fit.several.probability, model.class_names.size());
    out["loo_reliable"] = fit.loo.reliable;
  }
  if (options.resources) out["resources"] = resources_json(fit.resources);
  out["notes"] = fit.data.notes;
  out["warnings"] = warnings_json(fit);
  return out;
}

}  // namespace cavity
