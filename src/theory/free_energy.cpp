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
  const double c = ensemble.density, r_hat = hats.overlap_hat;
  // Near perfect overlap Rhat R, A C/2 and E_1 h^2/(2A) are huge and cancel. Their sum by completing the square, with
  // Ct - R^2/C = s2 + (R^2/Q)(v/C):
  //   A C/2 - Rhat R + Ct Rhat^2/(2A) = [C (A - Rhat R/C)^2 + Rhat^2 (Ct - R^2/C)]/(2A).
  const double mismatch = prior.precision - r_hat * overlaps.overlap / c;
  const double alignment = overlaps.alignment();
  const double unexplained = overlaps.teacher_variance + alignment * alignment * overlaps.student_variance / c;
  const double squares = (c * mismatch * mismatch + r_hat * r_hat * unexplained) / (2 * prior.precision);
  const double fields = feature_averages(ensemble, hats, prior).log_partition +
                        0.5 * ensemble.teacher_density * hats.power_hat / prior.precision;
  return channel_averages(ensemble, overlaps).log_g + squares - 0.5 * hats.power_hat * overlaps.student_variance +
         fields - 0.5 * c - entropy(c);
}

double stability(const Ensemble& ensemble, const EvolutionState& state) {
  return channel_averages(ensemble, state.overlaps).b_squared *
         feature_averages(ensemble, state.hats, state.prior).variance_squared;
}

}  // namespace cavity::theory
