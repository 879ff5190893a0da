// From the probabilities of left-out samples to the error that is reported.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cavity/fit.hpp"
#include "leave/sample_groups.hpp"

namespace cavity {

/// `own` is the probability of each sample's own label, `positive` that of the positive class: what one is, the other
/// is only up to rounding, so both are given. Classes count as in the population, where there is one.
LooEstimate loo_estimate(std::span<const double> own, std::vector<double> positive, std::vector<bool> reliable,
                         std::span<const std::int8_t> labels,
                         const std::optional<std::array<double, 2>>& population = {});

/// How well the error is known where samples of a group err together. `wrong`: how wrong each sample is, 0 to 1.
void know_by_groups(std::span<const double> wrong, std::span<const double> weights, const SampleGroups& groups,
                    LooEstimate& estimate);

/// From ln of the probability of each sample's own label, shifted to the population; `groups` of samples were left out
/// as a whole, where there are any.
LooEstimate loo_estimate(const std::vector<double>& log_probability, std::vector<bool> reliable,
                         std::span<const std::int8_t> labels, const SampleGroups* groups,
                         const std::optional<std::array<double, 2>>& population = {});

}  // namespace cavity
