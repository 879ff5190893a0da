// Which features fill a place of the model: from the draws of the heaviest cell whose places were sampled.
#pragma once

#include "select/describe.hpp"

namespace cavity {

/// Most filled first; none where cells with sampled places carry too little weight.
std::vector<CredibleSet> describe_credible_sets(const Answer& answer, ThreadPool& pool);

}  // namespace cavity
