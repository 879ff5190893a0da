// The paper's low-cost algorithm: approximate message passing with both Onsager terms, O(samples x features) an update.
#pragma once

#include "infer/posterior.hpp"

namespace cavity {

/// Converged when the proposed change of the weights is below `tolerance` relative to their length. The share of each
/// proposal that is taken starts at 1, shrinks when the change grows and recovers slowly when it falls, unless it is
/// fixed.
Posterior fit_amp(const Problem& problem, const SolverOptions& options, ThreadPool& pool);

}  // namespace cavity
