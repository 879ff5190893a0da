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
  Json label = Json::array();
  for (const std::uint32_t k : fit.data.classes) label.push_back(fit.model.class_names[k]);
  return {{"name", fit.data.sample_names},
          {"label", label},
          {"loo_probability", rows_json(fit.several.probability, fit.model.class_names.size())},
          {"reliable", fit.loo.reliable}};
}

/// One number a class of a feature.
Json of_classes(const Model& model, std::size_t feature, std::vector<double> FeatureEstimates::*column) {
  std::vector<double> out;
  for (const ClassModel& one : model.per_class) out.push_back((one.features.*column)[feature]);
  return numbers_json(out);
}

/// Most included first, by overall inclusion, which is that of the class that each speaks for.
Json feature_table(const Model& model) {
  const std::size_t most = std::min(most_features, most_values / model.per_class.size());
  const auto order = most_included(model.features, most);
  const auto ranked = ranked_over_classes(model, most);
  Json out;
  for (const char* column : {"name", "class", "class_inclusion", "class_weight", "class_sd"})
    out[column] = Json::array();
  std::vector<double> inclusion;
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    inclusion.push_back(ranked[i].feature.inclusion);
    out["name"].push_back(ranked[i].feature.name);
    out["class"].push_back(model.class_names[ranked[i].of_class]);
    out["class_inclusion"].push_back(of_classes(model, order[i], &FeatureEstimates::inclusion));
    out["class_weight"].push_back(of_classes(model, order[i], &FeatureEstimates::weight));
    out["class_sd"].push_back(of_classes(model, order[i], &FeatureEstimates::sd));
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
  add_several_accuracy(fit, out);
  out["joining"] = joining_json(model);
  out["per_class"] = Json::array();
  for (std::size_t k = 0; k < fit.per_class.size(); ++k) {
    Json one = class_json(fit, k, 0);
    one.erase("top_features");  // in the table of the features
    out["per_class"].push_back(std::move(one));
  }
  out["warnings"] = warnings_json(fit);
  out["notes"] = fit.data.notes;
  out["sample_table"] = sample_table(fit);
  out["feature_table"] = feature_table(model);
  out["feature_total"] = model.features.inclusion.size();
  out["citation"] = citation();
  return out;
}

}  // namespace cavity
