// A fit as the data of its page; the contract is web/src/fit/report_data.ts.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cavity/bent_owed.hpp"
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

Json alone_of_questions(const Model& model, std::size_t feature, double Marginal::*column) {
  std::vector<double> out;
  for (std::size_t q = 0; q < model.questions.size(); ++q) out.push_back(feature_at(model, q, feature).alone.*column);
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
  for (const char* column : {"name", "class", "group", "class_inclusion", "class_weight", "class_sd",
                             "class_difference", "class_t", "class_q"})
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
    out["class_difference"].push_back(alone_of_questions(model, l, &Marginal::difference));
    out["class_t"].push_back(alone_of_questions(model, l, &Marginal::t));
    out["class_q"].push_back(alone_of_questions(model, l, &Marginal::q));
  }
  out["inclusion"] = numbers_json(inclusion);
  out["expected_false"] = numbers_json(expected_false(inclusion));
  return out;
}

/// What samples owe to single features by the bent cells; null where there are none with relevances of their own.
Json owed_json(const Model& model, std::size_t question) {
  const BentOwed owed = bent_owed(model, question);
  if (owed.features.empty()) return nullptr;
  Json names = Json::array();
  for (const std::uint32_t l : owed.features) names.push_back(model.preprocessing.feature_names[l]);
  return {{"features", names},
          {"probability", numbers_json(owed.probability)},
          {"without", rows_json(owed.without, owed.features.size())}};
}

/// The largest contributors one by one, at most `most`; what others push stands in the rest.
Json contributions_of(const Model& model, std::size_t question, const Contributions& c, std::size_t most) {
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
  return {{"features", names},
          {"values", rows},
          {"rest", numbers_json(rest)},
          {"intercept", c.intercept},
          {"bent", owed_json(model, question)}};
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
  for (std::size_t q = 0; q < fit.questions.size(); ++q)
    out.push_back(contributions_of(fit.model, q, fit.questions[q].contributions, most));
  return out;
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
