#include "theory/generalization.hpp"

#include <cmath>

#include "theory/channel.hpp"
#include "theory/quadrature.hpp"

namespace cavity::theory {

namespace {

double integrated_error(const AnyActivation& teacher, double slope, double variance) {
  std::vector<Bend> bends;
  if (slope > 0) {
    const Bend turn = bend(teacher, variance);
    bends.push_back({turn.centre / slope, turn.distance / slope});
  }
  Nodes nodes;
  add_gauss_panels(nodes, 0, gauss_range, bends, 2);
  double sum = 0;
  for (std::size_t i = 0; i < nodes.x.size(); ++i) {
    const double field = -slope * nodes.x[i];
    const double wrong = variance > 0 ? average_likelihood(teacher, field, variance) : likelihood(teacher, field);
    sum += nodes.weight[i] * wrong;
  }
  return sum;
}

double error_of_sign(const AnyActivation& teacher, double slope, double variance) {
  const auto closed = closed_sign_error(teacher, slope, variance);
  return closed ? *closed : integrated_error(teacher, slope, variance);
}

}  // namespace

double error_sbc(const Ensemble& ensemble, const Overlaps& overlaps) {
  return error_of_sign(ensemble.teacher, overlaps.alignment(), overlaps.teacher_variance);
}

double error_gibbs(const Ensemble& ensemble, const Overlaps& overlaps) {
  const double c = overlaps.alignment();
  // Ct - R^2/C = s2 + (R^2/Q)(v/C)
  const double variance = overlaps.teacher_variance + c * c * overlaps.student_variance / ensemble.density;
  return error_of_sign(ensemble.teacher, overlaps.overlap / std::sqrt(ensemble.density), variance);
}

double best_error(const Ensemble& ensemble) {
  return error_of_sign(ensemble.teacher, std::sqrt(ensemble.teacher_density), 0);
}

}  // namespace cavity::theory
