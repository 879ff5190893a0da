// What of the features was measured in new samples: as a person reads it, and as a program does.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cavity/prediction.hpp"

namespace cavity {

/// A line a fact, the last a warning where little is explained; none where all was measured.
std::vector<std::string> measured_lines(const MeasuredPart& measured);

/// {features, absent, explained, least_explained, missing, filled, renamed}
nlohmann::ordered_json measured_json(const MeasuredPart& measured);

}  // namespace cavity
