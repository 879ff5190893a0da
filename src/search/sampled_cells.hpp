// The sparsest cells of the default search: they keep 6, 3, 2 and 1 features, where EP has no fixed point to trust.
// Their places are sampled (infer/places.hpp), all rows by the same chains, in one column: flips that a table of
// labels may well have, and a boundary that is as wide for one kept feature as for six. Of a dense table they see
// scores (place_inputs.hpp), by which a boundary may be narrow: where one gene decides, draws alone had an error of
// 0.237 with width 0.5, 0.217 with 0.2. There the row of one feature is summed, not sampled (single_places.hpp).
#pragma once

#include "search/search.hpp"

namespace cavity {

/// With them after those of a default grid that EP has solved, where features outnumber samples (otherwise the draws
/// cost much and EP sees what there is), not after whitening. Where they would cost more than the
/// rest of the grid, and more than a few seconds, they are left out, and `why` says so.
Cells with_sampled_cells(Cells cells, const Prepared& prepared, const GridProblem& problem, const FitOptions& options,
                         ThreadPool& pool);

}  // namespace cavity
