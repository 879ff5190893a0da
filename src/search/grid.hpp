// The density x noise grid: which points, in which order.
#pragma once

#include <vector>

#include "cavity/fit_options.hpp"

namespace cavity {

struct GridPoint {
  double density, noise;
  double width = 0;  // in units of sqrt(density)
};

/// Rows by density (falling), columns by noise and width, in the order of solving: point (i, j) stands at
/// i * columns + j.
struct Grid {
  std::vector<double> density;             // falling
  std::vector<std::vector<double>> noise;  // a density, a column; the probit and logistic scales go with sqrt(density)
  std::vector<std::vector<double>> width;  // a density, a column
  std::size_t columns() const { return noise.front().size(); }
  std::size_t size() const { return density.size() * columns(); }
  GridPoint point(std::size_t index) const {
    const std::size_t row = index / columns(), column = index % columns();
    return {density[row], noise[row][column], width[row][column]};
  }
};

/// The values asked for, or the defaults: densities 0.5, 0.1 and those that keep 200, 50, 25 and 12 of `features`;
/// of gamp densities from 0.5 down to 0.005 and three noises; with `paper` the paper's. UsageError for values out of
/// range.
Grid make_grid(const FitOptions& options, std::size_t features, Solver solver = Solver::ep);

/// Features that a cell of EP has to keep: sparser posteriors have many peaks, and its leave-one-out is optimistic.
inline constexpr double fewest_kept = 10;

/// The noise and width that are best on most tables; any density.
GridPoint usual_point();

/// The most that labels are flipped with, by default.
double most_flips();

/// Whether all of it is left to us, the activation included.
bool is_default_grid(const FitOptions& options);

}  // namespace cavity
