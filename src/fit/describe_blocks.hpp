// What each block says alone, what all say without it, and its part of the fit's field.
#pragma once

#include <optional>

#include "fit/answer.hpp"
#include "fit/calibrate.hpp"
#include "fit/fit_table.hpp"

namespace cavity {

/// None where the features come from one table. Losses are those of kernels (fit/block_kernels.hpp) with scales found
/// for each choice of blocks: 2 B + 1 of them, O(samples^3) a step.
std::optional<BlockReport> describe_blocks(const FitTable& table, const std::vector<Answer>& answers,
                                           const Calibrated& calibrated, ThreadPool& pool);

}  // namespace cavity
