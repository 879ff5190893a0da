#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>

#include "cavity/linear_score.hpp"
#include "cavity/model_file.hpp"
#include "cavity/onnx.hpp"
#include "cli/commands.hpp"
#include "cli/model_reading.hpp"
#include "cli/outputs.hpp"
#include "file/atomic_file.hpp"
#include "file/messages.hpp"
#include "report/csv_field.hpp"
#include "report/json_parts.hpp"
#include "report/verdict.hpp"

namespace cavity::cli {

namespace {

struct ScoreArguments {
  std::string model, file, onnx;
  ReadFlags read;
  bool json = false, quiet = false;
};

std::string as_csv(const LinearScore& score) {
  const bool by_feature = score.transform == Transform::feature_asinh;
  std::string out = fmt::format("term,weight,if_missing{}\nintercept,{},{}\n", by_feature ? ",median,spread" : "",
                                score.intercept, by_feature ? ",," : "");
  for (const auto* terms : {&score.covariates, &score.features})
    for (const auto& term : *terms) {
      out += fmt::format("{},{},{}", csv_field(term.name), term.weight, term.mean);
      if (by_feature && terms == &score.features) out += fmt::format(",{},{}", term.median, term.spread);
      if (by_feature && terms != &score.features) out += ",,";
      out += "\n";
    }
  return out;
}

std::string as_json(const LinearScore& score, const std::optional<ScoreAgreement>& agreement) {
  nlohmann::ordered_json out = {{"intercept", score.intercept}, {"transform", to_string(score.transform)}};
  for (const auto& [key, terms] :
       {std::pair("covariates", &score.covariates), std::pair("features", &score.features)}) {
    out[key] = nlohmann::ordered_json::array();
    for (const auto& term : *terms) {
      out[key].push_back({{"name", term.name}, {"weight", term.weight}, {"if_missing", term.mean}});
      if (score.transform != Transform::feature_asinh || terms != &score.features) continue;
      out[key].back()["median"] = term.median;
      out[key].back()["spread"] = term.spread;
    }
  }
  out["equal_labels"] = agreement ? nlohmann::ordered_json(agreement->equal_labels) : nullptr;
  out["correlation"] = agreement ? nlohmann::ordered_json(agreement->correlation) : nullptr;
  return document(out);
}

void explain(const LinearScore& score, const Model& model, const std::optional<ScoreAgreement>& agreement) {
  if (const std::string doubt = not_shown_words(model); !doubt.empty())
    say(doubt + ": weights are what chance leaves over\n");
  const char* value = score.transform == Transform::log1p           ? "ln(1 + value)"
                      : score.transform == Transform::feature_asinh ? "asinh((value - median)/spread)"
                                                                    : "value";
  say(fmt::format("score = intercept + sum of weight x {}; above 0: {}, else {}\n", value, plain(model.class_names[1]),
                  plain(model.class_names[0])));
  if (agreement)
    say(fmt::format(
        "agrees with the classifier on {:.1f} % of the labels, rank correlation {:.4f} with its probabilities\n",
        100 * agreement->equal_labels, agreement->correlation));
  else
    say("give data to see how well it agrees with the classifier: cavity score MODEL DATA\n");
}

void run(const ScoreArguments& a) {
  std::vector<NamedFile> inputs = files_read(a.file, a.read.options);
  inputs.push_back({"the model", a.model});
  check_outputs(inputs, {{"--onnx", a.onnx}});
  const Model model = load_model(a.model);
  const LinearScore score = linear_score(model);
  std::optional<ScoreAgreement> agreement;
  if (!a.file.empty()) {
    Dataset data = read_dataset(a.file, reading_for(model, a.read, 0));
    if (!a.quiet) say_notes(data);
    agreement = score_agreement(score, model, std::move(data));
  }
  if (!a.onnx.empty()) {
    const std::string bytes = onnx_bytes(score, model.class_names);
    write_file_atomically(a.onnx, [&](std::ostream& out) { out << bytes; });
    if (!a.quiet) say(fmt::format("ONNX graph written to {}\n", a.onnx));
  }
  print(a.json ? as_json(score, agreement) : as_csv(score));
  if (!a.quiet) explain(score, model, agreement);
}

}  // namespace

void add_score_command(CLI::App& app) {
  auto a = std::make_shared<ScoreArguments>();
  CLI::App* command = app.add_subcommand("score", "the model as one weighted sum, for a spreadsheet");
  command->add_option("model", a->model, "model file written by fit")->required();
  command->add_option("data", a->file,
                      "samples on which the score is compared with the classifier; - is standard input");
  a->read.add(*command);
  command->option_defaults()->group("Output");
  command->add_option("--onnx", a->onnx, "write the sum as an ONNX graph to this file");
  command->add_flag("--json", a->json, "print a JSON object");
  command->add_flag("-q,--quiet", a->quiet, "only the weights");
  command->callback([a] { run(*a); });
}

}  // namespace cavity::cli
