// Results of the library as values for R.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cavity/model.hpp"
#include "value.hpp"

/// Objects become lists by name; arrays of one kind become vectors, null in them is missing; notes and warnings name
/// options as arguments.
cavity_value value_of(const nlohmann::ordered_json& json);

/// All that R shows of a model, a column a question; and the model itself.
cavity_value describe(const std::shared_ptr<const Fitted>& fitted);
