// One ranking of the features over all classes: inclusion max_k rho_k, with the weight and sd of that class.
#pragma once

#include "cavity/fit.hpp"
#include "design/design.hpp"

namespace cavity {

/// Without groups.
FeatureEstimates overall_features(const std::vector<ClassModel>& classes);

}  // namespace cavity
