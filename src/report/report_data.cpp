#include <algorithm>
#include <cmath>

#include "cavity/theory.hpp"
#include "model/activation_kind.hpp"
#include "report/fit_report.hpp"
#include "report/html_report.hpp"

namespace cavity {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::size_t most_features = 5000;

Json numbers(const std::vector<double>& values) {
  Json out = Json::array();
  for (const double v : values) out.push_back(json_number(v));
  return out;
}

std::string selection_name(Selection selection) {
  switch (selection) {
    case Selection::stack:
      return "stack";
    case Selection::loo_error:
      return "loo-error";
    case Selection::loo_log_loss:
      return "loo-log-loss";
    case Selection::evidence:
      return "evidence";
  }
  return "";
}

Json grid_json(const Fit& fit) {
  Json out = Json::array();
  for (const Cell& c : fit.grid)
    out.push_back({{"density", c.density},
                   {"noise", c.noise},
                   {"status", c.status},
                   {"usable", c.usable},
                   {"reliable", c.reliable},
                   {"iterations", c.iterations},
                   {"residual", json_number(c.residual)},
                   {"loo_error", json_number(c.loo_error)},
                   {"loo_log_loss", json_number(c.loo_log_loss)},
                   {"log_evidence", json_number(c.log_evidence)},
                   {"weight", json_number(c.weight)}});
  return out;
}

Json sample_table(const Fit& fit) {
  Json label = Json::array();
  for (const auto y : fit.labels) label.push_back(fit.model.class_names[y > 0 ? 1 : 0]);
  return {{"name", fit.sample_names},
          {"label", label},
          {"loo_probability", numbers(fit.loo_probability)},
          {"reliable", fit.loo_reliable}};
}

Json feature_table(const Model& model) {
  std::vector<int> group(model.inclusion.size(), -1);
  for (std::size_t g = 0; g < model.groups.size(); ++g)
    for (const auto l : model.groups[g]) group[l] = static_cast<int>(g);
  std::vector<std::size_t> order(model.inclusion.size());
  for (std::size_t l = 0; l < order.size(); ++l) order[l] = l;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return model.inclusion[a] > model.inclusion[b]; });
  order.resize(std::min(order.size(), most_features));
  Json out = {{"name", Json::array()},
              {"inclusion", Json::array()},
              {"weight", Json::array()},
              {"sd", Json::array()},
              {"group", Json::array()}};
  for (const std::size_t l : order) {
    out["name"].push_back(model.preprocessing.feature_names[l]);
    out["inclusion"].push_back(json_number(model.inclusion[l]));
    out["weight"].push_back(json_number(model.weight[l]));
    out["sd"].push_back(json_number(model.sd[l]));
    out["group"].push_back(group[l]);
  }
  return out;
}

Json contributions_json(const Fit& fit) {
  const Contributions& c = fit.contributions;
  if (c.features.empty()) return nullptr;
  Json names = Json::array(), rows = Json::array();
  for (const auto l : c.features) names.push_back(fit.model.preprocessing.feature_names[l]);
  for (std::size_t mu = 0; mu < c.values.rows; ++mu) {
    Json row = Json::array();
    for (std::size_t j = 0; j < c.values.cols; ++j)
      row.push_back(json_number(static_cast<double>(c.values.row(mu)[j])));
    rows.push_back(std::move(row));
  }
  return {{"features", names}, {"values", rows}, {"rest", numbers(c.rest)}, {"intercept", c.intercept}};
}

// What theory expects of more samples, were the features independent and the chosen cell the truth.
Json learning_json(const Fit& fit) {
  const Cell& cell = fit.grid[fit.chosen];
  if (!scale_is_free(make_activation(fit.model.activation, cell.noise))) return nullptr;
  const auto features = static_cast<double>(fit.model.preprocessing.inputs());
  std::vector<double> samples;
  for (const double factor : {0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0})
    samples.push_back(std::max(2.0, std::round(factor * static_cast<double>(fit.samples))));
  const Perceptron truth{cell.density, fit.model.activation, cell.noise};
  Json error = Json::array();
  for (const auto& point : learning_curve(features, truth, samples)) error.push_back(json_number(point.error_sbc));
  return {{"samples", samples},
          {"error", error},
          {"assumptions",
           "Theory for independent features whose truth has the density and noise of the heaviest cell. Correlated "
           "features carry fewer independent facts, so real curves usually start lower and fall more slowly."},
          {"current_samples", fit.samples}};
}

Json options_json(const Fit& fit, const ReportContext& context) {
  const FitOptions& o = context.options;
  return {{"solver", fit.solver},
          {"activation", to_string(o.activation)},
          {"selection", selection_name(o.selection)},
          {"transform", to_string(fit.model.preprocessing.transform)},
          {"unit_variance", o.preprocessing.unit_variance},
          {"whiten", o.preprocessing.whiten},
          {"intercept", fit.model.intercept},
          {"recalibrated", fit.model.recalibration.has_value()},
          {"tolerance", o.tolerance}};
}

}  // namespace

Json citation() {
  return {{"text",
           "S. Uda and Y. Kabashima, Statistical Mechanical Development of a Sparse Bayesian Classifier, J. Phys. Soc. "
           "Jpn. 74 (2005) 2233."},
          {"bibtex",
           "@article{uda2005sparse,\n  title = {Statistical Mechanical Development of a Sparse Bayesian Classifier},\n"
           "  author = {Uda, Shinsuke and Kabashima, Yoshiyuki},\n  journal = {Journal of the Physical Society of "
           "Japan},\n  volume = {74},\n  pages = {2233},\n  year = {2005}\n}"}};
}

Json report_data(const Fit& fit, const ReportContext& context) {
  const Model& model = fit.model;
  Json out = {
      {"kind", "fit"}, {"version", CAVITY_VERSION}, {"command", context.command}, {"seed", context.options.seed}};
  if (context.options.seed > (std::uint64_t{1} << 53)) out["seed"] = std::to_string(context.options.seed);
  out["options"] = options_json(fit, context);
  out["file"] = context.file;
  out["samples"] = fit.samples;
  out["features"] = fit.features;
  out["kept_features"] = model.preprocessing.kept.size();
  out["classes"] = {{model.class_names[0], fit.class_counts[0]}, {model.class_names[1], fit.class_counts[1]}};
  out["positive"] = model.class_names[1];
  out["negative"] = model.class_names[0];
  out["solver"] = fit.solver;
  out["why"] = fit.why;
  out["loo_error"] = json_number(fit.loo_error);
  out["loo_error_se"] = json_number(fit.loo_error_se);
  out["loo_log_loss"] = json_number(fit.loo_log_loss);
  out["train_error"] = json_number(fit.train_error);
  if (fit.loo_checked > 0)
    out["loo_check"] = {{"samples", fit.loo_checked},
                        {"changed_labels", fit.loo_changed_labels},
                        {"largest_difference", fit.loo_largest_difference},
                        {"mean_difference", fit.loo_mean_difference}};
  out["baseline_error"] =
      static_cast<double>(std::min(fit.class_counts[0], fit.class_counts[1])) / static_cast<double>(fit.samples);
  out["grid"] = grid_json(fit);
  out["chosen"] = fit.chosen;
  out["warnings"] = Json::array();
  for (const Warning& w : fit.warnings)
    out["warnings"].push_back({{"name", w.name}, {"text", w.text}, {"cure", w.cure}});
  out["notes"] = fit.notes;
  out["sample_table"] = sample_table(fit);
  out["feature_table"] = feature_table(model);
  out["feature_total"] = model.inclusion.size();
  double relevant = 0;
  for (const double p : model.inclusion) relevant += p;
  out["expected_relevant"] = relevant;
  out["contributions"] = contributions_json(fit);
  out["learning_curve"] = learning_json(fit);
  out["citation"] = citation();
  return out;
}

}  // namespace cavity
