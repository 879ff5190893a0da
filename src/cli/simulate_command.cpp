#include <fmt/format.h>

#include <memory>
#include <ostream>

#include "base/atomic_file.hpp"
#include "cavity/simulate.hpp"
#include "cli/commands.hpp"
#include "data/write_csv.hpp"

namespace cavity::cli {

namespace {

struct SimulateArguments {
  SimulationOptions options;
  std::string output = "-", teacher_file;
};

void run(const SimulateArguments& a) {
  const Simulation made = simulate(a.options);
  write_csv(made.data, a.output);
  if (a.teacher_file.empty()) return;
  write_file_atomically(a.teacher_file, [&](std::ostream& out) {
    out << "feature,weight\n";
    for (std::size_t l = 0; l < made.teacher.size(); ++l)
      out << fmt::format("{},{}\n", made.data.feature_names[l], made.teacher[l]);
  });
}

}  // namespace

void add_simulate_command(CLI::App& app) {
  auto a = std::make_shared<SimulateArguments>();
  CLI::App* command =
      app.add_subcommand("simulate", "teacher-student data: spherical inputs, a sparse teacher, label noise");
  command->add_option("--samples", a->options.samples, "samples")->required();
  command->add_option("--features", a->options.features, "features")->required();
  command->add_option("--teacher", a->options.teacher, "density of the teacher, in (0, 1]");
  command->add_option("--noise", a->options.noise, "label-flip probability, in [0, 0.5)");
  command->add_option("--seed", a->options.seed, "seed");
  command->add_option("-o,--output", a->output, "CSV file (default: standard output)");
  command->add_option("--teacher-file", a->teacher_file, "write the teacher's weights to this CSV");
  command->callback([a] { run(*a); });
}

}  // namespace cavity::cli
