#include "cli/model_reading.hpp"

#include "cavity/report.hpp"

namespace cavity::cli {

ReadOptions reading_for(const Model& model, const ReadFlags& flags, unsigned threads) {
  ReadOptions out = flags.resolved(threads);
  if (out.label.empty()) out.label = model.label_name;
  out.remembered_id = model.id_name;
  out.labels_required = false;
  out.compact = true;
  out.expected_classes = model.class_names;
  out.expected_features = model.preprocessing.feature_names;
  for (const auto& covariate : model.preprocessing.covariates)
    if (out.covariates.empty() || out.covariates.back() != covariate.name) out.covariates.push_back(covariate.name);
  return out;
}

void say_notes(const Dataset& data) {
  for (const std::string& note : data.notes) say(spell_options(note, OptionStyle::flags) + "\n");
}

}  // namespace cavity::cli
