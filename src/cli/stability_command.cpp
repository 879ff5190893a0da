#include <fmt/format.h>

#include <memory>
#include <ostream>

#include "cavity/errors.hpp"
#include "cavity/report.hpp"
#include "cavity/stability.hpp"
#include "cli/commands.hpp"
#include "cli/fit_arguments.hpp"
#include "file/atomic_file.hpp"

namespace cavity::cli {

namespace {

struct StabilityArguments {
  FitArguments fit;
  StabilityOptions options;
  double rate = 0;
  const CLI::Option* fdr = nullptr;
};

void declare(CLI::App& c, StabilityArguments& a) {
  c.add_option("data", a.fit.file, "the data, as for cavity fit")->required();
  c.option_defaults()->group("Stability");
  c.add_option("--pairs", a.options.pairs, "pairs of halves that have no sample in common (default: 50)")
      ->check(whole_number(1, 1000000));
  auto* selected = c.add_option("--selected", a.options.selected,
                                "a half selects so many features, those most included (default: 10)")
                       ->check(whole_number(1));
  a.fdr = c.add_option("--fdr", a.rate, "a half selects the list with this expected share of false features")
              ->excludes(selected);
  c.add_option("--threshold", a.options.threshold, "share of halves that makes a feature stable (default: 0.6)");
  c.add_flag("--analytic", a.options.analytic,
             "gamp: the average over all halves without drawing one, for features that are nearly independent");
  c.option_defaults()->group("Output");
  c.add_option("-o,--output", a.fit.output, "write a line a feature to this CSV file");
  c.add_option("--report", a.fit.report, "write the page of the fit, with a section on stability, to this file");
  c.add_option("--top", a.fit.top, "features listed (default: 10)")->check(whole_number(0));
  c.add_flag("--json", a.fit.json, "print one JSON object");
  c.add_flag("-q,--quiet", a.fit.quiet, "no progress, no summary");
  a.fit.blocks.add(c);
  declare_fit_options(c, a.fit);
}

int run(StabilityArguments& a) {
  if (a.fit.method != "sbc") throw UsageError("halves are solved for --method sbc alone");
  resolve_fit_options(a.fit);
  a.options.fit = a.fit.options;
  if (a.fdr->count() > 0) a.options.rate = a.rate;
  if (progress_wanted(a.fit.quiet))
    a.options.progress = [](std::size_t done, std::size_t all) {
      say_over(done < all ? fmt::format("half {}/{}", done, all) : "");
      return true;
    };
  a.fit.read.options.compact = true;
  Dataset data = read_fit_data(a.fit);
  take_class_prior(a.fit.class_prior, data, a.options.fit);
  Stability result = stability(std::move(data), a.options);
  result.fit = spell_options(std::move(result.fit), OptionStyle::flags);
  if (!a.fit.output.empty())
    write_file_atomically(a.fit.output, [&](std::ostream& out) { out << stability_csv(result); });
  if (!a.fit.report.empty()) {
    const std::string page = stability_page(result, {a.fit.file, a.fit.command, a.options.fit});
    write_file_atomically(a.fit.report, [&](std::ostream& out) { out << page; });
    if (!a.fit.quiet) say(fmt::format("report written to {}\n", a.fit.report));
  }
  const auto top = static_cast<std::size_t>(a.fit.top);
  if (a.fit.json)
    print(stability_json(result, top));
  else if (!a.fit.quiet)
    print(stability_text(result, top));
  remove_checkpoint(a.options);
  const bool converged = result.fit.converged();
  if (!converged) say("cavity: no grid cell converged\n");
  return converged ? 0 : 4;
}

}  // namespace

void add_stability_command(CLI::App& app, const std::string& command_line, int& exit_code) {
  auto arguments = std::make_shared<StabilityArguments>();
  CLI::App* command =
      app.add_subcommand("stability", "would other samples have given the same features? The fit on random halves");
  declare(*command, *arguments);
  command->callback([arguments, &command_line, &exit_code] {
    arguments->fit.command = command_line;
    exit_code = run(*arguments);
  });
}

}  // namespace cavity::cli
