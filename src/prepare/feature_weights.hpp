// From what inference finds of its inputs to weights of the features, in their units.
#pragma once

#include <span>
#include <vector>

#include "cavity/preprocessing.hpp"

namespace cavity {

/// Weights of the inputs -> weights per unit of the transformed feature, for all features (0 for the dropped ones),
/// such that for a row of that row scale  x . mean / sqrt(inputs) = sum_l weight_l value_l + constant.
std::vector<double> feature_weights(const Preprocessing& preprocessing, std::span<const double> mean,
                                    double mean_row_scale);

/// The same for standard deviations of independent inputs.
std::vector<double> feature_deviations(const Preprocessing& preprocessing, std::span<const double> deviation,
                                       double mean_row_scale);

}  // namespace cavity
