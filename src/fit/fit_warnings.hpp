// What a user should know before trusting a fit, each with a name, its meaning and a cure.
#pragma once

#include <vector>

#include "assess/twins.hpp"
#include "cavity/fit.hpp"
#include "fit/answer.hpp"

namespace cavity {

using Warnings = std::vector<Warning>;

/// Reads the data summary, the questions and the leave-one-out of the fit.
Warnings fit_warnings(const Fit& fit, const std::vector<Answer>& answers, const Labelled& data,
                      const std::vector<Twins>& twins);

}  // namespace cavity
