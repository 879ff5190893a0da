// The paper's low-cost algorithm: approximate message passing with both Onsager terms, O(samples x features) an update.
#pragma once

#include "infer/posterior.hpp"
#include "infer/problem.hpp"
#include "infer/solver_options.hpp"

namespace cavity {

/// Converged when the proposed change of the weights is below `tolerance` relative to their length; stalled at the
/// update limit, or when 40 updates have not brought the change a tenth lower. The share of each proposal that is taken
/// starts at 1, shrinks when there is no progress and recovers slowly when there is, unless it is fixed.
Posterior fit_amp(const Problem& problem, const SolverOptions& options, ThreadPool& pool);

/// Problems on one design (a grid) that advance together, one pass over the matrix for all of them; those that are done
/// leave. The same runs as fit_amp's, with products in single precision (but
/// one by one, in double, for a tolerance below 5e-7). The observer may be called from any thread;
/// `done` after each problem, one at a time.
/// `updates_of_others`: of runs that belong with these and have been done before. A batch of a few is not worth it, and
/// theirs count, so that the answers are those, bit for bit, of all runs together.
using AmpDone = std::function<void(std::size_t problem, const Posterior&)>;
std::vector<Posterior> fit_amp_together(std::span<const Problem> problems, const SolverOptions& options,
                                        const AmpDone& done, ThreadPool& pool,
                                        std::span<const int> updates_of_others = {});

}  // namespace cavity
