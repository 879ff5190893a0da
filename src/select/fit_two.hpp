// A fit of two classes, and its steps as a fit of more takes them for each class against the rest.
#pragma once

#include "base/shards.hpp"
#include "cavity/fit.hpp"
#include "choose/settle.hpp"
#include "grid/solve.hpp"

namespace cavity {

/// The labels are those of two classes.
Fit fit_two(Dataset data, const FitOptions& options, const Shards& shards);

/// Rows of one length where the solver takes them for such, unless the options say otherwise.
FitOptions with_rows(const Dataset& data, FitOptions options, const Shards& shards);

/// Intercept and covariates of the table.
Covariates fit_covariates(const Prepared& prepared, const FitOptions& options);

struct Solution {
  Solved solved;
  Choice choice;
};
/// InputError where no cell gave finite numbers.
Solution solve_and_choose(const Prepared& prepared, const GridProblem& problem, const FitOptions& options,
                          ThreadPool& pool, const SettleEffort& effort = {});

}  // namespace cavity
