// Inclusion, weight and spread of every feature under the mixture of cells, and groups of features that share theirs.
#pragma once

#include <cstdint>
#include <vector>

#include "cavity/fit.hpp"
#include "design/design.hpp"
#include "fit/answer.hpp"
#include "infer/posterior.hpp"

namespace cavity {

/// A feature that inference sees, in all processes; mean and sd in units of the field's sd. Inclusion is the average
/// over densities, where there is one.
struct FeatureMixture {
  std::vector<double> inclusion, mean, sd;
};

/// Each cell's weights are divided by the standard deviation of its predicted fields before mixing: the step activation
/// leaves the scale of the field free, and only field over deviation means the same in every cell.
FeatureMixture mix_features(const Design& design, const Answer& answer);

/// Standard deviation that turns a cell's fields into probit scores.
double field_scale(const Posterior& posterior, const AnyActivation& activation);

/// Contributions of the features with the largest ones, and what the rest adds up to; `covariate_field` is the mixed
/// field of intercept and covariates, a sample. `inputs` are positions among the features that inference sees.
Contributions contributions(const Design& design, const FeatureMixture& mixture,
                            const std::vector<double>& covariate_field, double intercept, ThreadPool& pool);

/// Sets of features, correlated above 0.9 in absolute value with their most included member, among the features with
/// noticeable inclusion. Ascending indices; only sets of two or more.
std::vector<std::vector<std::uint32_t>> correlated_groups(const Design& design, const std::vector<double>& inclusion,
                                                          ThreadPool& pool);

}  // namespace cavity
