#include "fit/reading_for_model.hpp"

namespace cavity {

ReadOptions reading_for_model(const Model& model, ReadOptions options) {
  if (options.label.empty()) options.label = model.label_name;
  options.remembered_id = model.id_name;
  options.labels_required = false;
  options.compact = true;
  options.expected_classes = model.class_names;
  options.expected_features = model.preprocessing.feature_names;
  std::vector<std::string>& columns = options.covariates;
  for (const auto& covariate : model.preprocessing.covariates)
    if (columns.empty() || columns.back() != covariate.name) columns.push_back(covariate.name);
  return options;
}

}  // namespace cavity
