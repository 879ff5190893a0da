#include "theory/free_energy.hpp"

#include <cmath>

namespace cavity::theory {

namespace {

double entropy(double density) {
  if (density >= 1) return 0;
  return -density * std::log(density) - (1 - density) * std::log1p(-density);
}

}  // namespace

double free_energy(const Ensemble& ensemble, const EvolutionState& state) {
  const auto& [overlaps, hats, prior] = state;
  const double c = ensemble.density;
  const double softplus = feature_averages(ensemble, hats, prior).softplus;
  // Qhat Q/2 + F C/2 = A C/2 - Qhat v/2: the left side is a difference of large numbers near perfect overlap.
  const double slab = 0.5 * (prior.precision * c - hats.power_hat * overlaps.student_variance);
  return channel_averages(ensemble, overlaps).log_g - hats.overlap_hat * overlaps.overlap + slab +
         (softplus - prior.log_odds * c) - 0.5 * c - entropy(c);
}

double stability(const Ensemble& ensemble, const EvolutionState& state) {
  return channel_averages(ensemble, state.overlaps).b_squared *
         feature_averages(ensemble, state.hats, state.prior).variance_squared;
}

}  // namespace cavity::theory
