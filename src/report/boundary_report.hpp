// What a fit says of straight and bent boundaries.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "cavity/fit.hpp"

namespace cavity {

/// One line, and where features are pruned inside a kernel one more, which are the most relevant.
std::string boundary_text(const Fit& fit);

/// Of a model: the share of its bent boundary, the most relevant features there, which act together.
std::string bent_rule_words(const BentRule& rule, const Model& model, std::size_t question);
nlohmann::ordered_json bent_rule_json(const BentRule& rule, const Model& model, std::size_t question);

/// Of one question; `features` are listed at most.
nlohmann::ordered_json boundary_json(const BoundaryFit& boundary, const Model& model, std::size_t features);

}  // namespace cavity
