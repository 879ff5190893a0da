#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <ostream>

#include "cavity/errors.hpp"
#include "cavity/model_file.hpp"
#include "cavity/panel_report.hpp"
#include "cavity/report.hpp"
#include "cli/commands.hpp"
#include "cli/fit_arguments.hpp"
#include "cli/outputs.hpp"
#include "cli/panel_files.hpp"
#include "file/atomic_file.hpp"

namespace cavity::cli {

namespace {

struct PanelArguments {
  FitArguments fit;
  PanelOptions options;
  std::string sizes, must, never, from, normalise, cost;
  const CLI::Option* most = nullptr;
};

void declare(CLI::App& c, PanelArguments& a) {
  c.add_option("data", a.fit.file, "the data, as for cavity fit")->required();
  c.option_defaults()->group("Panel");
  c.add_option("--sizes", a.sizes, "sizes listed: 1,2,3,5,10 (default: every one up to --most)");
  a.most = c.add_option("--most", a.options.most, "features of the largest panel (default: 20, or the last of --sizes)")
               ->check(whole_number(1, 1000));
  c.add_option("--size", a.options.size,
               "features of the panel whose members are listed and that -o writes (default: the suggested size)")
      ->check(whole_number(1, 1000));
  c.add_option("--must", a.must, "features that come first in every panel: GENE,GENE");
  c.add_option("--never", a.never, "features that are in no panel: GENE,GENE");
  c.add_option("--from", a.from, "file with a feature a line: only these are candidates");
  c.add_option("--normalise", a.normalise,
               "housekeeping features, GENE,GENE: their mean is taken off every sample first, off the logarithms where "
               "panels take those; each panel needs them");
  c.add_option("--cost", a.cost, "file with a line a feature, name,price (others: 1); gains are divided by it");
  c.add_option("--folds", a.options.folds, "parts of the samples, each left out of fit and search (default: 10)")
      ->check(whole_number(2, 1000));
  c.add_option("--repeats", a.options.repeats, "times that folds are dealt (default: 3 up to 50 samples, else 1)")
      ->check(whole_number(1, 1000));
  c.add_option("--margin", a.options.margin, "nats a sample that a stand-in may lose (default: 0.02)");
  c.option_defaults()->group("Output");
  c.add_option("-o,--output", a.fit.output,
               "write the panel of --size as a model that needs its features alone; with {size} in the name one of "
               "each of --sizes");
  c.add_option("--report", a.fit.report, "write a self-contained web page to this file");
  c.add_flag("--json", a.fit.json, "print one JSON object");
  c.add_flag("-q,--quiet", a.fit.quiet, "no progress, no summary");
  declare_fit_options(c, a.fit);
}

std::vector<std::size_t> parse_sizes(const std::string& text) {
  std::vector<std::size_t> out;
  if (text.empty()) return out;
  for (const double size : parse_numbers(text, "--sizes")) {
    if (!(size >= 1 && size <= 1000 && size == std::floor(size)))
      throw UsageError(fmt::format("--sizes: {:g} is not a whole number from 1 to 1000", size));
    out.push_back(static_cast<std::size_t>(size));
  }
  return out;
}

void resolve(PanelArguments& a, const std::vector<std::size_t>& sizes) {
  if (a.fit.method != "sbc") throw UsageError("panels are projections of --method sbc alone");
  resolve_fit_options(a.fit);
  if (!sizes.empty() && a.most->count() == 0)
    a.options.most = std::max(*std::ranges::max_element(sizes), a.options.size);
  a.options.must = parse_names(a.must);
  a.options.never = parse_names(a.never);
  a.options.normalise = parse_names(a.normalise);
  if (!a.from.empty()) a.options.from = read_names(a.from);
  if (!a.cost.empty()) a.options.price = read_prices(a.cost);
  a.options.fit = a.fit.options;
  if (progress_wanted(a.fit.quiet))
    a.options.progress = [](std::size_t done, std::size_t all) {
      say_over(done < all ? fmt::format("fold {}/{}", done, all) : "");
      return true;
    };
}

/// Where the name holds {size} a file each of the sizes that are listed. Returns what was written.
std::string write_models(const std::string& name, std::vector<std::size_t> sizes, const Panel& panel) {
  constexpr std::string_view place = "{size}";
  const std::size_t at = name.find(place);
  if (at == std::string::npos || sizes.empty()) sizes.assign(1, panel.size);
  std::string written;
  for (const std::size_t size : sizes) {
    if (size > panel.sizes.size()) continue;
    std::string file = name;
    if (at != std::string::npos) file.replace(at, place.size(), std::to_string(size));
    save_model(panel_model(panel, size), file);
    written += fmt::format("panel of {} written to {}\n", size, file);
  }
  return written;
}

void write_report(const FitArguments& a, const Panel& panel) {
  const std::string page = panel_page(panel, {a.file, a.command, a.options});
  write_file_atomically(a.report, [&](std::ostream& out) { out << page; });
  if (!a.quiet) say(fmt::format("report written to {}\n", a.report));
}

int run(PanelArguments& a) {
  const std::vector<std::size_t> sizes = parse_sizes(a.sizes);
  resolve(a, sizes);
  if (!a.fit.report.empty()) require_report_page();  // before the work, not after it
  check_outputs(files_read(a.fit.file, a.fit.read.options), {{"-o", a.fit.output}, {"--report", a.fit.report}});
  Dataset data = read_dataset(a.fit.file, a.fit.read.resolved(a.options.fit.threads));
  take_class_prior(a.fit.class_prior, data, a.options.fit);
  Panel result = panel(std::move(data), a.options);
  const std::string written = a.fit.output.empty() ? "" : write_models(a.fit.output, sizes, result);
  if (!a.fit.report.empty()) write_report(a.fit, result);
  result.fit = spell_options(std::move(result.fit), OptionStyle::flags);
  if (a.fit.json)
    print(panel_json(result));
  else if (!a.fit.quiet)
    print(panel_text(result, sizes));
  remove_checkpoint(a.options.fit.checkpoint);
  if (!a.fit.quiet) say(written);
  const bool converged = result.fit.converged();
  if (!converged) say("cavity: no grid cell converged\n");
  return converged ? 0 : 4;
}

}  // namespace

void add_panel_command(CLI::App& app, const std::string& command_line, int& exit_code) {
  auto arguments = std::make_shared<PanelArguments>();
  CLI::App* command = app.add_subcommand("panel", "the few features that do the work, and what each one fewer costs");
  declare(*command, *arguments);
  command->callback([arguments, &command_line, &exit_code] {
    arguments->fit.command = command_line;
    exit_code = run(*arguments);
  });
}

}  // namespace cavity::cli
