#include "report/several_data.hpp"

#include <algorithm>

#include "report/html_report.hpp"
#include "report/json_parts.hpp"
#include "report/several_json.hpp"

namespace cavity {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::size_t most_features = 5000, most_values = 60'000;  // values: features x classes

Json sample_table(const Fit& fit) {
  return {{"name", fit.data.sample_names},
          {"label", truths_json(fit)},
          {"loo_probability", loo_probability_json(fit)},
          {"reliable", fit.loo.reliable}};
}

/// One number a class of a feature.
Json of_classes(const Model& model, std::size_t feature, std::vector<double> FeatureEstimates::*column) {
  std::vector<double> out;
  for (const QuestionModel& one : model.questions) out.push_back((one.features.*column)[feature]);
  return numbers_json(out);
}

/// Most included first, by overall inclusion, which is that of the class that each speaks for.
Json feature_table(const Model& model) {
  const std::size_t most = std::min(most_features, most_values / model.questions.size());
  const OverallEstimates all = overall_features(model);
  Json out;
  for (const char* column : {"name", "class", "class_inclusion", "class_weight", "class_sd"})
    out[column] = Json::array();
  std::vector<double> inclusion;
  for (const std::size_t l : ranked(all.inclusion, most)) {
    inclusion.push_back(all.inclusion[l]);
    out["name"].push_back(model.preprocessing.feature_names[l]);
    out["class"].push_back(model.class_names[all.of_class[l]]);
    out["class_inclusion"].push_back(of_classes(model, l, &FeatureEstimates::inclusion));
    out["class_weight"].push_back(of_classes(model, l, &FeatureEstimates::weight));
    out["class_sd"].push_back(of_classes(model, l, &FeatureEstimates::sd));
  }
  out["inclusion"] = numbers_json(inclusion);
  out["expected_false"] = numbers_json(expected_false(inclusion));
  return out;
}

}  // namespace

Json several_data(const Fit& fit, const ReportContext& context) {
  const Model& model = fit.model;
  Json out = {{"kind", "several"}};
  add_head(fit, context, out);
  add_accuracy(fit, out);
  add_guessing(fit, out);
  out["permutation"] = permutation_json(fit);
  if (!fit.data.class_shares.empty()) out["prior"] = fit.data.class_shares;
  add_covariates_alone(fit, out);
  out["joining"] = joining_json(model);
  out["per_class"] = Json::array();
  for (std::size_t k = 0; k < fit.questions.size(); ++k) {
    Json one = class_json(fit, k, 0);
    one.erase("top_features");  // in the table of the features
    out["per_class"].push_back(std::move(one));
  }
  out["warnings"] = warnings_json(fit);
  out["notes"] = fit.data.notes;
  out["sample_table"] = sample_table(fit);
  out["feature_table"] = feature_table(model);
  out["feature_total"] = model.preprocessing.feature_names.size();
  out["citation"] = citation();
  return out;
}

}  // namespace cavity
