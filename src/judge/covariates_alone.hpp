// What the covariates know without the features: probit regression, P(y) = Phi(y (g0 + z.g)), g0 ~ N(0, 10^2) and
// g ~ N(0, 2.5^2) in standard deviations of each covariate, at its mode, left out sample by sample.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/threads.hpp"
#include "cavity/dataset.hpp"
#include "leave/sample_groups.hpp"

namespace cavity {

/// Probability of each sample's own label by a fit without it and its group; of more than 2000, without a two-hundredth
/// of them. Cost: a few Newton steps, samples x covariates^2, for each.
std::vector<double> leave_out_covariates(const FeatureMatrix& encoded, std::span<const std::int8_t> labels,
                                         const SampleGroups* groups, ThreadPool& pool);

/// Of two lists of own-label probabilities: how much smaller the second's mean loss is, with its standard error.
struct Gain {
  double value = 0, se = 0;
};
Gain error_gain(std::span<const double> first, std::span<const double> second, const SampleGroups* groups = nullptr);
Gain log_loss_gain(std::span<const double> first, std::span<const double> second, const SampleGroups* groups = nullptr);

}  // namespace cavity
