// Some of many samples, both classes as among all, and what goes with them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "infer/problem.hpp"

namespace cavity {

/// About `enough` of `samples`, dealt by chance; all where they are no more than half as many again.
std::vector<std::size_t> some_of_both(std::span<const std::int8_t> labels, const std::vector<std::size_t>& samples,
                                      std::size_t enough);

std::vector<std::int8_t> labels_of(std::span<const std::int8_t> labels, const std::vector<std::size_t>& which);

Covariates covariates_of(const Covariates& covariates, const std::vector<std::size_t>& which);

}  // namespace cavity
