// A relevance for every feature of a kernel by ascent of the evidence: from several starts, of which the evidence ranks
// the ends. Where samples are many the starts climb on some of them, and the best goes on with all: a step on all costs
// samples^3, and the long way to the features that decide needs no more than some hundreds.
#pragma once

#include <optional>
#include <vector>

#include "search/bent_cells.hpp"

namespace cavity {

/// By these samples alone.
std::optional<FeatureKernel> find_relevances(const BentProblem& problem, const std::vector<std::size_t>& samples,
                                             ThreadPool& pool);

/// Multiply-adds that find_relevances takes at most.
double relevance_operations(std::size_t samples, std::size_t features);

}  // namespace cavity
