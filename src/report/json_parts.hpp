// What the JSON of a fit and the data of its page have in common: one name for one thing in both.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "cavity/report.hpp"

namespace cavity {

/// NaN and infinities have no JSON number: null.
nlohmann::ordered_json json_number(double value);

nlohmann::ordered_json numbers_json(const std::vector<double>& values);

/// A list of lists.
template <class T>
nlohmann::ordered_json rows_json(const std::vector<T>& values, std::size_t columns) {
  auto out = nlohmann::ordered_json::array();
  for (std::size_t first = 0; first < values.size(); first += columns) {
    auto row = nlohmann::ordered_json::array();
    for (std::size_t j = 0; j < columns; ++j) row.push_back(values[first + j]);
    out.push_back(std::move(row));
  }
  return out;
}

nlohmann::ordered_json cell_json(const Cell& cell);
nlohmann::ordered_json grid_json(const std::vector<Cell>& cells);
nlohmann::ordered_json interval_json(const Interval& interval);
/// Name and count of each, in order.
nlohmann::ordered_json classes_json(const Fit& fit);
/// The features that share their inclusion, which is that over all classes.
nlohmann::ordered_json correlated_json(const Model& model);
nlohmann::ordered_json features_json(const Model& model, const std::vector<Feature>& ranked);
/// How many features matter: what inclusion is an average over, and 95 % of it; null where it is none.
nlohmann::ordered_json hypotheses_json(const QuestionFit& question);
nlohmann::ordered_json relevant_json(const QuestionFit& question);
nlohmann::ordered_json forecast_json(const Forecast& forecast);
/// Better than guessing or not shown to be (null: not tested), and the sentence that says so.
nlohmann::ordered_json verdict_json(const Fit& fit);
nlohmann::ordered_json resources_json(const Resources& used);
/// loo_error and all that goes with it, over all classes, into `out`.
void add_accuracy(const Fit& fit, nlohmann::ordered_json& out);
/// Of one class against the others, into `out`; null where it is not `known`.
void add_accuracy(const Accuracy& accuracy, bool known, nlohmann::ordered_json& out);
/// A class's name, a sample.
nlohmann::ordered_json truths_json(const Fit& fit);
/// Samples x classes.
nlohmann::ordered_json loo_probability_json(const Fit& fit);
/// The share of each class where it is used; null: as in training.
nlohmann::ordered_json class_prior_json(const Fit& fit);
/// "baseline_error" and "guessing": always guessing the commonest class, and what the fit gains over it, into `out`.
void add_guessing(const Fit& fit, nlohmann::ordered_json& out);
/// What pushed each sample to its class, a question each; null where it is not known.
nlohmann::ordered_json contributions_json(const Fit& fit);
/// Points and bins of the page's charts (drawn.cpp).
nlohmann::ordered_json drawn_json(const Fit& fit);
nlohmann::ordered_json loo_check_json(const std::optional<LooCheck>& check);
nlohmann::ordered_json covariates_json(const Model& model, std::size_t question);
nlohmann::ordered_json covariates_alone_json(const std::optional<CovariatesAlone>& alone);
/// How the questions' probabilities become those of classes.
nlohmann::ordered_json calibration_json(const Model& model);
/// "permutation": p is null where there is none, and `why_none` says why.
nlohmann::ordered_json permutation_json(const Fit& fit);
nlohmann::ordered_json warnings_json(const Fit& fit);
nlohmann::ordered_json credible_sets_json(const Model& model);

/// What a fit says, in the shape that its JSON and its page have in common, for any number of classes.
nlohmann::ordered_json fit_values(const Fit& fit, const FitJsonOptions& options);

/// The shape of what is printed; a new number where a key goes or changes what it means (docs/cavity.schema.json).
constexpr int json_schema = 2;

/// What a command prints: `values` after the number of their shape.
std::string document(const nlohmann::ordered_json& values, int indent = 2);

/// Names are bytes of a file; what is not UTF-8 becomes a replacement character.
std::string dumped(const nlohmann::ordered_json& json, int indent = -1);

}  // namespace cavity
