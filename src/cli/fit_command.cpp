#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <ostream>

#include "cavity/baselines.hpp"
#include "cavity/errors.hpp"
#include "cavity/fit.hpp"
#include "cavity/model_file.hpp"
#include "cavity/report.hpp"
#include "cli/commands.hpp"
#include "cli/fit_arguments.hpp"
#include "cli/outputs.hpp"
#include "file/atomic_file.hpp"
#include "file/messages.hpp"
#include "fit/fit_with_shards.hpp"
#include "report/methods.hpp"
#include "search/checkpoint_files.hpp"
#include "search/fit_bounds.hpp"
#include "search/grid.hpp"

namespace cavity::cli {

namespace {

void declare_output(CLI::App& c, FitArguments& a) {
  c.option_defaults()->group("Output");
  c.add_option("-o,--output", a.output, "write the model to this file");
  c.add_option("--top", a.top, "features listed (default: 10)")->check(whole_number(0));
  c.add_option("--report", a.report, "write a self-contained web page to this file");
  a.loo = c.add_option("--loo", a.loo_file,
                       "write every sample's leave-one-out probability to this CSV file; without a file: add it to the "
                       "JSON")
              ->expected(0, 1)
              ->type_name("[FILE]");
  c.add_flag("--json", a.json, "print one JSON object");
  c.add_flag("--methods", a.methods, "print a methods paragraph with the numbers of this fit instead of the summary")
      ->excludes("--json");
  c.add_flag("-q,--quiet", a.quiet, "no progress, no summary");
}

constexpr const char* boundary_help =
    "auto, straight (a weighted sum of features) or bent (distances to the training samples); auto: by how well each "
    "predicts samples left out (default: auto)";

}  // namespace

void declare_fit_options(CLI::App& c, FitArguments& a) {
  a.read.add(c);
  c.option_defaults()->group("Data");
  c.add_option("--positive", a.read.options.positive, "the positive class (default: the last in order)");
  c.add_option("--covariates", a.read.covariates, "columns that are always kept, by name: age,sex");
  c.add_option(
      "--class-prior", a.class_prior,
      "share of the positive class where the classifier will be used, such as 0.05, or of every class, 0.2,0.3,0.5, or "
      "uniform (default: as in the data)");
  c.option_defaults()->group("Genotypes");
  c.add_option("--maf", a.options.preprocessing.least_frequency,
               "genotypes: leave out variants whose rarer allele is rarer than this (default: 0)")
      ->check(CLI::Range(0.0, 0.5));
  c.add_option("--max-missing", a.options.preprocessing.most_missing,
               "genotypes: leave out variants that lack more than this share of their calls (default: 1)")
      ->check(CLI::Range(0.0, 1.0));
  c.option_defaults()->group("Model");
  c.add_option("--method", a.method,
               "sbc (ours), sbl (sparse Bayesian learning), fda or fda-shrunk (Fisher); default: sbc");
  c.add_option("--density", a.density,
               "fraction of features kept; a comma list is a grid (default: all of up to 200 features, 50 %, 10 %, and "
               "200, 50, 25, 12, 6, 3, 2, 1 features)");
  c.add_option(
      "--noise", a.noise,
      "label noise (step) or width (probit, logistic); a comma list is a grid (default: of ep 0.001,0.02,0.08,0.001, "
      "each with a --width, of gamp 0.1,0.05,0.02; of --activation step 0.003,0.02,0.08,0.2, of probit and logistic "
      "0.1,0.3,1,3 times sqrt(density))");
  c.add_option("--width", a.width,
               "softness of the boundary beside the label noise of step, in units of the fields' spread; a comma list "
               "(default: of ep 0.4,0.2,0.2,1 beside its flips; 0 where the noise is given)");
  c.add_option("--grid", a.grid, "auto or paper: the default values of density and noise (default: auto)");
  c.add_option("--solver", a.solver, "auto, ep, gamp, amp, bp or gibbs (default: auto)");
  c.add_option("--activation", a.activation, "auto, step, probit or logistic (default: auto)");
  c.add_option("--boundary", a.boundary, boundary_help);
  c.add_option("--select", a.selection, "stack, loo_error, loo_log_loss or evidence (default: stack)");
  c.add_option("--value-transform", a.value_transform,
               "auto, none, asinh, rank, log1p or feature_asinh: what happens to the values first (default: auto)");
  auto* unit =
      c.add_flag("--unit-variance", a.unit_variance, "scale features to unit variance, those of a sparse table, too");
  c.add_flag("--no-unit-variance", a.no_unit_variance, "centre features but do not scale them")->excludes(unit);
  c.add_flag("--whiten", a.options.preprocessing.whiten, "whiten to principal directions");
  c.add_flag("--no-intercept", a.no_intercept, "no intercept");
  c.add_flag("--no-variances", a.no_variances, "smaller model file: predict with one common variance");
  c.option_defaults()->group("Run");
  c.add_option("--check-loo", a.options.selection.check_loo,
               "refit with this many random samples left out and compare (default: 0)")
      ->check(whole_number(0));
  c.add_option("--max-iterations", a.options.solver.max_iterations,
               "update limit a cell (default: ep 80, gamp and amp 500, gibbs 5000)")
      ->check(whole_number(1));
  c.add_option("--tolerance", a.options.solver.tolerance, "residual that counts as converged (default: 1e-6)");
  c.add_option("--checkpoint", a.options.checkpoint.file, "keep finished cells in this file until the fit has ended");
  c.add_option("--checkpoint-minutes", a.options.checkpoint.minutes, "write it when this long has passed (default: 10)")
      ->check(CLI::Range(0.0, 1e6));
  c.add_flag("--resume", a.options.checkpoint.resume, "go on from the checkpoint of a fit that was stopped");
  c.add_option("--threads", a.options.threads, "threads (default: one a core)")->check(whole_number(1, 4096));
  c.add_option("--seed", a.options.solver.seed,
               "seed of whatever is random, such as the default grid's cells of few features (default: 1)")
      ->check(whole_number(0, INT64_MAX));
}

namespace {

void check_checkpoint_option(const FitArguments& a) {
  if (a.options.checkpoint.file.empty() && a.options.checkpoint.resume)
    throw UsageError("--resume needs the checkpoint to go on from: --checkpoint FILE");
  if (!a.options.checkpoint.file.empty()) check_checkpoint(a.options.checkpoint, a.processes());
}

// `fit --loo DATA`: what follows --loo is the data where there are no other.
void tell_loo_from_data(FitArguments& a) {
  if (a.file.empty()) std::swap(a.file, a.loo_file);
  if (a.file.empty()) throw UsageError("fit what? Name the data: cavity fit DATA, see cavity fit --help");
  if (a.loo->count() > 0 && a.loo_file.empty() && !a.json)
    throw UsageError("--loo without a file adds to the JSON: give a file to write to (--loo FILE), or --json");
}

/// As far as it can be known before the classes are: `uniform` waits for their number.
std::vector<double> parse_class_prior(const std::string& text) {
  if (text.empty() || text == "uniform") return {};
  if (text.find(',') != std::string::npos) return parse_numbers(text, "--class-prior");
  const double positive = parse_numbers(text, "--class-prior").front();
  return {1 - positive, positive};
}

}  // namespace

void take_class_prior(const std::string& text, const Dataset& data, FitOptions& options) {
  const std::size_t classes = data.class_names.size();
  if (text == "uniform") options.class_prior.assign(classes, 1 / static_cast<double>(classes));
  if (classes > 2 && text != "uniform" && options.class_prior.size() == 2 && text.find(',') == std::string::npos)
    throw UsageError(fmt::format(
        "`class_prior` is one share of a positive class, and there are {} classes: give a share of each, in the "
        "order {}, with sum 1, or uniform",
        classes, shown_names(data.class_names, 10)));
}

namespace {

std::vector<NamedFile> files_of(const FitArguments& a) {
  std::vector<NamedFile> out = files_read(a.file, a.read.options);
  for (const BlockFile& block : a.blocks.files(a.file))
    if (block.path != a.file) out.push_back({"a block", block.path});
  return out;
}

}  // namespace

Dataset read_fit_data(FitArguments& a) {
  const ReadOptions how = a.read.resolved(a.options.threads);
  return a.blocks.several() ? read_blocks(a.blocks.files(a.file), how) : read_dataset(a.file, how);
}

void resolve_fit_options(FitArguments& a) {
  a.options.class_prior = parse_class_prior(a.class_prior);
  if (!a.density.empty()) a.options.grid.density = parse_numbers(a.density, "--density");
  if (!a.noise.empty()) a.options.grid.noise = parse_numbers(a.noise, "--noise");
  if (!a.width.empty()) a.options.grid.width = parse_numbers(a.width, "--width");
  if (a.grid != "auto" && a.grid != "paper")
    throw UsageError(fmt::format("unknown grid '{}': use auto or paper", a.grid));
  a.options.grid.paper = a.grid == "paper";
  a.options.solver.kind = parse_solver(a.solver);
  if (a.activation != "auto") a.options.activation = parse_activation(a.activation);
  a.options.boundary = parse_boundary(a.boundary);
  a.options.selection.by = parse_selection(a.selection);
  a.options.preprocessing.transform = parse_transform(a.value_transform);
  if (a.unit_variance || a.no_unit_variance) a.options.preprocessing.unit_variance = a.unit_variance;
  a.options.intercept = !a.no_intercept;
  a.options.keep_variances = !a.no_variances;
  // Whatever can be refused is refused before a large file is read and fitted.
  const std::size_t any = 1000;
  check_bounds(a.options);
  make_grid(a.options, any);
  if (!a.report.empty()) require_report_page();
  check_outputs(
      files_of(a),
      {{"-o", a.output}, {"--report", a.report}, {"--loo", a.loo_file}, {"--checkpoint", a.options.checkpoint.file}});
  check_checkpoint_option(a);
}

namespace {

void declare(CLI::App& c, FitArguments& a) {
  c.add_option("data", a.file, data_formats);
  declare_output(c, a);
  a.blocks.add(c);
  declare_fit_options(c, a);
}

void resolve(FitArguments& a) {
  tell_loo_from_data(a);
  resolve_fit_options(a);
  if (a.processes().rank() > 0) {  // the first process writes and speaks
    a.output.clear();
    a.report.clear();
    a.loo_file.clear();
    a.json = a.methods = false;
    a.quiet = true;
  }
}

// "cell 5/28, density 0.1, noise 0.02, residual 3e-07, 4 s left" on one line that rewrites itself.
std::function<bool(const Progress&)> progress_line() {
  const auto start = std::chrono::steady_clock::now();
  return [start, before = SIZE_MAX](const Progress& p) mutable {
    before = std::min(before, p.cell - 1);  // cells of a checkpoint took no time
    const double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const double left = spent * static_cast<double>(p.cells - p.cell) / static_cast<double>(p.cell - before);
    say_over(fmt::format("cell {}/{}, density {:.4g}, noise {:.4g}, residual {:.0e}, about {:.0f} s left", p.cell,
                         p.cells, p.density, p.noise, p.residual, left));
    if (p.cell == p.cells) say_over("");
    return true;
  };
}

// Options that a baseline would ignore are refused.
BaselineOptions baseline_options(const FitArguments& a) {
  BaselineOptions out;
  out.method = parse_baseline(a.method);
  const FitArguments plain;
  const bool ours = a.density != plain.density || a.noise != plain.noise || a.width != plain.width ||
                    a.solver != plain.solver || a.activation != plain.activation || a.boundary != plain.boundary ||
                    a.selection != plain.selection || a.grid != plain.grid || a.options.selection.check_loo > 0 ||
                    !a.report.empty() || a.methods || !a.class_prior.empty() ||
                    a.options.solver.tolerance != plain.options.solver.tolerance || !a.options.checkpoint.file.empty();
  if (ours)
    throw UsageError(
        fmt::format("--method {}: --density, --noise, --width, --grid, --solver, --activation, --boundary, --select, "
                    "--check-loo, --tolerance, --checkpoint, --class-prior, --methods and --report belong to "
                    "--method sbc",
                    a.method));
  if (out.method != Baseline::sbl && a.no_intercept)
    throw UsageError("Fisher's discriminant always has a threshold: --no-intercept belongs to sbc and sbl");
  out.preprocessing = a.options.preprocessing;
  out.intercept = a.options.intercept;
  out.keep_variances = a.options.keep_variances;
  out.max_iterations = a.options.solver.max_iterations;
  out.threads = a.options.threads;
  out.seed = a.options.solver.seed;
  return out;
}

Fit fit_as_asked(FitArguments& a) {
  resolve(a);
  if (a.method != "sbc") {
    if (!a.processes().alone()) throw UsageError(fmt::format("--method {} runs in one process: use cavity", a.method));
    if (a.blocks.several())
      throw UsageError(fmt::format("--method {} takes one table: --block belongs to sbc", a.method));
    const BaselineOptions options = baseline_options(a);
    return fit_baseline(read_dataset(a.file, a.read.resolved(a.options.threads)), options);
  }
  if (progress_wanted(a.quiet)) a.options.observer.progress = progress_line();
  a.read.options.compact = true;
  a.read.options.part = a.processes().rank();
  a.read.options.parts = a.processes().ranks();
  Dataset data = read_fit_data(a);
  take_class_prior(a.class_prior, data, a.options);
  return fit(std::move(data), a.options, a.processes());
}

int run(FitArguments& a) {
  Fit result = fit_as_asked(a);
  const FitJsonOptions json{.loo = a.loo->count() > 0,
                            .features = static_cast<std::size_t>(a.top),
                            .resources = true,
                            .page = a.method == "sbc",
                            .indent = 2,
                            .seed = a.options.solver.seed};
  if (!a.output.empty()) {
    result.model.summary_json = fit_json(result, {.loo = true, .features = 0, .seed = a.options.solver.seed});
    save_model(result.model, a.output);
  }
  result = spell_options(std::move(result), OptionStyle::flags);
  if (!a.loo_file.empty()) write_file_atomically(a.loo_file, [&](std::ostream& out) { out << loo_csv(result); });
  if (!a.report.empty()) {
    const std::string page = fit_page(result, {a.file, a.command, a.options});
    write_file_atomically(a.report, [&](std::ostream& out) { out << page; });
    if (!a.quiet) say(fmt::format("report written to {}\n", a.report));
  }
  if (a.json)
    print(fit_json(result, json) + "\n");
  else if (a.methods)
    print(methods_words(result) + "\n");
  else if (!a.quiet)
    print(fit_text(result, colour_wanted(), json.features));
  remove_checkpoint(a.options.checkpoint, a.processes());
  if (!a.output.empty() && !a.quiet) say(fmt::format("model written to {}\n", a.output));
  const bool converged = result.converged();
  if (!converged && a.processes().rank() == 0)
    say(fmt::format("cavity: {}\n", a.method == "sbc" ? "no grid cell converged" : a.method + " did not converge"));
  return converged ? 0 : 4;
}

}  // namespace

void add_fit_command(CLI::App& app, const std::string& command_line, const Shards& shards, int& exit_code) {
  auto arguments = std::make_shared<FitArguments>();
  arguments->shards = &shards;
  CLI::App* command =
      app.add_subcommand("fit", "fit a classifier; tunes density and noise by leave-one-out, no refits");
  declare(*command, *arguments);
  command->callback([arguments, &command_line, &exit_code] {
    arguments->command = command_line;
    exit_code = run(*arguments);
  });
}

}  // namespace cavity::cli
