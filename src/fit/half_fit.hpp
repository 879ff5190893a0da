// The mixture of a fit on some of its samples: its cells solved there, from the solution of all samples where EP has
// left one, and mixed with the weights that they have.
#pragma once

#include <optional>
#include <vector>

#include "fit/describe.hpp"

namespace cavity {

/// Inclusion of every feature that inference sees; none where no cell converged. Preparation, grid points and weights
/// are those of all samples, cells that do not converge here leave theirs to the others. One thread.
std::optional<std::vector<double>> half_inclusion(const FitTable& table, const Answer& answer,
                                                  const FitOptions& options, const std::vector<std::size_t>& samples);

}  // namespace cavity
