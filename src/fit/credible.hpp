// Which features fill a place of the model: from the draws of all cells whose places were sampled.
#pragma once

#include "fit/answer.hpp"

namespace cavity {

/// Most filled first; none where cells with sampled places carry too little weight. `inclusion`: of every feature of
/// the file, by all cells.
std::vector<CredibleSet> describe_credible_sets(const FitTable& table, const Answer& answer,
                                                const std::vector<double>& inclusion, ThreadPool& pool);

}  // namespace cavity
