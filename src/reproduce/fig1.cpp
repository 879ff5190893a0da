// Figure 1: generalisation error against the student's density, (a) of the posterior mean, (b) of one draw from the
// posterior (Gibbs learning); ratio 1, noise 0.05. The teachers' densities are not given in print: 0.05, 0.1, 0.2, 0.4
// are taken. Lines: replica theory. Marks: simulated data, (a) AMP,
// (b) an exact sampler, which knows nothing of the theory.
#include <fmt/format.h>

#include <cmath>

#include "reproduce/figures.hpp"
#include "reproduce/gibbs_points.hpp"
#include "reproduce/teacher_student.hpp"

namespace cavity {

namespace {

constexpr double noise = 0.05, lowest = 0.01, highest = 1;
const std::vector<double> teachers = {0.05, 0.1, 0.2, 0.4};

std::vector<double> densities(double teacher, std::size_t count) {
  std::vector<double> out;
  for (std::size_t i = 0; i < count; ++i)
    out.push_back(lowest * std::pow(highest / lowest, static_cast<double>(i) / static_cast<double>(count - 1)));
  out.push_back(teacher);
  std::sort(out.begin(), out.end());
  return out;
}

struct Curve {
  double teacher;
  std::vector<double> density;
  std::vector<ReplicaSolution> solution;
};

Curve solve(double teacher, std::size_t count) {
  Curve out{teacher, densities(teacher, count), {}};
  std::vector<TheoryPoint> points;
  for (const double density : out.density) points.push_back(ratio_one(teacher, density, noise));
  out.solution = sweep(points);
  return out;
}

Series line(const Curve& curve, bool gibbs) {
  Series out{fmt::format("teacher {}", curve.teacher), {}, {}};
  for (std::size_t i = 0; i < curve.density.size(); ++i) {
    if (!curve.solution[i].converged) continue;
    out.x.push_back(curve.density[i]);
    out.y.push_back(gibbs ? curve.solution[i].error_gibbs : curve.solution[i].error_sbc);
  }
  return out;
}

// The simulated errors with one teacher, in the look of that teacher's line.
Series marks(const std::vector<GibbsPoint>& points, std::size_t teacher, bool gibbs) {
  Series out;
  out.style = SeriesStyle::markers;
  out.look = teacher;
  for (const GibbsPoint& p : points) {
    if (p.teacher != teachers[teacher]) continue;
    const MeanInterval& shown = gibbs ? p.one_draw : p.posterior_mean;
    out.x.push_back(p.density);
    out.y.push_back(shown.mean);
    out.y_low.push_back(shown.low());
    out.y_high.push_back(shown.high());
  }
  return out;
}

Chart panel(const std::vector<Curve>& curves, const std::vector<GibbsPoint>& points, bool gibbs) {
  Chart out;
  out.title = gibbs ? "(b) One draw (Gibbs learning): theory, and sampler (marks)"
                    : "(a) Posterior mean (SBC): theory, and AMP (marks)";
  out.x_label = "density of the student";
  out.y_label = "generalisation error";
  out.log_x = true;
  for (const Curve& curve : curves) out.series.push_back(line(curve, gibbs));
  for (std::size_t t = 0; t < teachers.size(); ++t) out.series.push_back(marks(points, t, gibbs));
  return out;
}

void add_minima(const std::vector<Curve>& curves, Section& out) {
  std::vector<std::vector<std::string>> rows;
  for (const Curve& curve : curves) {
    std::size_t best = 0;
    for (std::size_t i = 0; i < curve.density.size(); ++i) {
      if (!curve.solution[i].converged) continue;
      if (curve.solution[i].error_sbc < curve.solution[best].error_sbc || !curve.solution[best].converged) best = i;
    }
    const auto limit = stability_density(ratio_one(curve.teacher, curve.teacher, noise)).lowest;
    rows.push_back({fmt::format("{}", curve.teacher), fmt::format("{:.3g}", curve.density[best]),
                    fmt::format("{:.4f}", curve.solution[best].error_sbc),
                    fmt::format("{:.4f}", curve.solution[best].error_gibbs),
                    limit ? fmt::format("{:.3g}", *limit) : "everywhere"});
    out.numbers["best_density"].push_back({{"teacher", curve.teacher}, {"density", curve.density[best]}});
  }
  out.table({"teacher", "best density", "error of SBC there", "error of Gibbs there", "stable (AT < 1) from density"},
            rows);
}

void add_sampler(const std::vector<GibbsPoint>& points, Section& out) {
  std::vector<std::vector<std::string>> rows;
  std::string csv = "teacher,density,sbc_theory,sbc_mean,sbc_half_width,gibbs_theory,gibbs_mean,gibbs_half_width\n";
  for (const GibbsPoint& p : points) {
    const ReplicaSolution theory = replica_fixed_point(ratio_one(p.teacher, p.density, noise));
    rows.push_back({fmt::format("{}", p.teacher), fmt::format("{}", p.density),
                    fmt::format("{:.4f} +- {:.4f}", p.posterior_mean.mean, p.posterior_mean.half_width),
                    fmt::format("{:.4f}", theory.error_sbc),
                    fmt::format("{:.4f} +- {:.4f}", p.one_draw.mean, p.one_draw.half_width),
                    fmt::format("{:.4f}", theory.error_gibbs)});
    csv += fmt::format("{},{},{},{},{},{},{},{}\n", p.teacher, p.density, theory.error_sbc, p.posterior_mean.mean,
                       p.posterior_mean.half_width, theory.error_gibbs, p.one_draw.mean, p.one_draw.half_width);
  }
  out.paragraph(fmt::format(
      "Gibbs learning for real: one draw of the sampler classifies; {} simulated data sets of N = M = {} each (95 % "
      "intervals; so small a system deviates from the theory of large ones by some multiple of 1/N). None with teacher "
      "0.05: chains that "
      "start from nothing take too long to find it.",
      points.front().experiments, points.front().size));
  out.table({"teacher", "density", "posterior mean (AMP)", "theory, SBC", "one draw", "theory, Gibbs"}, rows);
  out.csv("fig1_sampler", csv);
}

}  // namespace

Section reproduce_fig1(const ReproduceOptions& options) {
  std::vector<Curve> curves;
  std::string csv = "teacher,density,error_sbc,error_gibbs,stability,converged\n";
  for (const double teacher : teachers) {
    curves.push_back(solve(teacher, options.quick ? 15 : 41));
    const Curve& curve = curves.back();
    for (std::size_t i = 0; i < curve.density.size(); ++i)
      csv +=
          fmt::format("{},{},{},{},{},{}\n", teacher, curve.density[i], curve.solution[i].error_sbc,
                      curve.solution[i].error_gibbs, curve.solution[i].stability, curve.solution[i].converged ? 1 : 0);
  }
  const std::vector<GibbsPoint> points = gibbs_points(options, noise);
  Section out("fig1", "Figure 1: error against density");
  out.paragraph(fmt::format(
      "Ratio 1, noise {}; lines are the replica theory, marks simulated data: AMP in (a), an exact sampler in (b).",
      noise));
  out.picture("fig1a", panel(curves, points, false));
  out.picture("fig1b", panel(curves, points, true));
  out.paragraph("In print the error is smallest where the student's density is the teacher's. Ours:");
  add_minima(curves, out);
  out.csv("fig1", csv);
  add_sampler(points, out);
  return out;
}

}  // namespace cavity
