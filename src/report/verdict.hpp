// First of all: is there anything to find? Better than guessing, or not shown to be; and whether more samples would
// help.
#pragma once

#include <string>

#include "cavity/fit.hpp"

namespace cavity {

/// One line, with p and the interval of the error. Of baselines, which are not tested, nothing.
std::string verdict_words(const Fit& fit);

/// Why nothing is concluded from the features, without a full stop; empty where something may be.
std::string not_shown_words(const Model& model);

/// The error with twice the samples, never without its interval; empty where there is no forecast.
std::string forecast_words(const Fit& fit);

}  // namespace cavity
