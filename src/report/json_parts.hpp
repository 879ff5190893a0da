// What the JSON of a fit and the data of its page have in common: one name for one thing in both.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "cavity/fit.hpp"
#include "judge/guessing.hpp"

namespace cavity {

/// NaN and infinities have no JSON number: null.
nlohmann::ordered_json json_number(double value);

nlohmann::ordered_json numbers_json(const std::vector<double>& values);

/// Positions of the features with the largest inclusion, largest first.
std::vector<std::size_t> most_included(const FeatureEstimates& features, std::size_t most);

nlohmann::ordered_json cell_json(const Cell& cell);
nlohmann::ordered_json grid_json(const std::vector<Cell>& cells);
nlohmann::ordered_json interval_json(const Interval& interval);
nlohmann::ordered_json classes_json(const Fit& fit);
/// The features that share their inclusion, of two classes or over all.
nlohmann::ordered_json groups_json(const Model& model);
nlohmann::ordered_json resources_json(const Resources& used);
/// loo_error and all that goes with it, into `out`.
void add_accuracy(const LooEstimate& loo, nlohmann::ordered_json& out);
/// "baseline_error" and "guessing": always guessing the commoner class, and what the fit gains over it, into `out`.
nlohmann::ordered_json guessing_json(const Model& model, const Guess& guess, const AgainstGuessing& against);
/// The group of each sample; empty where none were left out together.
std::vector<std::size_t> group_of_samples(const Fit& fit);
void add_guessing(const Fit& fit, nlohmann::ordered_json& out);
/// What theory expects of more samples; null where it has nothing to say.
nlohmann::ordered_json learning_json(const Fit& fit);
/// What pushed each sample to its class; null where it is not known.
nlohmann::ordered_json contributions_json(const Fit& fit);
nlohmann::ordered_json loo_check_json(const LooCheck& check);
/// "covariates" and "covariates_alone", into `out`, where there are any.
void add_covariates(const Fit& fit, nlohmann::ordered_json& out);
void add_covariates_alone(const Fit& fit, nlohmann::ordered_json& out);
nlohmann::ordered_json warnings_json(const Fit& fit);
nlohmann::ordered_json credible_sets_json(const Model& model);

/// Names are bytes of a file; what is not UTF-8 becomes a replacement character.
std::string dumped(const nlohmann::ordered_json& json, int indent = -1);

}  // namespace cavity
