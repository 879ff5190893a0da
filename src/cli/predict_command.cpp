#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cavity/fit.hpp"
#include "cavity/model_file.hpp"
#include "cli/commands.hpp"
#include "cli/model_reading.hpp"
#include "report/csv_field.hpp"

namespace cavity::cli {

namespace {

struct PredictArguments {
  std::string model, file;
  ReadFlags read;
  unsigned threads = 0;
  bool json = false, quiet = false;
};

struct Rows {
  std::vector<std::string> sample, truth, class_names;  // truth: empty where it is not known; none of no sample
  Prediction predicted;

  std::size_t classes() const { return class_names.size(); }
  const std::string& label(std::size_t i) const { return class_names[predicted.label[i]]; }
  double probability(std::size_t i, std::size_t k) const { return predicted.probabilities[i * classes() + k]; }
};

/// Class names, a sample; empty where it is not known.
std::vector<std::string> truths(const Dataset& data) {
  std::vector<std::string> out;
  for (const std::int8_t y : data.labels) out.push_back(y == 0 ? "" : data.class_names[y > 0 ? 1 : 0]);
  for (const std::uint32_t k : data.classes) out.push_back(k < data.class_names.size() ? data.class_names[k] : "");
  return out;
}

std::string as_csv(const Rows& rows) {
  const bool several = rows.classes() > 2, truth = !rows.truth.empty();
  std::string out = several ? "sample,label,probability" : "sample,probability,label";
  for (std::size_t k = 0; several && k < rows.classes(); ++k)
    out += "," + csv_field(fmt::format("p_{}", rows.class_names[k]));
  out += truth ? ",truth\n" : "\n";
  for (std::size_t i = 0; i < rows.sample.size(); ++i) {
    const std::string label = csv_field(rows.label(i));
    const double p = rows.predicted.probability[i];
    out += csv_field(rows.sample[i]) + (several ? fmt::format(",{},{}", label, p) : fmt::format(",{},{}", p, label));
    for (std::size_t k = 0; several && k < rows.classes(); ++k) out += fmt::format(",{}", rows.probability(i, k));
    if (truth) out += "," + csv_field(rows.truth[i]);
    out += "\n";
  }
  return out;
}

std::string as_json(const Rows& rows) {
  auto list = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < rows.sample.size(); ++i) {
    nlohmann::ordered_json row = {
        {"sample", rows.sample[i]}, {"probability", rows.predicted.probability[i]}, {"label", rows.label(i)}};
    for (std::size_t k = 0; k < rows.classes(); ++k) row["probabilities"][rows.class_names[k]] = rows.probability(i, k);
    if (!rows.truth.empty() && !rows.truth[i].empty()) row["truth"] = rows.truth[i];
    list.push_back(row);
  }
  return list.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

void report_error(const Rows& rows) {
  std::size_t wrong = 0, known = 0;
  for (std::size_t i = 0; i < rows.truth.size(); ++i) {
    if (rows.truth[i].empty()) continue;
    ++known;
    wrong += rows.label(i) != rows.truth[i] ? 1 : 0;
  }
  say(fmt::format("error {:.4f} ({} of {} samples{})\n", static_cast<double>(wrong) / static_cast<double>(known), wrong,
                  known, known < rows.truth.size() ? " whose label is known" : ""));
}

void run(const PredictArguments& a) {
  const Model model = load_model(a.model);
  Dataset data = read_dataset(a.file, reading_for(model, a.read, a.threads));
  if (!a.quiet) say_notes(data);
  Rows rows{data.sample_names, truths(data), model.class_names, {}};
  rows.predicted = predict(model, std::move(data), a.threads);
  print(a.json ? as_json(rows) : as_csv(rows));
  if (!rows.truth.empty() && !a.quiet) report_error(rows);
}

}  // namespace

void add_predict_command(CLI::App& app) {
  auto a = std::make_shared<PredictArguments>();
  CLI::App* command = app.add_subcommand("predict", "probabilities and labels of new samples");
  command->add_option("model", a->model, "model file written by fit")->required();
  command->add_option("data", a->file, "new samples, in any format that fit reads; - is standard input")->required();
  a->read.add(*command);
  command->option_defaults()->group("Output");
  command->add_flag("--json", a->json, "print a JSON list");
  command->add_flag("-q,--quiet", a->quiet, "do not say how the data were read, nor the error when labels are present");
  command->option_defaults()->group("Run");
  command->add_option("--threads", a->threads, "threads (default: one a core)")->check(whole_number(1, 4096));
  command->callback([a] { run(*a); });
}

}  // namespace cavity::cli
