#include "theory/state_evolution.hpp"

#include <fmt/format.h>

#include "cavity/errors.hpp"
#include "theory/generalization.hpp"

namespace cavity::theory {

EvolutionState evolution_start(const Ensemble& ensemble) {
  return {no_overlap(ensemble), {}, uninformed_prior(ensemble.density)};
}

EvolutionState evolve(const Ensemble& ensemble, const EvolutionState& state) {
  EvolutionState next;
  next.hats = channel_averages(ensemble, state.overlaps).hats;
  // F = A - Qhat moves little from step to step, A itself by orders of magnitude.
  const double slab = state.prior.precision - state.hats.power_hat;
  const PruningPrior guess{std::max(slab, -0.5 * next.hats.power_hat) + next.hats.power_hat, state.prior.log_odds};
  next.prior = solve_field_pruning(ensemble, next.hats, guess);
  next.overlaps = feature_averages(ensemble, next.hats, next.prior).overlaps;
  return next;
}

}  // namespace cavity::theory

namespace cavity {

std::vector<EvolutionStep> state_evolution(const TheoryPoint& point, int steps) {
  if (steps < 0) throw UsageError(fmt::format("{} steps: the number of steps must not be negative", steps));
  const theory::Ensemble ensemble = theory::make_ensemble(point);
  std::vector<EvolutionStep> path;
  theory::EvolutionState state = theory::evolution_start(ensemble);
  for (int t = 0; t <= steps; ++t) {
    if (t > 0) state = theory::evolve(ensemble, state);
    const theory::Overlaps& o = state.overlaps;
    path.push_back({t, o.overlap, o.power, theory::error_sbc(ensemble, o), theory::error_gibbs(ensemble, o)});
  }
  return path;
}

}  // namespace cavity
