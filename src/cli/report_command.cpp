#include <memory>

#include "cavity/model_file.hpp"
#include "cavity/study_sheet.hpp"
#include "cli/commands.hpp"
#include "cli/outputs.hpp"

namespace cavity::cli {

namespace {

struct ReportArguments {
  std::string model;
  bool tripod = false;
};

}  // namespace

void add_report_command(CLI::App& app) {
  auto a = std::make_shared<ReportArguments>();
  CLI::App* command = app.add_subcommand("report", "what a model file knows of its study, as Markdown");
  command->add_option("model", a->model, "model file written by fit")->required();
  command->add_flag("--tripod", a->tripod, "the items of TRIPOD+AI, blanks marked, instead of a model card");
  command->callback([a] {
    const Model model = load_model(a->model);
    print(a->tripod ? tripod_sheet(model) : model_card(model));
  });
}

}  // namespace cavity::cli
