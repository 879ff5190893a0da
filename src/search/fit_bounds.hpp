// What the numbers of a fit may be, in one place for the command line, Python and R.
#pragma once

#include "cavity/fit_options.hpp"

namespace cavity {

/// UsageError for a density outside (0, 1], or so small that its powers leave the range of numbers.
void check_density(double density);

/// The same for every numeric option: the smallest that is told from 0, the largest that has a meaning.
void check_bounds(const FitOptions& options);

}  // namespace cavity
