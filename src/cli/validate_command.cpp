#include <memory>

#include "cavity/model_file.hpp"
#include "cavity/report.hpp"
#include "cavity/validate.hpp"
#include "cli/commands.hpp"
#include "cli/model_reading.hpp"
#include "report/measured_report.hpp"
#include "report/validation_report.hpp"

namespace cavity::cli {

namespace {

struct ValidateArguments {
  std::string model, file, by;
  ReadFlags read;
  ValidateOptions options;
  bool json = false, quiet = false;
};

void run(ValidateArguments a) {
  const Model model = load_model(a.model);
  if (!a.by.empty()) a.read.options.group = a.by;
  Dataset data = read_dataset(a.file, reading_for(model, a.read, a.options.predict));
  if (!a.quiet) say_notes(data);
  const Validation validation = validate(model, std::move(data), a.options);
  if (!a.quiet)
    for (const std::string& line : measured_lines(validation.measured))
      say(spell_options(line, OptionStyle::flags) + "\n");
  print(a.json ? validation_json(validation) : validation_text(validation, a.by));
}

}  // namespace

void add_validate_command(CLI::App& app) {
  auto a = std::make_shared<ValidateArguments>();
  CLI::App* command = app.add_subcommand("validate", "a model on labelled samples of another cohort");
  command->add_option("model", a->model, "model file written by fit")->required();
  command->add_option("data", a->file, "labelled samples, in any format that fit reads; - is standard input")
      ->required();
  a->read.add(*command);
  add_predict_options(*command, a->options.predict);
  command->option_defaults()->group("Figures");
  command->add_option("--by", a->by, "figures by subgroup: a column (such as the site) of the table or of the sheet");
  command
      ->add_option("--threshold", a->options.thresholds,
                   "call a sample positive from these probabilities on, a comma list: sensitivity, specificity, "
                   "predictive values and net benefit of each")
      ->delimiter(',')
      ->capture_default_str();
  command->option_defaults()->group("Output");
  command->add_flag("--json", a->json, "print one JSON object");
  command->add_flag("-q,--quiet", a->quiet, "do not say how the data were read, nor what was absent");
  command->option_defaults()->group("Run");
  command->add_option("--threads", a->options.predict.threads, "threads (default: one a core)")
      ->check(whole_number(1, 4096));
  command->callback([a] { run(*a); });
}

}  // namespace cavity::cli
