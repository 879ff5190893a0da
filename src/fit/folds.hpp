// What solutions without some of the samples say of them. EP's leave-one-out keeps the sites of all other samples as
// they are. Where few features are kept they would move without the sample, and the answer is rosy: by 0.03 to 0.05 of
// the error at 25 and 12 kept features of a gene table. gamp's takes features for independent: on text it is too dark,
// by 0.02 to 0.04 of the error. There it is earned: solutions without a fifth of the samples, each a few updates from
// the one of all samples. Where samples come in groups, EP's cells that have passed are then solved without each group:
// a fifth less to learn from is farther from a refit without one group (0.03 to 0.04 of a probability on gene tables)
// than such a solution (0.002).
#pragma once

#include <optional>

#include "infer/problem.hpp"
#include "infer/solver_options.hpp"
#include "search/cells.hpp"

namespace cavity {

/// What the solutions of a cell's problem without each fold say of its samples, of a cell that ep or gamp has solved.
/// Nothing where a fold's solution is not found near by: the cell is one peak of several. The folds are the same for
/// every seed: there is no chance in these solvers. They are solved 10^4 times looser than `options` say (gamp: 10^3),
/// to 1e-2 by default, of ep in ten updates at most.
std::optional<LeftOut> leave_out_folds(const Problem& problem, const SolvedCell& cell, const SolverOptions& options,
                                       ThreadPool& pool);

/// The same without each of the problem's groups, or without each of 100 parts of them where they are more: of ep three
/// to five updates a part.
std::optional<LeftOut> leave_out_groups(const Problem& problem, const SolvedCell& cell, const SolverOptions& options,
                                        ThreadPool& pool);

}  // namespace cavity
