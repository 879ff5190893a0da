// What a user should know before trusting a fit, each with a name, its meaning and a cure.
#pragma once

#include "cavity/fit.hpp"
#include "choose/choose.hpp"
#include "judge/twins.hpp"
#include "select/check_data.hpp"

namespace cavity {

using Warnings = std::vector<Warning>;

/// Reads the data summary, the grid and the leave-one-out of the fit.
std::vector<Warning> fit_warnings(const Fit& fit, Solver solver, const Choice& choice);

/// About nearly equal samples, and covariates that give the label away.
Warnings warnings_about_data(const Fit& fit, const Labelled& data, const std::vector<Twins>& twins);

}  // namespace cavity
