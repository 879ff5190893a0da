#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <ostream>

#include "cavity/errors.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/outputs.hpp"
#include "file/atomic_file.hpp"
#include "report/html_report.hpp"
#include "report/json_parts.hpp"
#include "reproduce/figures.hpp"

namespace cavity::cli {

namespace {

struct ReproduceArguments {
  std::string what, command, folder = "reproduced";
  ReproduceOptions options;
  bool json = false, quiet = false;
};

struct Part {
  const char* name;
  Section (*make)(const ReproduceOptions&);
};
constexpr Part parts[] = {
    {"fig1", reproduce_fig1}, {"fig3", reproduce_fig3}, {"fig4", reproduce_fig4}, {"table1", reproduce_table1}};

// --data, the folder named by CAVITY_DATA, or ../shared/data.
std::string find_colon(const std::string& given) {
  if (!given.empty()) return given;
  const char* folder = std::getenv("CAVITY_DATA");
  std::string path = std::string(folder ? folder : "../shared/data") + "/colon.csv.gz";
  if (std::filesystem::exists(path)) return path;
  throw InputError(fmt::format(
      "table1 needs the colon data of Alon et al. (1999), which is not at {}: export `alon` of the R package "
      "datamicroarray as CSV (first column label, then the 2000 genes) and name it with --data, or set CAVITY_DATA to "
      "its folder as colon.csv.gz",
      path));
}

/// Those whose names are known before the work.
std::vector<NamedFile> files_of(const std::vector<Part>& wanted, const std::filesystem::path& folder) {
  std::vector<NamedFile> out = {{"--out", (folder / "index.html").string()}};
  for (const Part& part : wanted)
    for (const char* ending : {".csv", ".svg"})
      out.push_back({"--out", (folder / (part.name + std::string(ending))).string()});
  return out;
}

void save(const std::string& folder, const std::string& name, const std::string& content) {
  write_file_atomically((std::filesystem::path(folder) / name).string(), [&](std::ostream& out) { out << content; });
}

void run(ReproduceArguments& a) {
  std::vector<Part> wanted;
  for (const Part& part : parts)
    if (a.what == "all" || a.what == part.name) wanted.push_back(part);
  if (wanted.empty()) throw UsageError(fmt::format("'{}': use one of fig1, fig3, fig4, table1, all", a.what));
  if (a.what == "all" || a.what == "table1") a.options.colon = find_colon(a.options.colon);
  std::error_code failure;
  std::filesystem::create_directories(a.folder, failure);
  if (failure) throw IoError(fmt::format("cannot make the folder {}: {}", a.folder, failure.message()));
  check_outputs({{"the data", a.options.colon}}, files_of(wanted, a.folder));
  a.options.split_log = (std::filesystem::path(a.folder) / "table1.csv").string();
  if (progress_wanted(a.quiet))
    a.options.progress = [](const std::string& what, double share) {
      say_over(share < 1 ? fmt::format("{} {:.0f} %", what, 100 * share) : "");
    };
  std::vector<Section> sections;
  nlohmann::ordered_json numbers;
  for (const Part& part : wanted) {
    sections.push_back(part.make(a.options));
    const Section& section = sections.back();
    for (const auto& file : section.files()) save(a.folder, file.name, file.content);
    numbers[part.name] = section.numbers;
    if (!a.json) print(section.title() + "\n" + section.text() + "\n");
  }
  if (a.json) print(document(numbers));
  if (!has_report_page()) {
    say(fmt::format("CSV and SVG written to {}; no page: this build has none (npm was missing)\n", a.folder));
    return;
  }
  save(a.folder, "index.html", html_report(reproduce_page_data(sections, a.options, a.command)));
  if (!a.quiet) say(fmt::format("written to {}\n", (std::filesystem::path(a.folder) / "index.html").string()));
}

}  // namespace

void add_reproduce_command(CLI::App& app, const std::string& command_line) {
  auto a = std::make_shared<ReproduceArguments>();
  CLI::App* command = app.add_subcommand("reproduce", "the paper's figures and table: CSV, SVG and one HTML page");
  command->add_option("what", a->what, "fig1, fig3, fig4, table1 or all")->required();
  command->option_defaults()->group("What is computed");
  command->add_flag("--quick", a->options.quick, "smaller problems, fewer repetitions");
  command->add_option("--data", a->options.colon, "the colon data for table1 (default: $CAVITY_DATA/colon.csv.gz)");
  command->add_option("--splits", a->options.splits, "splits of table1 (default: 200)")->check(whole_number(2, 100000));
  command->add_option("--seed", a->options.seed, "seed of data and splits (default: 1)")
      ->check(whole_number(0, INT64_MAX));
  command->option_defaults()->group("Output");
  command->add_option("--out", a->folder, "folder for the files (default: reproduced)");
  command->add_flag("--json", a->json, "print the key numbers as JSON");
  command->add_flag("-q,--quiet", a->quiet, "no progress");
  command->option_defaults()->group("Run");
  command->add_flag("--resume", a->options.resume, "continue the table1.csv of an earlier run");
  command->add_option("--threads", a->options.threads, "threads (default: one a core)")->check(whole_number(1, 4096));
  command->callback([a, &command_line] {
    a->command = command_line;
    run(*a);
  });
}

}  // namespace cavity::cli
