// The study plan: an answer in a sentence, the learning curve as a table and a picture.
#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>

#include "figure/text_plot.hpp"
#include "report/theory_report.hpp"

namespace cavity {

using nlohmann::ordered_json;

namespace {

// Counts are whole numbers in JSON, unless they were asked for otherwise.
ordered_json count_json(double count) {
  const auto whole = static_cast<std::int64_t>(count);
  return static_cast<double>(whole) == count ? ordered_json(whole) : ordered_json(count);
}

}  // namespace

ordered_json plan_json(const PlanReport& report) {
  const Plan& plan = report.plan;
  ordered_json json{{"features", count_json(report.features)},
                    {"density", report.truth.density},
                    {"noise", report.truth.noise},
                    {"activation", to_string(report.truth.activation)}};
  json["target_error"] = report.target_error ? ordered_json(*report.target_error) : nullptr;
  json["reachable"] = plan.reachable;
  json["best_error"] = plan.best_error;
  const auto told = [&plan](const ordered_json& value) { return plan.reachable ? value : ordered_json(nullptr); };
  json.update(ordered_json{{"samples", told(count_json(plan.samples))},
                           {"ratio", told(plan.ratio)},
                           {"error_sbc", told(plan.error_sbc)},
                           {"error_gibbs", told(plan.error_gibbs)}});
  json["curve"] = ordered_json::array();
  for (const LearningCurvePoint& p : report.curve)
    json["curve"].push_back({{"samples", count_json(p.samples)},
                             {"ratio", p.ratio},
                             {"error_sbc", p.error_sbc},
                             {"error_gibbs", p.error_gibbs}});
  return json;
}

std::string plan_text(const PlanReport& report) {
  const Plan& plan = report.plan;
  const Perceptron& truth = report.truth;
  std::string out =
      fmt::format("{:.0f} features, {:.6g} of them used (density {}), {} activation, noise {}\n\n", report.features,
                  report.features * truth.density, truth.density, to_string(truth.activation), truth.noise);
  if (report.target_error)
    out += fmt::format("{:.0f} samples bring the error to {:.4f} (target {}).\n", plan.samples, plan.error_sbc,
                       *report.target_error);
  else
    out += fmt::format("{:.0f} samples bring the error to {:.4f}.\n", plan.samples, plan.error_sbc);
  out += fmt::format("No number of samples brings it below {:.4g}.\n", plan.best_error);
  out += "Assumed: independent features, and a density and noise that the classifier knows; see --help.\n\n";
  out += fmt::format("{:>12} {:>10} {:>10} {:>10}\n", "samples", "ratio", "error", "Gibbs");
  for (std::size_t i = 0; i < report.curve.size(); i += 3) {
    const LearningCurvePoint& p = report.curve[i];
    out += fmt::format("{:>12.0f} {:>10.4g} {:>10.4f} {:>10.4f}\n", p.samples, p.ratio, p.error_sbc, p.error_gibbs);
  }
  Chart figure = plan_figure(report);
  figure.title.clear();
  return out + "\n" + text_plot(figure);
}

Chart plan_figure(const PlanReport& report) {
  Series sbc{.name = "classifier", .x = {}, .y = {}}, gibbs{.name = "Gibbs learning", .x = {}, .y = {}};
  for (const LearningCurvePoint& p : report.curve) {
    sbc.x.push_back(p.samples);
    gibbs.x.push_back(p.samples);
    sbc.y.push_back(p.error_sbc);
    gibbs.y.push_back(p.error_gibbs);
  }
  const Series answer{.name = report.target_error ? "planned" : "asked for",
                      .x = {report.plan.samples},
                      .y = {report.plan.error_sbc},
                      .style = SeriesStyle::markers};
  return {.title = fmt::format("Learning curve: {:.0f} features, density {}, noise {}", report.features,
                               report.truth.density, report.truth.noise),
          .x_label = "samples",
          .y_label = "error on new samples",
          .series = {answer, sbc, gibbs},
          .log_x = true};
}

}  // namespace cavity
