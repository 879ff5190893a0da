// Whether the parts of a model fit together.
#pragma once

#include <string>

#include "cavity/model.hpp"

namespace cavity {

/// The first thing that does not fit, in words; empty when prediction can rely on every size and index.
std::string model_fault(const Model& model);

}  // namespace cavity
