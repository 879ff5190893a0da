// What a user should know before trusting a fit, each with a name, its meaning and a cure.
#pragma once

#include "cavity/fit.hpp"
#include "select/choose.hpp"

namespace cavity {

void add_warnings(Solver solver, const Choice& choice, Fit& fit);

}  // namespace cavity
