// Gaussian averages of integrands that are smooth but for a few sharp bends: composite Gauss-Legendre, 20 points a
// panel, panels cut until each is no wider than its distance to the nearest complex singularity. The error falls like
// rho^-40 with rho >= 3.3 for every panel, i.e. to rounding, however sharp the bend; the cost grows with its logarithm.
#pragma once

#include <span>
#include <vector>

#include "model/bend.hpp"

namespace cavity::theory {

struct Nodes {
  std::vector<double> x, weight;
};

/// The standard normal is negligible beyond this, even against averages of 1e-12.
inline constexpr double gauss_range = 12;

/// `bends` are those of f. Appends nodes such that sum weight f(x) = mass * int_low^high Dx f(x), Dx the standard
/// normal measure.
void add_gauss_panels(Nodes& nodes, double low, double high, std::span<const Bend> bends, double mass = 1);

}  // namespace cavity::theory
