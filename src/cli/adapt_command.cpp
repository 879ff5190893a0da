#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>

#include "cavity/adapt.hpp"
#include "cavity/errors.hpp"
#include "cavity/model_file.hpp"
#include "cavity/report.hpp"
#include "cli/commands.hpp"
#include "cli/model_reading.hpp"
#include "cli/outputs.hpp"
#include "report/adapt_report.hpp"
#include "report/measured_report.hpp"

namespace cavity::cli {

namespace {

struct AdaptArguments {
  std::string model, file, output;
  ReadFlags read;
  AdaptOptions options;
  std::vector<double> prior;
  bool json = false, quiet = false;
};

/// Of two classes the share of the positive one is enough.
std::vector<double> shares_of(std::vector<double> given, std::size_t classes) {
  if (classes == 2 && given.size() == 1) given.insert(given.begin(), 1 - given.front());
  return given;
}

Adapted adapted_by(const AdaptArguments& a, const Model& model) {
  if (a.file.empty() == a.prior.empty())
    throw UsageError("adapt takes labelled samples of the site, or --class-prior, one of them");
  if (!a.prior.empty()) return adapt_to_class_prior(model, shares_of(a.prior, model.class_names.size()));
  Dataset data = read_dataset(a.file, reading_for(model, a.read, a.options.predict));
  if (!a.quiet) say_notes(data);
  return adapt(model, std::move(data), a.options);
}

void run(const AdaptArguments& a) {
  std::vector<NamedFile> inputs = files_read(a.file, a.read.options);
  inputs.push_back({"the model", a.model});
  check_outputs(inputs, {{"--output", a.output}});
  const Model model = load_model(a.model);
  const Adapted made = adapted_by(a, model);
  save_model(made.model, a.output);
  if (a.json)
    print(adaptation_json(made.how, model.class_names));
  else if (!a.quiet)
    print(adaptation_text(made.how, model.class_names));
}

}  // namespace

void add_adapt_command(CLI::App& app) {
  auto a = std::make_shared<AdaptArguments>();
  CLI::App* command =
      app.add_subcommand("adapt", "a model for another site, from few labelled samples or class shares");
  command->add_option("model", a->model, "model file written by fit")->required();
  command->add_option("data", a->file,
                      "labelled samples of the site, in any format that fit reads; - is standard input");
  command->add_option("-o,--output", a->output, "write the adapted model here")->required();
  a->read.add(*command);
  add_predict_options(*command, a->options.predict);
  command->option_defaults()->group("What changes");
  command->add_flag("--slope", a->options.slope, "how sure the probabilities are, beside how often each class comes");
  command
      ->add_option("--class-prior", a->prior,
                   "no samples: the share of the positive class at the site, or of every class, a comma list")
      ->delimiter(',');
  command->option_defaults()->group("Output");
  command->add_flag("--json", a->json, "print one JSON object");
  command->add_flag("-q,--quiet", a->quiet, "no summary");
  command->option_defaults()->group("Run");
  command->add_option("--threads", a->options.predict.threads, "threads (default: one a core)")
      ->check(whole_number(1, 4096));
  command->callback([a] { run(*a); });
}

}  // namespace cavity::cli
