// What a user should know before trusting a fit, each with a name, its meaning and a cure.
#pragma once

#include "cavity/fit.hpp"
#include "choose/choose.hpp"

namespace cavity {

/// Reads the data summary, the grid and the leave-one-out of the fit.
std::vector<Warning> fit_warnings(const Fit& fit, Solver solver, const Choice& choice);

}  // namespace cavity
