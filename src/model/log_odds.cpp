#include "model/log_odds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cavity {

double solve_log_odds(const LogOddsTarget& target, double start,
                      const std::function<kernels::InclusionSums(double log_odds)>& sums) {
  constexpr int max_steps = 100;
  constexpr double longest = 20;
  const double c = target.density, wanted = std::log(c / (1 - c));
  double low = -std::numeric_limits<double>::infinity(), high = -low, lambda = start;
  for (int step = 0; step < max_steps; ++step) {
    const kernels::InclusionSums at = sums(lambda);
    const double p = at.inclusion / target.count, spread = at.spread / target.count;
    if (!(std::abs(p - c) > target.tolerance * c)) break;
    (p > c ? high : low) = lambda;
    double change =
        p > 0 && p < 1 ? (wanted - std::log(p / (1 - p))) * p * (1 - p) / spread : std::copysign(longest, c - p);
    if (!(std::abs(change) <= longest)) change = std::copysign(longest, c - p);
    const double next = lambda + change;
    lambda = next > low && next < high ? next : 0.5 * (low + high);
  }
  return lambda;
}

}  // namespace cavity
