// What the fit and the model say of bent cells.
#pragma once

#include "cavity/fit.hpp"
#include "fit/bent.hpp"

namespace cavity {

/// Empty where they have no share.
BentMixture describe_bent_mixture(const BentAnswer& answer);

/// With each feature's part of the relevance, where pruned cells have a share.
BoundaryFit describe_boundary(const Preprocessing& preprocessing, const BentAnswer& answer);

}  // namespace cavity
