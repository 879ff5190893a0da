// Figure 4: the leave-one-out error that AMP reads off its cavity fields, N = M = 2000, against the replica error of
// new samples, over the student's density; teacher 0.1.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "infer/amp.hpp"
#include "reproduce/figures.hpp"
#include "reproduce/interval.hpp"
#include "reproduce/teacher_student.hpp"

namespace cavity {

namespace {

constexpr double teacher = 0.1, noise = 0.05;
const std::vector<double> densities = {0.08, 0.1, 0.12, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.8};
constexpr std::size_t line_points = 40;

struct Run {
  double loo = std::numeric_limits<double>::quiet_NaN(), error = loo;
  bool converged = false;
};

Run run_amp(const Experiment& experiment, double density) {
  SolverOptions options;
  options.max_iterations = 300;
  options.tolerance = 1e-5;
  ThreadPool serial(1);
  const Posterior posterior = fit_amp(experiment.problem(density), options, serial);
  return {posterior.loo_error, experiment.error(posterior.mean), posterior.status == Status::converged};
}

Series theory_line() {
  Series line{"replica theory", {}, {}};
  std::vector<TheoryPoint> points;
  for (std::size_t i = 0; i < line_points; ++i) {
    const double share = static_cast<double>(i) / (line_points - 1);
    line.x.push_back(densities.front() * std::pow(densities.back() / densities.front(), share));
    points.push_back(ratio_one(teacher, line.x.back(), noise));
  }
  for (const ReplicaSolution& s : sweep(points)) line.y.push_back(s.error_sbc);
  return line;
}

}  // namespace

Section reproduce_fig4(const ReproduceOptions& options) {
  const std::size_t size = options.quick ? 1000 : 2000, experiments = options.quick ? 12 : 100;
  const auto runs =
      run_experiments({"fig4", size, experiments, teacher, noise, options.seed + 5000}, densities, options, run_amp);
  Series marks{"AMP, leave-one-out", {}, {}};
  marks.style = SeriesStyle::markers;
  std::string csv = "density,theory,stability,loo_mean,loo_sd,low95,high95,true_mean,converged_runs,theory_within_99\n";
  std::size_t inside = 0, unsettled = 0;
  double largest = 0;
  for (std::size_t d = 0; d < densities.size(); ++d) {
    const ReplicaSolution theory = replica_fixed_point(ratio_one(teacher, densities[d], noise));
    std::vector<double> loo, error;
    std::size_t converged = 0;
    for (const Run& run : runs[d]) {
      loo.push_back(run.loo);
      error.push_back(run.error);
      converged += run.converged;
    }
    unsettled += runs[d].size() - converged;
    const MeanInterval shown = mean_interval(loo, 0.95);
    const bool holds = mean_interval(loo, 0.99).holds(theory.error_sbc);
    inside += holds;
    largest = std::max(largest, std::abs(shown.mean - theory.error_sbc));
    marks.x.push_back(densities[d]);
    marks.y.push_back(shown.mean);
    marks.y_low.push_back(shown.low());
    marks.y_high.push_back(shown.high());
    csv += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", densities[d], theory.error_sbc, theory.stability, shown.mean,
                       shown.sd, shown.low(), shown.high(), mean_interval(error, 0.95).mean, converged, holds ? 1 : 0);
  }
  Section out("fig4", "Figure 4: leave-one-out error");
  Chart figure;
  figure.title = "Leave-one-out error of AMP and the replica error";
  figure.x_label = "density of the student";
  figure.y_label = "error";
  figure.log_x = true;
  figure.x_range = {0.07, 0.9};
  figure.series = {theory_line(), marks};
  out.paragraph(
      fmt::format("Teacher density {}, noise {}, ratio 1; {} experiments at N = M = {}; bars are 95 % intervals of the "
                  "mean.",
                  teacher, noise, experiments, size));
  out.picture("fig4", figure);
  if (const auto limit = stability_density(ratio_one(teacher, teacher, noise)).lowest)
    out.paragraph(fmt::format(
        "Below density {:.4f} the replica-symmetric fixed point is unstable (AT > 1) and AMP does not settle: "
        "the densities shown are above.",
        *limit));
  out.paragraph(
      fmt::format("In print leave-one-out follows the theory. Ours: theory lies within the 99 % interval at {} of {} "
                  "densities; the largest difference is {:.5f}; {} of {} runs did not settle.",
                  inside, densities.size(), largest, unsettled, densities.size() * experiments));
  out.csv("fig4", csv);
  out.numbers = {{"points", densities.size()},
                 {"within_99", inside},
                 {"largest_difference", largest},
                 {"unsettled_runs", unsettled}};
  return out;
}

}  // namespace cavity
