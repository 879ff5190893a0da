// Do the features tell the classes apart at all? Asked of the whole table, whatever the cells of the fit say.
#pragma once

#include <vector>

#include "cavity/fit.hpp"
#include "fit/answer.hpp"

namespace cavity {

/// At most as dear as the fit itself, or a second; where even that is beyond, it says why there is none.
PermutationFit describe_permutation(const FitTable& table, const std::vector<Answer>& answers,
                                    const FitOptions& options, ThreadPool& pool);

}  // namespace cavity
