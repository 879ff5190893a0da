#include <memory>
#include <nlohmann/json.hpp>

#include "cavity/fit.hpp"
#include "cavity/model_file.hpp"
#include "cli/commands.hpp"
#include "cli/model_reading.hpp"
#include "report/json_parts.hpp"
#include "report/result_csv.hpp"

namespace cavity::cli {

namespace {

struct PredictArguments {
  std::string model, file;
  ReadFlags read;
  unsigned threads = 0;
  bool json = false, quiet = false;
};

std::string as_json(const PredictedSamples& rows) {
  nlohmann::ordered_json out = {{"classes", rows.class_names}};
  auto& list = out["samples"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < rows.sample.size(); ++i) {
    auto probabilities = nlohmann::ordered_json::array();
    for (std::size_t k = 0; k < rows.classes(); ++k) probabilities.push_back(rows.probability(i, k));
    const bool known = !rows.truth.empty() && !rows.truth[i].empty();
    list.push_back({{"sample", rows.sample[i]},
                    {"label", rows.label(i)},
                    {"probabilities", std::move(probabilities)},
                    {"truth", known ? nlohmann::ordered_json(rows.truth[i]) : nullptr}});
  }
  return document(out);
}

void run(const PredictArguments& a) {
  const Model model = load_model(a.model);
  Dataset data = read_dataset(a.file, reading_for(model, a.read, a.threads));
  if (!a.quiet) say_notes(data);
  const PredictedSamples rows = predict_samples(model, std::move(data), a.threads);
  print(a.json ? as_json(rows) : prediction_csv(rows));
  if (const std::string error = prediction_error(rows); !error.empty() && !a.quiet) say(error + "\n");
}

}  // namespace

void add_predict_command(CLI::App& app) {
  auto a = std::make_shared<PredictArguments>();
  CLI::App* command = app.add_subcommand("predict", "probabilities and labels of new samples");
  command->add_option("model", a->model, "model file written by fit")->required();
  command->add_option("data", a->file, "new samples, in any format that fit reads; - is standard input")->required();
  a->read.add(*command);
  command->option_defaults()->group("Output");
  command->add_flag("--json", a->json, "print one JSON object");
  command->add_flag("-q,--quiet", a->quiet, "do not say how the data were read, nor the error when labels are present");
  command->option_defaults()->group("Run");
  command->add_option("--threads", a->threads, "threads (default: one a core)")->check(whole_number(1, 4096));
  command->callback([a] { run(*a); });
}

}  // namespace cavity::cli
