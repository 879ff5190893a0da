// What a user should know before trusting a fit of more than two classes.
#pragma once

#include "select/check_data.hpp"
#include "select/fit_warnings.hpp"

namespace cavity {

/// Those of the classes against the rest, one of a name, with the classes that it concerns; rare classes; near-equal
/// samples.
Warnings several_warnings(const Fit& fit, const std::vector<Warnings>& of_class, const Labelled& data,
                          const std::vector<Twins>& twins);

}  // namespace cavity
