#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cavity/fit.hpp"
#include "cavity/model_file.hpp"
#include "cli/block_flags.hpp"
#include "cli/commands.hpp"
#include "cli/model_reading.hpp"
#include "report/json_parts.hpp"
#include "report/measured_report.hpp"
#include "report/result_csv.hpp"
#include "report/verdict.hpp"

namespace cavity::cli {

namespace {

struct PredictArguments {
  std::string model, file;
  ReadFlags read;
  BlockFlags blocks;
  PredictOptions options;
  std::optional<double> confidence;
  bool json = false, quiet = false;
};

std::string as_json(const PredictedSamples& rows) {
  const MeasuredPart& measured = rows.predicted.measured;
  const auto asked = [&rows](auto value) { return rows.sets ? nlohmann::ordered_json(value()) : nullptr; };
  nlohmann::ordered_json out = {{"classes", rows.class_names},
                                {"confidence", asked([&] { return rows.sets->confidence; })},
                                {"measured", measured_json(measured)}};
  auto& list = out["samples"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < rows.sample.size(); ++i) {
    const auto of_sample = [&](const std::vector<double>& values) {
      const auto first = values.begin() + static_cast<std::ptrdiff_t>(i * rows.classes());
      return std::vector<double>(first, first + static_cast<std::ptrdiff_t>(rows.classes()));
    };
    const bool known = !rows.truth.empty() && !rows.truth[i].empty();
    list.push_back({{"sample", rows.sample[i]},
                    {"label", rows.label(i)},
                    {"probabilities", of_sample(rows.predicted.probabilities)},
                    {"set", asked([&] { return rows.set(i); })},
                    {"conformity", asked([&] { return of_sample(rows.sets->conformity); })},
                    {"explained", measured.sample_explained.empty() ? 1.0 : measured.sample_explained[i]},
                    {"truth", known ? nlohmann::ordered_json(rows.truth[i]) : nullptr}});
  }
  return document(out);
}

void run(const PredictArguments& a) {
  const Model model = load_model(a.model);
  Dataset data = read_blocks(a.blocks.files(a.file, model), reading_for(model, a.read, a.options));
  if (!a.quiet) say_notes(data);
  const PredictedSamples rows = predict_samples(model, std::move(data), a.options, a.confidence);
  if (!a.quiet)
    for (const std::string& line : measured_lines(rows.predicted.measured))
      say(spell_options(line, OptionStyle::flags) + "\n");
  if (const std::string doubt = not_shown_words(model); !doubt.empty() && !a.quiet)
    say(doubt + ": these probabilities are not shown to be better than without features\n");
  print(a.json ? as_json(rows) : prediction_csv(rows));
  if (const std::string error = prediction_error(rows); !error.empty() && !a.quiet) say(error + "\n");
  if (const std::string sets = sets_line(rows); !sets.empty() && !a.quiet) say(sets + "\n");
}

}  // namespace

void add_predict_command(CLI::App& app) {
  auto a = std::make_shared<PredictArguments>();
  CLI::App* command = app.add_subcommand("predict", "probabilities and labels of new samples");
  command->add_option("model", a->model, "model file written by fit")->required();
  command->add_option("data", a->file, "new samples, in any format that fit reads; - is standard input")->required();
  a->read.add(*command);
  a->blocks.add(*command);
  add_predict_options(*command, a->options);
  command->option_defaults()->group("Sets of labels");
  command->add_option("--confidence", a->confidence,
                      "beside the label a set of labels that holds the true one at this rate, such as 0.9: none, one "
                      "or several (default: no sets)");
  command->option_defaults()->group("Output");
  command->add_flag("--json", a->json, "print one JSON object");
  command->add_flag("-q,--quiet", a->quiet,
                    "do not say how the data were read, what was absent, nor the error when labels are present");
  command->option_defaults()->group("Run");
  command->add_option("--threads", a->options.threads, "threads (default: one a core)")->check(whole_number(1, 4096));
  command->callback([a] { run(*a); });
}

}  // namespace cavity::cli
