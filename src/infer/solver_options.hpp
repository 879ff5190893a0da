// How long and how exactly an iterative solver runs, and who watches it.
#pragma once

#include <functional>
#include <span>

#include "design/design.hpp"

namespace cavity {

/// One record an update, for progress, traces and tests. Return false to stop (the status is then `stalled`).
struct Iteration {
  int number;
  double residual;
  double damping;  // share of the new value taken, in (0, 1]
  std::span<const double> mean;
};
using Observer = std::function<bool(const Iteration&)>;

struct SolverOptions {
  int max_iterations = 500;
  double tolerance = 1e-6;
  Observer observer;  // may be empty
  double share = 0;   // amp, gamp: the share of each proposal that is taken, in (0, 1]; 0: adapts
};

/// Of the products: rough where the tolerance allows for it.
inline Precision precision_for(const SolverOptions& options) {
  constexpr double finest_rough_tolerance = 5e-7;  // that products with a relative error near 1e-7 reach
  return options.tolerance >= finest_rough_tolerance ? Precision::rough : Precision::full;
}

}  // namespace cavity
