// The grid is walked with a loose tolerance, since most cells say no more than that they are not needed. Those that are
// get solved to the tolerance that was asked for.
#pragma once

#include "choose/choose.hpp"
#include "grid/solve.hpp"

namespace cavity {

/// Chooses, earns the leave-one-out of cells of the choice that keep few features, solves the cells of the choice to
/// the end, and chooses again, until all of them are settled. A cell that does not get there has stalled. The end is
/// `looser` times the tolerance.
Choice settle(const GridProblem& problem, const FitOptions& options, Solved& solved, ThreadPool& pool,
              double looser = 1);

}  // namespace cavity
