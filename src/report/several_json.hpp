// A fit of more than two classes as one JSON object.
#pragma once

#include <nlohmann/json.hpp>

#include "cavity/report.hpp"

namespace cavity {

nlohmann::ordered_json several_json(const Fit& fit, const FitJsonOptions& options);

/// loo_error and all that goes with it, into `out`.
void add_several_accuracy(const Fit& fit, nlohmann::ordered_json& out);

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

/// One class against the rest, with so many of its most included features.
nlohmann::ordered_json class_json(const Fit& fit, std::size_t k, std::size_t features);
nlohmann::ordered_json joining_json(const Model& model);

}  // namespace cavity
