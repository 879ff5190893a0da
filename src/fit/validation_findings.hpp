// What a validation says that is more than chance, each with a name, what it means and what to do.
#pragma once

#include <vector>

#include "cavity/validate.hpp"

namespace cavity {

/// `training`: samples of the fit that the drift was measured against.
std::vector<Finding> findings_of(const Validation& validation, std::size_t training);

}  // namespace cavity
