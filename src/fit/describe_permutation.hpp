// Do the features tell the classes apart at all? Asked of the whole table, whatever the cells of the fit say.
#pragma once

#include <vector>

#include "cavity/fit.hpp"
#include "fit/answer.hpp"

namespace cavity {

/// What is asked of all features together, whatever the cells say: their kernel, and what is known beside them (the
/// classes' shares are, whatever the fit does without).
struct TableKernel {
  Matrix kernel, covariates;
  std::string why_none;  // where it is beyond what a fit may cost
};
TableKernel table_kernel(const FitTable& table, ThreadPool& pool);

/// At most as dear as the fit itself, or a second; where even that is beyond, it says why there is none.
PermutationFit describe_permutation(const FitTable& table, const std::vector<Answer>& answers,
                                    const TableKernel& kernel, const FitOptions& options, ThreadPool& pool);

}  // namespace cavity
