// What is known of every feature of the file, and what the features say of every sample.
#pragma once

#include <span>

#include "fit/feature_mixture.hpp"

namespace cavity {

/// Of the inputs, whichever method found them.
struct InputEstimates {
  std::span<const double> mean, deviation, inclusion;
};
/// After whitening no input is a feature: a feature's share of the largest weight stands for its inclusion.
FeatureEstimates describe_features(const Preprocessing& preprocessing, std::span<const double> row_scale,
                                   const InputEstimates& estimates);
/// Mixed as the features are.
std::vector<CovariateEstimate> describe_covariates(const FitTable& table, const Answer& answer);
/// Only the intercept where inputs are no features.
Contributions describe_contributions(const FitTable& table, const Answer& answer, const FeatureMixture& mixture,
                                     ThreadPool& pool);

}  // namespace cavity
