#include "theory/channel.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace cavity::theory {

namespace {

// Zeros of Phi nearest to the real axis.
constexpr Bend cdf_zero{-1.92, 2.8};

// k + (1 - 2k) Phi(z) = 0: for small k the tail exp(-z^2/2) has to reach -k, so at z = -x + i pi/x, x = sqrt(-2 ln k).
Bend flipped_cdf_zero(double flip) {
  if (flip <= 0) return cdf_zero;
  const double x = std::sqrt(-2 * std::log(flip));
  return {-x, std::min(cdf_zero.distance, 0.8 * std::numbers::pi / x)};
}

Bend scaled(const Bend& bend, double factor) { return {bend.centre * factor, bend.distance * factor}; }

Nodes channel_nodes(const Ensemble& ensemble, const Overlaps& overlaps) {
  std::vector<Bend> bends;
  const double student_slope = std::sqrt(overlaps.power), teacher_slope = overlaps.alignment();
  if (student_slope > 0)
    bends.push_back(scaled(activation_bend(ensemble.student, overlaps.student_variance), 1 / student_slope));
  if (teacher_slope > 0)
    bends.push_back(scaled(activation_bend(ensemble.teacher, overlaps.teacher_variance), 1 / teacher_slope));
  Nodes nodes;
  add_gauss_panels(nodes, -gauss_range, 0, bends);
  add_gauss_panels(nodes, 0, gauss_range, bends);
  return nodes;
}

}  // namespace

Bend activation_bend(const AnyActivation& activation, double variance) {
  if (const auto* f = std::get_if<ThresholdActivation>(&activation))
    return scaled(flipped_cdf_zero(f->flip), std::sqrt(variance + f->width * f->width));
  // The poles of the logistic function at +- i pi width, smoothed away once the Gaussian is wider than them.
  return {0, std::max(2.5 * std::get<LogisticActivation>(activation).width, 1.5 * std::sqrt(variance))};
}

ChannelAverages channel_averages(const Ensemble& ensemble, const Overlaps& overlaps) {
  const Nodes nodes = channel_nodes(ensemble, overlaps);
  const double student_slope = std::sqrt(overlaps.power), teacher_slope = overlaps.alignment();
  ChannelAverages sums;
  for (std::size_t i = 0; i < nodes.x.size(); ++i) {
    const double z = nodes.x[i];
    const Tilt teacher = tilt(ensemble.teacher, teacher_slope * z, overlaps.teacher_variance);
    const double t0 = 2 * ensemble.ratio * nodes.weight[i] * std::exp(teacher.log_g);
    if (t0 == 0) continue;  // the student's terms may overflow where the teacher never goes
    const Tilt student = tilt(ensemble.student, student_slope * z, overlaps.student_variance);
    sums.hats.power_hat += t0 * student.a * student.a;
    sums.hats.overlap_hat += t0 * teacher.a * student.a;
    sums.gamma += t0 * student.b;
    sums.log_g += t0 * student.log_g;
    sums.b_squared += t0 * student.b * student.b;
  }
  return sums;
}

}  // namespace cavity::theory
