// A public solution turned back into the internal state, and moves away from it.
#pragma once

#include "theory/state_evolution.hpp"

namespace cavity::theory {

inline EvolutionState state_of(const Ensemble& e, const ReplicaSolution& s) {
  const Conjugates hats{s.overlap_hat, s.power_hat};
  const PruningPrior prior{s.precision, s.log_odds};
  return {feature_averages(e, hats, prior).overlaps, hats, prior};
}

/// R + dr, Q + dq with v = C - Q and s2 = Ct - R^2/Q moved by their exact differences: near perfect overlap v itself
/// has more digits than C - Q.
inline Overlaps moved(const Overlaps& o, double dr, double dq) {
  const double q = o.power + dq;
  const double explained = dr * (2 * o.overlap + dr) / q - o.overlap * o.overlap * dq / (q * o.power);
  return {o.overlap + dr, q, o.student_variance - dq, o.teacher_variance - explained};
}

}  // namespace cavity::theory
