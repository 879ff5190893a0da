// Figure 3: the error of AMP after each update, 100 experiments at N = M = 2000, over the lines of state evolution;
// teacher 0.2, densities 0.1, 0.2, 0.3. The ratio is not given in print; 1 is taken. AMP runs undamped, as the theory
// assumes.
#include <fmt/format.h>

#include "infer/amp.hpp"
#include "reproduce/figures.hpp"
#include "reproduce/interval.hpp"
#include "reproduce/teacher_student.hpp"

namespace cavity {

namespace {

constexpr double teacher = 0.2, noise = 0.05;
const std::vector<double> densities = {0.1, 0.2, 0.3};
constexpr int steps = 20;

using Path = std::vector<double>;  // the error after t = 1, 2, ... updates

Path run_amp(const Experiment& experiment, double density) {
  Path path;
  SolverOptions options;
  options.max_iterations = steps;
  options.tolerance = 0;
  options.share = 1;
  options.observer = [&](const Iteration& iteration) {
    path.push_back(experiment.error(iteration.mean));
    return true;
  };
  ThreadPool serial(1);
  fit_amp(experiment.problem(density), options, serial);
  path.resize(steps, 0.5);  // a diverged run ends early; none does below the stability limit
  return path;
}

struct Coverage {
  std::size_t inside = 0, points = 0;
  double largest = 0;  // difference from theory
};

void add_density(double density, const std::vector<Path>& paths, Chart& figure, std::string& csv, Coverage& coverage) {
  const std::size_t look = figure.series.size() / 2;
  const auto theory = state_evolution(ratio_one(teacher, density, noise), steps);
  Series line{fmt::format("theory, density {}", density), {}, {}};
  Series marks{fmt::format("AMP, density {}", density), {}, {}};
  marks.style = SeriesStyle::markers;
  for (const EvolutionStep& step : theory) {
    line.x.push_back(step.t);
    line.y.push_back(step.error_sbc);
    if (step.t == 0) continue;
    std::vector<double> errors;
    for (const Path& path : paths) errors.push_back(path[static_cast<std::size_t>(step.t) - 1]);
    const MeanInterval shown = mean_interval(errors, 0.95), strict = mean_interval(errors, 0.99);
    const bool inside = strict.holds(step.error_sbc);
    coverage.inside += inside;
    ++coverage.points;
    coverage.largest = std::max(coverage.largest, std::abs(shown.mean - step.error_sbc));
    marks.x.push_back(step.t);
    marks.y.push_back(shown.mean);
    marks.y_low.push_back(shown.low());
    marks.y_high.push_back(shown.high());
    csv += fmt::format("{},{},{},{},{},{},{},{}\n", density, step.t, step.error_sbc, shown.mean, shown.sd, shown.low(),
                       shown.high(), inside ? 1 : 0);
  }
  line.look = marks.look = look;
  figure.series.push_back(line);
  figure.series.push_back(marks);
}

}  // namespace

Section reproduce_fig3(const ReproduceOptions& options) {
  const std::size_t size = options.quick ? 1000 : 2000, experiments = options.quick ? 16 : 100;
  const auto paths =
      run_experiments({"fig3", size, experiments, teacher, noise, options.seed + 1000}, densities, options, run_amp);
  Section out("fig3", "Figure 3: time evolution");
  Chart figure;
  figure.title = "Error after each update: AMP and state evolution";
  figure.x_label = "update t";
  figure.y_label = "generalisation error";
  std::string csv = "density,t,theory,mean,sd,low95,high95,theory_within_99\n";
  Coverage coverage;
  for (std::size_t d = 0; d < densities.size(); ++d) add_density(densities[d], paths[d], figure, csv, coverage);
  out.paragraph(
      fmt::format("Teacher density {}, noise {}, ratio 1; {} experiments at N = M = {}, undamped AMP; bars are 95 % "
                  "intervals of the mean.",
                  teacher, noise, experiments, size));
  out.picture("fig3", figure);
  const double share = static_cast<double>(coverage.inside) / static_cast<double>(coverage.points);
  out.paragraph(
      fmt::format("In print the experiments lie on the lines. Ours: theory lies within the 99 % interval at {} of {} "
                  "points ({:.1f} %); the largest difference is {:.5f}.",
                  coverage.inside, coverage.points, 100 * share, coverage.largest));
  out.csv("fig3", csv);
  out.numbers = {{"points", coverage.points}, {"within_99", coverage.inside}, {"largest_difference", coverage.largest}};
  return out;
}

}  // namespace cavity
