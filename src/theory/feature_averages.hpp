// The feature side of the state evolution: the fields are
//   h ~ (1-Ct) N(0, Qhat) + Ct N(0, Qhat + Rhat^2),
// (A, lambda) follow from the pruning conditions E P = C, E s = C on them, and then
//   Q = E m^2,   R = Ct Rhat/(Qhat + Rhat^2) E_1[h m],   v = E dm/dh,   s2 = E (w_o - (R/Q) m)^2.
// The distribution is a weighted set of nodes, so the Newton solve and the moments are those of inference.
#pragma once

#include "model/pruning.hpp"
#include "theory/ensemble.hpp"

namespace cavity::theory {

struct FeatureAverages {
  Overlaps overlaps;
  double variance_squared = 0;  // E (dm/dh)^2
  double log_partition = 0;     // E ln(1 + exp k) - lambda C - Ct E_1 h^2/(2A),  k = lambda - (1/2) ln A + h^2/(2A)
};

/// At a given (A, lambda); `prior.precision` is A.
FeatureAverages feature_averages(const Ensemble& ensemble, const Conjugates& hats, const PruningPrior& prior);

/// (A, lambda) from the pruning conditions. `start` is any guess.
PruningPrior solve_field_pruning(const Ensemble& ensemble, const Conjugates& hats, const PruningPrior& start);

}  // namespace cavity::theory
