#include "cli/theory_command.hpp"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cavity/errors.hpp"
#include "cli/options.hpp"
#include "cli/theory_options.hpp"
#include "figure/svg_plot.hpp"
#include "report/json_parts.hpp"
#include "report/theory_report.hpp"

namespace cavity {

namespace {

constexpr int not_converged = 4;

void run_point(const PointOptions& options, bool json, bool both_ends) {
  const TheoryPoint point = options.point();
  const SolvedPoint solved{point, replica_fixed_point(point)};
  nlohmann::ordered_json document = point_json(solved);
  document.update({{"bistable", nullptr}, {"informed", nullptr}});
  std::string text = point_text(solved);
  if (both_ends) {
    const BothEnds ends = replica_both_ends(point);
    document["bistable"] = ends.bistable;
    document["informed"] = point_json({point, ends.informed});
    text += ends.bistable ? fmt::format("\nBISTABLE: from an informed start,\n\n{}", point_text({point, ends.informed}))
                          : "An informed start leads to the same fixed point.\n";
  }
  cli::print(json ? cavity::document(document) : text);
  if (!solved.solution.converged)
    throw Error(
        "the fixed point was not reached: for a student whose noise is too small for the teacher's labels there may be "
        "none; raise --noise or lower --ratio",
        not_converged);
}

void run_path(const PointOptions& options, int steps, bool json) {
  const TheoryPoint point = options.point();
  const std::vector<EvolutionStep> path = state_evolution(point, steps);
  cli::print(json ? cavity::document(path_json(point, path)) : path_csv(path));
}

void run_sweep(const PointOptions& options, const SweepOptions& sweep_options, bool json, const std::string& svg) {
  const SweepVariable variable = sweep_options.variable();
  const std::vector<TheoryPoint> points = options.points(variable, sweep_options.all_values());
  const std::vector<ReplicaSolution> solutions = sweep(points);
  std::vector<SolvedPoint> solved;
  int unsolved = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    solved.push_back({points[i], solutions[i]});
    unsolved += !solutions[i].converged;
  }
  if (json) {
    nlohmann::ordered_json document{{"vary", to_string(variable)}, {"points", nlohmann::ordered_json::array()}};
    for (const SolvedPoint& one : solved) document["points"].push_back(point_json(one));
    cli::print(cavity::document(document));
  } else {
    cli::print(sweep_csv(solved));
  }
  if (!svg.empty()) write_text(svg, svg_plot(sweep_figure(solved, variable, sweep_options.logarithmic)));
  if (unsolved > 0)
    throw Error(fmt::format("{} of {} points did not reach a fixed point: their rows are not to be used", unsolved,
                            points.size()),
                not_converged);
}

void run_plan(const PlanOptions& options, bool json, const std::string& svg) {
  const PlanReport report = options.report();
  if (json) cli::print(cavity::document(plan_json(report)));
  if (!report.plan.reachable)
    throw UsageError(
        fmt::format("a target error of {} cannot be reached: infinitely many samples would still leave {:.6g}, because "
                    "of the noise in the labels",
                    *report.target_error, report.plan.best_error));
  if (!json) cli::print(plan_text(report));
  if (!svg.empty()) write_text(svg, svg_plot(plan_figure(report)));
}

CLI::App* add_subcommand(CLI::App& theory, const char* name, const char* what, bool& json) {
  CLI::App* command = theory.add_subcommand(name, what);
  command->option_defaults()->group("Output");
  command->add_flag("--json", json, "print JSON");
  command->option_defaults()->group("Setting");
  return command;
}

void add_point(CLI::App& theory) {
  struct Options {
    PointOptions point;
    bool json = false, both_ends = false;
  };
  const auto o = std::make_shared<Options>();
  CLI::App* command = add_subcommand(theory, "point", "the replica-symmetric fixed point at one setting", o->json);
  o->point.add_to(*command);
  command->add_flag("--both-ends", o->both_ends, "start from full knowledge too and say whether the ends differ");
  command->callback([o] { run_point(o->point, o->json, o->both_ends); });
}

void add_path(CLI::App& theory) {
  struct Options {
    PointOptions point;
    bool json = false;
    int steps = 20;
  };
  const auto o = std::make_shared<Options>();
  CLI::App* command =
      add_subcommand(theory, "path", "state evolution: what AMP has learnt after each update, as CSV", o->json);
  o->point.add_to(*command);
  command->add_option("--steps", o->steps, "number of updates (default: 20)");
  command->callback([o] { run_path(o->point, o->steps, o->json); });
}

void add_sweep(CLI::App& theory) {
  struct Options {
    PointOptions point;
    SweepOptions sweep;
    bool json = false;
    std::string svg;
  };
  const auto o = std::make_shared<Options>();
  CLI::App* command =
      add_subcommand(theory, "sweep", "the fixed point along one variable, as CSV, a row for each value", o->json);
  o->point.add_to(*command);
  o->sweep.add_to(*command);
  command->option_defaults()->group("Output");
  command->add_option("--svg", o->svg, "also write the error curves to this SVG file");
  command->callback([o] { run_sweep(o->point, o->sweep, o->json, o->svg); });
}

void add_plan(CLI::App& theory) {
  struct Options {
    PlanOptions plan;
    bool json = false;
    std::string svg;
  };
  const auto o = std::make_shared<Options>();
  CLI::App* command =
      add_subcommand(theory, "plan", "how many samples a study needs, or what error to expect", o->json);
  o->plan.add_to(*command);
  command->option_defaults()->group("Output");
  command->add_option("--svg", o->svg, "also write the learning curve to this SVG file");
  command->footer(plan_assumptions);
  command->callback([o] { run_plan(o->plan, o->json, o->svg); });
}

}  // namespace

void add_theory_command(CLI::App& app) {
  CLI::App* theory = app.add_subcommand("theory", "what to expect on random data, from theory: no data needed");
  theory->require_subcommand(1);
  add_point(*theory);
  add_path(*theory);
  add_sweep(*theory);
  add_plan(*theory);
}

}  // namespace cavity
