// A fit of more than two classes as one JSON object.
#pragma once

#include <nlohmann/json.hpp>

#include "cavity/report.hpp"

namespace cavity {

nlohmann::ordered_json several_json(const Fit& fit, const FitJsonOptions& options);

/// One class against the rest, with so many of its most included features.
nlohmann::ordered_json class_json(const Fit& fit, std::size_t k, std::size_t features);
nlohmann::ordered_json joining_json(const Model& model);

}  // namespace cavity
