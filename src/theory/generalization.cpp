#include "theory/generalization.hpp"

#include <cmath>
#include <numbers>

#include "theory/channel.hpp"
#include "theory/quadrature.hpp"

namespace cavity::theory {

namespace {

double logistic_error(const AnyActivation& teacher, double slope, double variance) {
  std::vector<Bend> bends;
  if (slope > 0) {
    const Bend bend = activation_bend(teacher, variance);
    bends.push_back({bend.centre / slope, bend.distance / slope});
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

// atan2 instead of arccos: no digits are lost near perfect overlap.
double sign_error(const AnyActivation& teacher, double slope, double variance) {
  if (const auto* f = std::get_if<ThresholdActivation>(&teacher))
    return f->flip +
           (1 - 2 * f->flip) * std::atan2(std::sqrt(variance + f->width * f->width), slope) / std::numbers::pi;
  return logistic_error(teacher, slope, variance);
}

}  // namespace

double error_sbc(const Ensemble& ensemble, const Overlaps& overlaps) {
  return sign_error(ensemble.teacher, overlaps.alignment(), overlaps.teacher_variance);
}

double error_gibbs(const Ensemble& ensemble, const Overlaps& overlaps) {
  const double c = overlaps.alignment();
  // Ct - R^2/C = s2 + (R^2/Q)(v/C)
  const double variance = overlaps.teacher_variance + c * c * overlaps.student_variance / ensemble.density;
  return sign_error(ensemble.teacher, overlaps.overlap / std::sqrt(ensemble.density), variance);
}

double best_error(const Ensemble& ensemble) {
  return sign_error(ensemble.teacher, std::sqrt(ensemble.teacher_density), 0);
}

}  // namespace cavity::theory
