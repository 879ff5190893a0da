// SIMD passes over the features (Highway, dispatched at run time); see pruning.hpp for the formulas.
#pragma once

#include "model/pruning.hpp"

namespace cavity::kernels {

PruningSums pruning_sums(const FeatureMessages& messages, const PruningPrior& prior);
void pruned_moments(const FeatureMessages& messages, const PruningPrior& prior, const FeatureOutputs& out);

}  // namespace cavity::kernels
