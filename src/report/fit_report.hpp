// A fit as a person reads it, and as a program does.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "cavity/fit.hpp"

namespace cavity {

/// Class counts, what was read and dropped, the grid as a small table, the chosen point, leave-one-out error with its
/// standard error, the `top` most included features, warnings.
std::string fit_text(const Fit& fit, bool colour, std::size_t top = 10);

struct FitJsonOptions {
  bool loo = false;           // every sample's leave-one-out probability
  std::size_t features = 10;  // how many of the most included
  bool resources = false;     // what was used: not part of the answer, which is the same for any threads
};
nlohmann::ordered_json fit_json(const Fit& fit, const FitJsonOptions& options = {});

/// NaN and infinities have no JSON number: null.
nlohmann::ordered_json json_number(double value);

}  // namespace cavity
