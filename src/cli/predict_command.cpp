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
  std::vector<std::string> sample;
  std::vector<std::int8_t> labels;
  std::vector<double> probability;
  std::array<std::string, 2> class_names;

  const std::string& label(std::size_t i) const { return class_names[probability[i] >= 0.5 ? 1 : 0]; }
  /// Empty where it is not known.
  std::string truth(std::size_t i) const { return labels[i] == 0 ? "" : class_names[labels[i] > 0 ? 1 : 0]; }
};

std::string as_csv(const Rows& rows) {
  const bool truth = !rows.labels.empty();
  std::string out = truth ? "sample,probability,label,truth\n" : "sample,probability,label\n";
  for (std::size_t i = 0; i < rows.sample.size(); ++i) {
    out += fmt::format("{},{},{}", csv_field(rows.sample[i]), rows.probability[i], csv_field(rows.label(i)));
    if (truth) out += "," + csv_field(rows.truth(i));
    out += "\n";
  }
  return out;
}

std::string as_json(const Rows& rows) {
  auto list = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < rows.sample.size(); ++i) {
    nlohmann::ordered_json row = {
        {"sample", rows.sample[i]}, {"probability", rows.probability[i]}, {"label", rows.label(i)}};
    if (!rows.labels.empty() && rows.labels[i] != 0) row["truth"] = rows.truth(i);
    list.push_back(row);
  }
  return list.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

void report_error(const Rows& rows) {
  std::size_t wrong = 0, known = 0;
  for (std::size_t i = 0; i < rows.labels.size(); ++i) {
    if (rows.labels[i] == 0) continue;
    ++known;
    wrong += (rows.probability[i] >= 0.5) != (rows.labels[i] > 0) ? 1 : 0;
  }
  say(fmt::format("error {:.4f} ({} of {} samples{})\n", static_cast<double>(wrong) / static_cast<double>(known), wrong,
                  known, known < rows.labels.size() ? " whose label is known" : ""));
}

void run(const PredictArguments& a) {
  const Model model = load_model(a.model);
  Dataset data = read_dataset(a.file, reading_for(model, a.read, a.threads));
  if (!a.quiet) say_notes(data);
  Rows rows;
  rows.sample = data.sample_names;
  rows.labels = data.labels;
  rows.class_names = model.class_names;
  rows.probability = predict(model, std::move(data), a.threads).probability;
  print(a.json ? as_json(rows) : as_csv(rows));
  if (!rows.labels.empty() && !a.quiet) report_error(rows);
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
