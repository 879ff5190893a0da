#include "report/theory_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "figure/text_plot.hpp"

namespace cavity {

using nlohmann::ordered_json;

namespace {

ordered_json inputs_json(const TheoryPoint& point) {
  ordered_json json{{"ratio", point.ratio},
                    {"noise", point.student.noise},
                    {"teacher", point.teacher.density},
                    {"density", point.student.density},
                    {"activation", to_string(point.student.activation)},
                    {"teacher_activation", nullptr},
                    {"teacher_noise", nullptr}};
  if (point.teacher.activation != point.student.activation || point.teacher.noise != point.student.noise) {
    json["teacher_activation"] = to_string(point.teacher.activation);
    json["teacher_noise"] = point.teacher.noise;
  }
  return json;
}

double swept_value(const TheoryPoint& point, SweepVariable variable) {
  switch (variable) {
    case SweepVariable::ratio:
      return point.ratio;
    case SweepVariable::density:
      return point.student.density;
    case SweepVariable::noise:
      return point.student.noise;
    case SweepVariable::teacher:
      break;
  }
  return point.teacher.density;
}

std::string describe(const Perceptron& perceptron) {
  return fmt::format("density {}, {} activation, noise {}", perceptron.density, to_string(perceptron.activation),
                     perceptron.noise);
}

}  // namespace

std::string to_string(SweepVariable variable) {
  switch (variable) {
    case SweepVariable::ratio:
      return "ratio";
    case SweepVariable::density:
      return "density";
    case SweepVariable::noise:
      return "noise";
    case SweepVariable::teacher:
      break;
  }
  return "teacher";
}

ordered_json point_json(const SolvedPoint& solved) {
  const ReplicaSolution& s = solved.solution;
  ordered_json json = inputs_json(solved.point);
  json.update(ordered_json{{"overlap", s.overlap},
                           {"power", s.power},
                           {"overlap_hat", s.overlap_hat},
                           {"power_hat", s.power_hat},
                           {"precision", s.precision},
                           {"log_odds", s.log_odds},
                           {"error_sbc", s.error_sbc},
                           {"error_gibbs", s.error_gibbs},
                           {"free_energy", s.free_energy},
                           {"stability", s.stability},
                           {"steps", s.steps},
                           {"converged", s.converged}});
  return json;
}

std::string point_text(const SolvedPoint& solved) {
  const auto& [point, s] = solved;
  std::string out = fmt::format("ratio {} (samples a feature)\nteacher: {}\nstudent: {}\n\n", point.ratio,
                                describe(point.teacher), describe(point.student));
  out +=
      fmt::format("error of the classifier   {:.10f}\nerror of Gibbs learning   {:.10f}\n", s.error_sbc, s.error_gibbs);
  out += fmt::format("overlap R, power Q        {:.10g}, {:.10g}\n", s.overlap, s.power);
  out += fmt::format("their conjugates          {:.10g}, {:.10g}\n", s.overlap_hat, s.power_hat);
  out += fmt::format("precision A, log odds     {:.10g}, {:.10g}\n", s.precision, s.log_odds);
  out += fmt::format("free energy a feature     {:.10f}\n", s.free_energy);
  out += fmt::format("stability (AT)            {:.6g}, {}\n", s.stability,
                     s.stability < 1 ? "stable" : "UNSTABLE: the replica-symmetric values are not exact here");
  return out + fmt::format("steps                     {}{}\n", s.steps, s.converged ? "" : " (NOT CONVERGED)");
}

std::string sweep_csv(std::span<const SolvedPoint> solved) {
  std::string out =
      "ratio,noise,teacher,density,activation,overlap,power,overlap_hat,power_hat,precision,log_odds,error_sbc,"
      "error_gibbs,free_energy,stability,steps\n";
  for (const auto& [p, s] : solved)
    out +=
        fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", p.ratio, p.student.noise, p.teacher.density,
                    p.student.density, to_string(p.student.activation), s.overlap, s.power, s.overlap_hat, s.power_hat,
                    s.precision, s.log_odds, s.error_sbc, s.error_gibbs, s.free_energy, s.stability, s.steps);
  return out;
}

Chart sweep_figure(std::span<const SolvedPoint> solved, SweepVariable variable, bool log_x) {
  Series sbc{.name = "classifier", .x = {}, .y = {}}, gibbs{.name = "Gibbs learning", .x = {}, .y = {}};
  for (const auto& [point, solution] : solved) {
    const double x = swept_value(point, variable);
    sbc.x.push_back(x);
    gibbs.x.push_back(x);
    sbc.y.push_back(solution.error_sbc);
    gibbs.y.push_back(solution.error_gibbs);
  }
  return {.title = "Error on new samples, from theory",
          .x_label = to_string(variable),
          .y_label = "error",
          .series = {sbc, gibbs},
          .log_x = log_x};
}

ordered_json path_json(const TheoryPoint& point, std::span<const EvolutionStep> steps) {
  ordered_json json = inputs_json(point);
  json["path"] = ordered_json::array();
  for (const EvolutionStep& s : steps)
    json["path"].push_back({{"t", s.t},
                            {"overlap", s.overlap},
                            {"power", s.power},
                            {"error_sbc", s.error_sbc},
                            {"error_gibbs", s.error_gibbs}});
  return json;
}

std::string path_csv(std::span<const EvolutionStep> steps) {
  std::string out = "t,overlap,power,error_sbc,error_gibbs\n";
  for (const EvolutionStep& s : steps)
    out += fmt::format("{},{},{},{},{}\n", s.t, s.overlap, s.power, s.error_sbc, s.error_gibbs);
  return out;
}

}  // namespace cavity
