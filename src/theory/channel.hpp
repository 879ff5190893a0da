// The label side of the state evolution: with v = C - Q, s2 = Ct - R^2/Q, T0(z) = g_teacher(R z/sqrt Q; s2), T1 = its
// derivative in the first argument, and a, b of the student at (sqrt Q z; v),
//   Qhat = 2 alpha int Dz T0 a^2,   Rhat = 2 alpha int Dz T1 a,   Gamma = 2 alpha int Dz T0 b.
// Cost: one tilt of teacher and student a node, some hundred nodes (their number grows with ln(Q/v)).
#pragma once

#include "theory/ensemble.hpp"
#include "theory/quadrature.hpp"

namespace cavity::theory {

struct ChannelAverages {
  Conjugates hats;
  double gamma = 0;      // Gamma
  double log_g = 0;      // 2 alpha int Dz T0 ln g
  double b_squared = 0;  // 2 alpha int Dz T0 b^2
};
ChannelAverages channel_averages(const Ensemble& ensemble, const Overlaps& overlaps);

}  // namespace cavity::theory
