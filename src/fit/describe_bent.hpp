// What the model keeps of bent cells.
#pragma once

#include "cavity/fit.hpp"
#include "fit/bent.hpp"

namespace cavity {

/// Empty where they have no share.
BentMixture describe_bent_mixture(const BentAnswer& answer);

}  // namespace cavity
