#include <fmt/format.h>

#include <memory>
#include <ostream>

#include "cavity/model_file.hpp"
#include "cavity/report.hpp"
#include "cavity/validate.hpp"
#include "cli/block_flags.hpp"
#include "cli/commands.hpp"
#include "cli/model_reading.hpp"
#include "cli/outputs.hpp"
#include "file/atomic_file.hpp"
#include "report/html_report.hpp"
#include "report/measured_report.hpp"
#include "report/validation_report.hpp"
#include "report/verdict.hpp"

namespace cavity::cli {

namespace {

struct ValidateArguments {
  std::string model, file, by, report, command;
  ReadFlags read;
  BlockFlags blocks;
  ValidateOptions options;
  bool json = false, quiet = false;
};

void write_report(const ValidateArguments& a, const Validation& validation) {
  const std::string page = html_report(validation_page_data(validation, {a.model, a.file, a.command, a.by}));
  write_file_atomically(a.report, [&](std::ostream& out) { out << page; });
  if (!a.quiet) say(fmt::format("report written to {}\n", a.report));
}

void run(ValidateArguments a) {
  if (!a.report.empty()) require_report_page();
  std::vector<NamedFile> inputs = files_read(a.file, a.read.options);
  inputs.push_back({"the model", a.model});
  check_outputs(inputs, {{"--report", a.report}});
  const Model model = load_model(a.model);
  if (!a.by.empty()) a.read.options.group = a.by;
  Dataset data = read_blocks(a.blocks.files(a.file, model), reading_for(model, a.read, a.options.predict));
  if (!a.quiet) say_notes(data);
  const Validation validation = validate(model, std::move(data), a.options);
  if (!a.quiet)
    for (const std::string& line : measured_lines(validation.measured))
      say(spell_options(line, OptionStyle::flags) + "\n");
  if (const std::string doubt = not_shown_words(model); !doubt.empty() && !a.quiet)
    say(doubt + ": what the fit promised is not shown to be better than guessing\n");
  if (!a.report.empty()) write_report(a, validation);
  print(a.json ? validation_json(validation) : validation_text(validation, a.by));
}

}  // namespace

void add_validate_command(CLI::App& app, const std::string& command_line) {
  auto a = std::make_shared<ValidateArguments>();
  CLI::App* command = app.add_subcommand("validate", "a model on labelled samples of another cohort");
  command->add_option("model", a->model, "model file written by fit")->required();
  command->add_option("data", a->file, "labelled samples, in any format that fit reads; - is standard input")
      ->required();
  a->read.add(*command);
  a->blocks.add(*command);
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
  command->add_option("--report", a->report, "write a self-contained web page to this file");
  command->add_flag("--json", a->json, "print one JSON object");
  command->add_flag("-q,--quiet", a->quiet, "do not say how the data were read, nor what was absent");
  command->option_defaults()->group("Run");
  command->add_option("--threads", a->options.predict.threads, "threads (default: one a core)")
      ->check(whole_number(1, 4096));
  command->callback([a, &command_line] {
    a->command = command_line;
    run(*a);
  });
}

}  // namespace cavity::cli
