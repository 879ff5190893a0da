// A fit as the data of its page; the contract is web/src/fit/report_data.ts.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "cavity/theory.hpp"
#include "model/activation_kind.hpp"
#include "report/html_report.hpp"
#include "report/json_parts.hpp"

namespace cavity {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::size_t most_features = 5000, most_values = 60'000;  // values: features x questions
constexpr std::size_t most_contributions = 200'000, fewest_contributors = 5;

/// The class that each sample is called when left out.
Json called_json(const Fit& fit) {
  Json out = Json::array();
  for (const std::uint32_t k : fit.loo.called) out.push_back(fit.model.class_names[k]);
  return out;
}

Json sample_table(const Fit& fit) {
  return {{"name", fit.data.sample_names},
          {"label", truths_json(fit)},
          {"called", called_json(fit)},
          {"loo_probability", loo_probability_json(fit)},
          {"reliable", fit.loo.reliable}};
}

/// One number a question, of a feature.
Json of_questions(const Model& model, std::size_t feature, std::vector<double> FeatureEstimates::*column) {
  std::vector<double> out;
  for (const QuestionModel& one : model.questions) out.push_back((one.features.*column)[feature]);
  return numbers_json(out);
}

/// The correlated features to which each belongs; -1: none.
std::vector<int> correlated_of(const Model& model) {
  std::vector<int> out(model.preprocessing.feature_names.size(), -1);
  for (std::size_t g = 0; g < model.correlated.size(); ++g)
    for (const auto l : model.correlated[g]) out[l] = static_cast<int>(g);
  return out;
}

/// Most included first, by the class that each speaks for, with the expected number of false ones among the features
/// down to each.
Json feature_table(const Model& model) {
  const std::size_t most = std::min(most_features, most_values / model.questions.size());
  const OverallEstimates all = overall_features(model);
  const std::vector<int> correlated = correlated_of(model);
  Json out;
  for (const char* column : {"name", "class", "group", "class_inclusion", "class_weight", "class_sd"})
    out[column] = Json::array();
  std::vector<double> inclusion;
  for (const std::size_t l : ranked(all.inclusion, most)) {
    inclusion.push_back(all.inclusion[l]);
    out["name"].push_back(model.preprocessing.feature_names[l]);
    out["class"].push_back(model.class_names[all.of_class[l]]);
    out["group"].push_back(correlated[l]);
    out["class_inclusion"].push_back(of_questions(model, l, &FeatureEstimates::inclusion));
    out["class_weight"].push_back(of_questions(model, l, &FeatureEstimates::weight));
    out["class_sd"].push_back(of_questions(model, l, &FeatureEstimates::sd));
  }
  out["inclusion"] = numbers_json(inclusion);
  out["expected_false"] = numbers_json(expected_false(inclusion));
  return out;
}

/// The factor on the number of samples at which theory has the error that was measured; nothing where it has it nowhere
/// between a sixteenth and 64 times the samples.
std::optional<double> matching_factor(double features, const Perceptron& truth, double samples, double measured,
                                      unsigned threads) {
  std::vector<double> factors, at;
  for (double factor = 1.0 / 16; factor <= 64; factor *= 2) {
    factors.push_back(factor);
    at.push_back(std::max(2.0, factor * samples));
  }
  const auto curve = learning_curve(features, truth, at, threads);
  for (std::size_t i = 1; i < curve.size(); ++i) {
    const double above = curve[i - 1].error_sbc, below = curve[i].error_sbc;
    if (!(above >= measured && measured >= below && above > below)) continue;
    return factors[i - 1] * std::exp2((above - measured) / (above - below));
  }
  return std::nullopt;
}

/// The largest contributors one by one, at most `most`; what others push stands in the rest.
Json contributions_of(const Model& model, const Contributions& c, std::size_t most) {
  if (c.features.empty()) return nullptr;
  const std::size_t listed = std::min(most, c.features.size());
  Json names = Json::array(), rows = Json::array();
  for (std::size_t j = 0; j < listed; ++j) names.push_back(model.preprocessing.feature_names[c.features[j]]);
  std::vector<double> rest = c.rest;
  for (std::size_t mu = 0; mu < c.values.rows; ++mu) {
    Json row = Json::array();
    for (std::size_t j = 0; j < listed; ++j) row.push_back(json_number(static_cast<double>(c.values.row(mu)[j])));
    for (std::size_t j = listed; j < c.values.cols; ++j) rest[mu] += static_cast<double>(c.values.row(mu)[j]);
    rows.push_back(std::move(row));
  }
  return {{"features", names}, {"values", rows}, {"rest", numbers_json(rest)}, {"intercept", c.intercept}};
}

Json options_json(const Fit& fit, const ReportContext& context) {
  const FitOptions& o = context.options;
  return {{"solver", fit.solver().name},
          {"activation", to_string(fit.model.first_mixture().activation)},
          {"selection", to_string(o.selection.by)},
          {"transform", to_string(fit.model.preprocessing.transform)},
          {"unit_variance", fit.model.preprocessing.unit_variance},
          {"whiten", o.preprocessing.whiten},
          {"intercept", fit.model.first_mixture().intercept},
          {"tolerance", o.solver.tolerance}};
}

}  // namespace

Json contributions_json(const Fit& fit) {
  Json out = Json::array();
  const std::size_t rows = std::max<std::size_t>(1, fit.data.samples * fit.questions.size());
  const std::size_t most = std::max(fewest_contributors, most_contributions / rows);
  for (const QuestionFit& question : fit.questions)
    out.push_back(contributions_of(fit.model, question.contributions, most));
  return out;
}

// What theory expects of more samples, its sample axis stretched so that it passes through what was measured.
Json learning_json(const Fit& fit) {
  const Cell& cell = fit.questions.front().chosen_cell();
  if (fit.questions.size() > 1) return nullptr;  // theory knows two classes
  if (fit.permutation.not_shown()) return nullptr;
  if (fit.model.first_mixture().activation != ActivationKind::step || !fit.data.class_prior.empty()) return nullptr;
  const auto features = static_cast<double>(fit.model.preprocessing.inputs());
  const auto here = static_cast<double>(fit.data.samples);
  const Perceptron truth{cell.density, fit.model.first_mixture().activation, cell.noise};
  const auto threads = static_cast<unsigned>(fit.resources.threads);
  const auto factor = matching_factor(features, truth, here, fit.loo.error, threads);
  if (!factor) return nullptr;
  std::vector<double> samples, at;
  for (const double times : {0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0}) {
    samples.push_back(std::max(2.0, std::round(times * here)));
    at.push_back(std::max(2.0, *factor * samples.back()));
  }
  Json error = Json::array();
  for (const auto& point : learning_curve(features, truth, at, threads)) error.push_back(json_number(point.error_sbc));
  return {
      {"samples", samples},
      {"error", error},
      {"sample_factor", *factor},
      {"assumptions",
       fmt::format("Theory for independent features whose truth has the density and noise of the heaviest cell, fitted "
                   "to this data: one sample counts as {:.2g}, which makes the curve pass through the leave-one-out "
                   "error. Only its slope is a forecast, and a rough one.",
                   *factor)},
      {"current_samples", fit.data.samples}};
}

Json citation() {
  return {{"text",
           "S. Uda and Y. Kabashima, Statistical Mechanical Development of a Sparse Bayesian Classifier, J. Phys. Soc. "
           "Jpn. 74 (2005) 2233."},
          {"bibtex",
           "@article{uda2005sparse,\n  title = {Statistical Mechanical Development of a Sparse Bayesian Classifier},\n"
           "  author = {Uda, Shinsuke and Kabashima, Yoshiyuki},\n  journal = {Journal of the Physical Society of "
           "Japan},\n  volume = {74},\n  pages = {2233},\n  year = {2005}\n}"}};
}

Json report_data(const Fit& neutral, const ReportContext& context) {
  const Fit fit = spell_options(neutral, OptionStyle::flags);
  const std::uint64_t seed = context.options.solver.seed;
  Json out = {{"kind", "fit"}, {"version", CAVITY_VERSION}, {"command", context.command}, {"seed", seed}};
  if (seed > (std::uint64_t{1} << 53)) out["seed"] = std::to_string(seed);
  out["options"] = options_json(fit, context);
  out["file"] = context.file;
  out.update(fit_values(fit, {.loo = true, .features = 0, .page = true}));
  out.erase("top_features");  // in the table of the features
  for (Json& question : out["questions"]) question.erase("top_features");
  out["sample_table"] = sample_table(fit);
  out["feature_table"] = feature_table(fit.model);
  out["drawn"] = drawn_json(fit);
  out["feature_total"] = fit.model.preprocessing.feature_names.size();
  out["citation"] = citation();
  return out;
}

std::string fit_page(const Fit& fit, const ReportContext& context) { return html_report(report_data(fit, context)); }

}  // namespace cavity
