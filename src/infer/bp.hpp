// The reference solver: belief propagation on every edge of the factor graph, O(samples x features) memory. It exists
// to check AMP on small problems.
#pragma once

#include "infer/posterior.hpp"
#include "infer/problem.hpp"
#include "infer/solver_options.hpp"

namespace cavity {

/// Same stopping rule as fit_amp. No covariates; UsageError when samples x features is above 10^7.
Posterior fit_bp(const Problem& problem, const SolverOptions& options);

}  // namespace cavity
