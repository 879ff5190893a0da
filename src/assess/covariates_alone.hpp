// What the covariates know without the features: probit regression, P(y) = Phi(y (g0 + z.g)), g0 and g ~ N(0, 2.5^2) in
// standard deviations of each covariate, at its mode, left out sample by sample (beyond 100 in as many parts).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assess/sample_groups.hpp"
#include "base/threads.hpp"
#include "cavity/dataset.hpp"

namespace cavity {

/// Of a covariate's effect, in standard deviations of the covariate.
inline constexpr double alone_precision = 1 / (2.5 * 2.5);
/// The same of covariates beside features, which are only to be kept out of what these say.
inline constexpr double next_to_free = 0.01;

/// Probability of each sample's own label by a fit without it and its group; of more than 2000, without a two-hundredth
/// of them. Cost: a few Newton steps, samples x covariates^2, for each.
std::vector<double> leave_out_covariates(const FeatureMatrix& encoded, std::span<const std::int8_t> labels,
                                         const SampleGroups* groups, ThreadPool& pool);

}  // namespace cavity
