#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>

#include "cavity/errors.hpp"
#include "cavity/simulate.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/outputs.hpp"
#include "file/atomic_file.hpp"
#include "report/csv_field.hpp"
#include "report/json_parts.hpp"
#include "simulate/write_csv.hpp"
#include "simulate/write_npy.hpp"

namespace cavity::cli {

namespace {

struct SimulateArguments {
  SimulationOptions options;
  std::string output = "-", labels_file, teacher_file, names = "numbered", classes;
  bool json = false;
};

void resolve(SimulateArguments& a) {
  if (a.names != "numbered" && a.names != "genes")
    throw UsageError(fmt::format("unknown names '{}': use numbered or genes", a.names));
  a.options.names = a.names == "genes" ? FeatureNames::genes : FeatureNames::numbered;
  if (!a.labels_file.empty() && a.output == "-") throw UsageError("--labels: a .npy needs a file, give -o");
  if (a.json && a.output == "-") throw UsageError("--json: the table needs a file, give -o");
  check_outputs({}, {{"-o", a.output}, {"--labels", a.labels_file}, {"--teacher-file", a.teacher_file}});
  if (a.classes.empty()) return;
  const std::size_t comma = a.classes.find(',');
  if (comma == std::string::npos || comma != a.classes.rfind(',') || comma == 0 || comma + 1 == a.classes.size())
    throw UsageError(fmt::format("--classes '{}': give two names, the negative class first: healthy,ill", a.classes));
  a.options.class_names = {a.classes.substr(0, comma), a.classes.substr(comma + 1)};
}

std::string as_json(const SimulateArguments& a, const Simulation& made) {
  auto classes = nlohmann::ordered_json::array();
  for (std::size_t k = 0; k < made.data.class_names.size(); ++k)
    classes.push_back({{"name", made.data.class_names[k]},
                       {"count", std::count(made.data.classes.begin(), made.data.classes.end(), k)}});
  const auto relevant = std::count_if(made.teacher.begin(), made.teacher.end(), [](double w) { return w != 0; });
  return document({{"samples", made.data.samples()},
                   {"features", a.options.features},
                   {"relevant", relevant},
                   {"classes", std::move(classes)},
                   {"teacher", a.options.teacher},
                   {"noise", a.options.noise},
                   {"seed", a.options.seed}});
}

void write_teacher(const Simulation& made, const std::string& path) {
  write_file_atomically(path, [&](std::ostream& out) {
    out << "feature,weight\n";
    for (std::size_t l = 0; l < made.teacher.size(); ++l)
      out << fmt::format("{},{}\n", csv_field(made.data.feature_names[l]), made.teacher[l]);
  });
}

void run(SimulateArguments& a) {
  resolve(a);
  const Simulation made = simulate(a.options);
  if (a.labels_file.empty()) {
    write_csv(made.data, a.output);
  } else {
    write_npy(made.data, a.output);
    write_labels(made.data, a.labels_file);
  }
  if (!a.teacher_file.empty()) write_teacher(made, a.teacher_file);
  if (a.json) print(as_json(a, made));
}

}  // namespace

void add_simulate_command(CLI::App& app) {
  auto a = std::make_shared<SimulateArguments>();
  CLI::App* command =
      app.add_subcommand("simulate", "teacher-student data: spherical inputs, a sparse teacher, label noise");
  command->option_defaults()->group("Data");
  command->add_option("--samples", a->options.samples, "samples")->required()->check(whole_number(1));
  command->add_option("--features", a->options.features, "features")->required()->check(whole_number(1));
  command
      ->add_option("--skip", a->options.skip,
                   "leave out this many samples first: more of the same teacher (default: 0)")
      ->check(whole_number(0));
  command->add_option("--teacher", a->options.teacher, "density of the teacher, in (0, 1] (default: 0.1)");
  command->add_option("--noise", a->options.noise, "label-flip probability, in [0, 0.5) (default: 0)");
  command->add_option("--seed", a->options.seed, "seed (default: 1)")->check(whole_number(0, INT64_MAX));
  command->add_option("--names", a->names, "numbered (x1, x2, ...) or genes (default: numbered)");
  command->add_option("--classes", a->classes, "names of the classes, the negative one first (default: -1,1)");
  command->option_defaults()->group("Output");
  command->add_option("-o,--output", a->output, "CSV file, or .npy with --labels (default: standard output)");
  command->add_option("--labels", a->labels_file, "write the labels here, one a line, and the output as .npy");
  command->add_option("--teacher-file", a->teacher_file, "write the teacher's weights to this CSV");
  command->add_flag("--json", a->json, "print one JSON object beside the file");
  command->callback([a] { run(*a); });
}

}  // namespace cavity::cli
