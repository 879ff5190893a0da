#include <ostream>

#include "cavity/fit.hpp"
#include "cavity/model_file.hpp"
#include "cavity/report.hpp"
#include "file/atomic_file.hpp"
#include "fit/reading_for_model.hpp"
#include "page/requests.hpp"
#include "report/json_parts.hpp"
#include "report/measured_report.hpp"
#include "report/result_csv.hpp"

namespace cavity::page {

Json predict(const Json& request) {
  const Model model = load_model(request.at("model"));
  Dataset data = read_dataset(request.at("file"), reading_for_model(model, reading(request)));
  Json notes = Json::array();
  for (const std::string& note : data.notes) notes.push_back(spell_options(note, OptionStyle::flags));
  const PredictedSamples samples = predict_samples(model, std::move(data), {.threads = 1});
  const std::string path = request.at("stem").get<std::string>() + "-predictions.csv";
  write_file_atomically(path, [&](std::ostream& out) { out << prediction_csv(samples); });
  for (const std::string& line : measured_lines(samples.predicted.measured))
    notes.push_back(spell_options(line, OptionStyle::flags));
  Json labels = Json::array();
  for (std::size_t i = 0; i < samples.sample.size(); ++i) labels.push_back(samples.label(i));
  return {{"notes", notes},
          {"sample", samples.sample},
          {"label", labels},
          {"truth", samples.truth},
          {"classes", samples.class_names},
          {"probabilities", rows_json(samples.predicted.probabilities, samples.classes())},
          {"error_rate", prediction_error(samples)},
          {"measured", measured_json(samples.predicted.measured)},
          {"files", {{"predictions", path}}}};
}

}  // namespace cavity::page
