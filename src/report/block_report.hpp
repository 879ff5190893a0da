// Several blocks of features in text and JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "cavity/fit.hpp"

namespace cavity {

/// A line a block, and what is shown of each; empty where there is one table.
std::string blocks_text(const Fit& fit);

/// null where there is one table.
nlohmann::ordered_json blocks_json(const Fit& fit);

}  // namespace cavity
