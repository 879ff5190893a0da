// lambda alone, for messages and slab precision that stay: mean inclusion = density.
#pragma once

#include <functional>

#include "model/own_precision_kernels.hpp"

namespace cavity {

struct LogOddsTarget {
  double density;    // C in (0, 1)
  double count;      // of features, all processes together
  double tolerance;  // of |mean P - C|/C
};

/// Newton on the log-odds of the mean inclusion, which rises with lambda, kept within the bracket that it has seen.
/// `sums` are over the features of all processes; one call a step, two or three steps from a lambda nearby.
double solve_log_odds(const LogOddsTarget& target, double start,
                      const std::function<kernels::InclusionSums(double log_odds)>& sums);

}  // namespace cavity
