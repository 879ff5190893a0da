// Free energy density (1/N) [ln Z] as a function of its six order parameters, A = F + Qhat:
//   2 alpha int Dz T0 ln g(sqrt Q z; v) - Rhat R + Qhat Q/2 + F C/2 - lambda C
//     + E ln(1 + exp(lambda - (1/2) ln A + h^2/(2A))) - C/2 - H(C),   H(C) = -C ln C - (1-C) ln(1-C).
// Stationary in all six at the fixed point. Stability (de Almeida-Thouless):
//   AT = [2 alpha int Dz T0 b(sqrt Q z; v)^2] E[(dm/dh)^2] < 1.
#pragma once

#include "theory/state_evolution.hpp"

namespace cavity::theory {

double free_energy(const Ensemble& ensemble, const EvolutionState& state);
double stability(const Ensemble& ensemble, const EvolutionState& state);

}  // namespace cavity::theory
