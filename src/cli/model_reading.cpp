#include "cli/model_reading.hpp"

#include "cavity/report.hpp"
#include "fit/reading_for_model.hpp"

namespace cavity::cli {

ReadOptions reading_for(const Model& model, const ReadFlags& flags, unsigned threads) {
  return reading_for_model(model, flags.resolved(threads));
}

ReadOptions reading_for(const Model& model, const ReadFlags& flags, const PredictOptions& options) {
  ReadOptions out = reading_for(model, flags, options.threads);
  if (options.match) out.expected_features.clear();
  return out;
}

void add_predict_options(CLI::App& command, PredictOptions& options) {
  command.option_defaults()->group("Features that differ from the model's");
  command.add_flag("--match", options.match,
                   "feature names that differ only by case, a version (ENSG00000141510.17) or a prefix are the same");
  command
      .add_option(
          "--least-explained", options.least_explained,
          "refuse where the columns that are there explain less than this share of what decides (default: 0.25)")
      ->check(CLI::Range(0.0, 1.0));
  command.add_flag("--fill-means", options.fill_means,
                   "a missing value takes its feature's training mean instead of what the sample's others tell");
}

void say_notes(const Dataset& data) {
  for (const std::string& note : data.notes) say(spell_options(note, OptionStyle::flags) + "\n");
}

}  // namespace cavity::cli
