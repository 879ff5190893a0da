// One update of AMP in the limit of many features: (R, Q) -> (Rhat, Qhat) -> (A, lambda) -> (R, Q). Its fixed points
// are the replica-symmetric saddle points. Cost: some thousand activations and inclusions, about a quarter millisecond.
#pragma once

#include "theory/channel.hpp"
#include "theory/feature_averages.hpp"

namespace cavity::theory {

struct EvolutionState {
  Overlaps overlaps;
  Conjugates hats;     // that led to the overlaps
  PruningPrior prior;  // (A, lambda) that led to the overlaps; at the start, with no field yet, A = 1
};

EvolutionState evolution_start(const Ensemble& ensemble);
EvolutionState evolve(const Ensemble& ensemble, const EvolutionState& state);

}  // namespace cavity::theory
