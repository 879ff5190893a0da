#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <span>

#include "cavity/compare.hpp"
#include "cavity/errors.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/outputs.hpp"
#include "compare/split_log.hpp"
#include "file/atomic_file.hpp"
#include "file/checksum.hpp"
#include "report/compare_report.hpp"
#include "report/html_report.hpp"
#include "report/json_parts.hpp"

namespace cavity::cli {

namespace {

using Json = nlohmann::ordered_json;

struct CompareArguments {
  std::string file, output, report, command, methods = "sbc-ep,sbl,fda", noise;
  ReadFlags read;
  MethodSettings settings;
  CompareOptions options;
  bool resume = false, json = false, quiet = false;
};

void declare(CLI::App& c, CompareArguments& a) {
  c.add_option("data", a.file, data_formats)->required();
  a.read.add(c);
  c.option_defaults()->group("Data");
  c.add_option("--positive", a.read.options.positive, "the positive class (default: the last in order)");
  c.add_option("--covariates", a.read.covariates, "columns that are always kept, by name: age,sex (not by fda)");
  c.option_defaults()->group("Methods");
  c.add_option("--methods", a.methods,
               "some of sbc (the paper's algorithm), sbc-ep (what fit --solver ep does), sbl, fda, fda-shrunk; the "
               "others are set "
               "against the first (default: sbc-ep,sbl,fda)");
  c.add_option("--noise", a.noise, "label noise of sbc and sbc-ep, a comma list is a grid (default: the grid's own)");
  c.add_flag("--whiten", a.settings.whiten, "whiten to the principal directions of the training part");
  c.add_flag("--paper", a.settings.paper, "every method with the paper's preprocessing, sbc-ep with its grid too");
  c.option_defaults()->group("Splits");
  c.add_option("--splits", a.options.splits, "random splits (default: 200)")->check(whole_number(1, 1000000));
  c.add_option("--train", a.options.train, "training samples a split (default: two thirds)")->check(whole_number(1));
  c.add_flag("--stratified", a.options.stratified, "training parts with the classes in their proportions");
  c.add_option("--seed", a.options.seed, "seed of the splits (default: 1)")->check(whole_number(0, INT64_MAX));
  c.option_defaults()->group("Output");
  c.add_option("-o,--output", a.output, "CSV of every split, valid at any time");
  c.add_option("--report", a.report, "write a self-contained web page to this file");
  c.add_flag("--json", a.json, "print one JSON object");
  c.add_flag("-q,--quiet", a.quiet, "no progress");
  c.option_defaults()->group("Run");
  c.add_flag("--resume", a.resume, "continue the CSV of an earlier run");
  c.add_option("--threads", a.options.threads, "splits at a time (default: one a core)")->check(whole_number(1, 4096));
}

std::vector<CompareMethod> parse_methods(const std::string& text, const MethodSettings& settings) {
  std::vector<CompareMethod> out;
  std::size_t at = 0;
  while (at <= text.size()) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    out.push_back(make_compare_method(text.substr(at, end - at), settings));
    for (std::size_t i = 0; i + 1 < out.size(); ++i)
      if (out[i].name == out.back().name) throw UsageError(fmt::format("method '{}' is named twice", out[i].name));
    at = end + 1;
  }
  return out;
}

/// Those that cannot do what the data ask are skipped, and it is said.
void leave_out_baselines(const CompareArguments& a, const Dataset& data, std::vector<CompareMethod>& methods) {
  if (data.class_names.size() == 2) return;
  std::string skipped;
  for (const CompareMethod& m : methods)
    if (m.baseline) skipped += (skipped.empty() ? "" : ", ") + m.name;
  std::erase_if(methods, [](const CompareMethod& m) { return m.baseline.has_value(); });
  if (methods.empty())
    throw UsageError(fmt::format("{} classes: {} know two; use sbc or sbc-ep", data.class_names.size(), skipped));
  if (!skipped.empty() && !a.quiet)
    say(fmt::format("{} classes: skipped, since made for two: {}\n", data.class_names.size(), skipped));
}

std::string data_checksum(const Dataset& data) {
  Checksum sum;
  const auto add = [&sum](const auto& values) {
    sum.add({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0])});
  };
  const FeatureMatrix& values = data.features.dense();
  add(std::span(values.data(), values.rows * values.cols));
  add(data.classes);
  for (const std::string& name : data.groups) sum.add(fmt::format("{}:{}", name.size(), name));
  return fmt::format("{:016x}", sum.value());
}

// All that the numbers depend on.
Json settings_json(const CompareArguments& a, const Dataset& data) {
  return {{"file", std::filesystem::path(a.file).filename().string()},
          {"data", data_checksum(data)},
          {"covariates", a.read.covariates},
          {"methods", a.methods},
          {"train", training_size(a.options, data.samples())},
          {"stratified", a.options.stratified},
          {"seed", a.options.seed},
          {"noise", a.settings.noise},
          {"whiten", a.settings.whiten},
          {"paper", a.settings.paper},
          {"splits", a.options.splits}};
}

void write_report(const CompareArguments& a, const Comparison& comparison, const Dataset& data) {
  CompareContext context{a.file, a.command, {}, training_size(a.options, data.samples()), data.features.cols(), {}};
  for (std::size_t k = 0; k < data.class_names.size(); ++k) {
    const auto count = std::count(data.classes.begin(), data.classes.end(), k);
    context.classes.emplace_back(data.class_names[k], static_cast<std::size_t>(count));
  }
  context.settings = settings_json(a, data);
  const std::string page = html_report(compare_page_data(comparison, context));
  write_file_atomically(a.report, [&](std::ostream& out) { out << page; });
  if (!a.quiet) say(fmt::format("report written to {}\n", a.report));
}

class ProgressLine {
 public:
  ProgressLine(bool wanted, std::size_t total) : wanted_(wanted), total_(total) {}
  void step() {
    if (!wanted_) return;
    ++done_;
    const double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    say_over(fmt::format("split {}/{}, about {:.0f} s left", done_, total_,
                         spent * static_cast<double>(total_ - done_) / static_cast<double>(done_)));
    if (done_ == total_) say_over("");
  }

 private:
  bool wanted_;
  std::size_t total_, done_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

void run(CompareArguments& a) {
  if (a.resume && a.output.empty()) throw UsageError("--resume needs the CSV to continue: -o FILE");
  if (!a.report.empty()) require_report_page();  // before the hours of work, not after them
  check_outputs(files_read(a.file, a.read.options), {{"-o", a.output}, {"--report", a.report}});
  if (!a.noise.empty()) a.settings.noise = parse_numbers(a.noise, "--noise");
  Comparison comparison{parse_methods(a.methods, a.settings), {}};
  std::vector<Dataset> tables;
  tables.push_back(read_dataset(a.file, a.read.resolved(a.options.threads)));
  leave_out_baselines(a, tables.front(), comparison.methods);
  std::optional<SplitLog> log;
  if (!a.output.empty()) {
    log.emplace(a.output, settings_json(a, tables.front()), comparison.methods.size(), a.resume);
    a.options.skip = log->done_splits();
    comparison.results = log->done();
  }
  std::size_t left = a.options.splits;
  for (const std::size_t split : a.options.skip) left -= split <= a.options.splits;
  ProgressLine progress(progress_wanted(a.quiet), left);
  a.options.finished = [&](const std::vector<SplitResult>& split) {
    if (log) log->append(split);
    progress.step();
  };
  const auto fresh = compare(tables, comparison.methods, a.options);
  comparison.results.insert(comparison.results.end(), fresh.begin(), fresh.end());
  if (log) log->finish(comparison.results);
  if (!a.report.empty()) write_report(a, comparison, tables.front());
  print(a.json ? document(compare_json(comparison)) : compare_text(comparison));
}

}  // namespace

void add_compare_command(CLI::App& app, const std::string& command_line) {
  auto arguments = std::make_shared<CompareArguments>();
  CLI::App* command =
      app.add_subcommand("compare", "methods against each other over random splits, each tuned on the training part");
  declare(*command, *arguments);
  command->callback([arguments, &command_line] {
    arguments->command = command_line;
    run(*arguments);
  });
}

}  // namespace cavity::cli
