// What the JSON of a fit and the data of its page have in common: one name for one thing in both.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "assess/guessing.hpp"
#include "cavity/fit.hpp"

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
nlohmann::ordered_json classes_json(const Fit& fit);
/// The features that share their inclusion, of two classes or over all.
nlohmann::ordered_json groups_json(const Model& model);
nlohmann::ordered_json resources_json(const Resources& used);
/// loo_error and all that goes with it, of two classes that of the positive one, too, into `out`.
void add_accuracy(const Fit& fit, nlohmann::ordered_json& out);
/// What each sample is called when left out.
std::vector<std::uint32_t> called_classes(const Fit& fit);
/// A class's name, a sample.
nlohmann::ordered_json truths_json(const Fit& fit);
/// Samples x classes, of two classes that of the positive one a sample.
nlohmann::ordered_json loo_probability_json(const Fit& fit);
/// "baseline_error" and "guessing": always guessing the commonest class, and what the fit gains over it, into `out`.
void add_guessing(const Fit& fit, nlohmann::ordered_json& out);
/// What theory expects of more samples; null where it has nothing to say.
nlohmann::ordered_json learning_json(const Fit& fit);
/// What pushed each sample to its class; null where it is not known.
nlohmann::ordered_json contributions_json(const Model& model, const Contributions& contributions);
nlohmann::ordered_json loo_check_json(const LooCheck& check);
/// "covariates" of a question, into `out`, where there are any.
void add_covariates(const Model& model, std::size_t question, nlohmann::ordered_json& out);
void add_covariates_alone(const Fit& fit, nlohmann::ordered_json& out);
/// "permutation": p is null where there is none, and `why_none` says why.
nlohmann::ordered_json permutation_json(const Fit& fit);
nlohmann::ordered_json warnings_json(const Fit& fit);
nlohmann::ordered_json credible_sets_json(const Model& model);

/// Names are bytes of a file; what is not UTF-8 becomes a replacement character.
std::string dumped(const nlohmann::ordered_json& json, int indent = -1);

}  // namespace cavity
