#include "theory/channel.hpp"

#include <cmath>

namespace cavity::theory {

namespace {

Bend scaled(const Bend& bend, double factor) { return {bend.centre * factor, bend.distance * factor}; }

Nodes channel_nodes(const Ensemble& ensemble, const Overlaps& overlaps) {
  std::vector<Bend> bends;
  const double student_slope = std::sqrt(overlaps.power), teacher_slope = overlaps.alignment();
  if (student_slope > 0) bends.push_back(scaled(bend(ensemble.student, overlaps.student_variance), 1 / student_slope));
  if (teacher_slope > 0) bends.push_back(scaled(bend(ensemble.teacher, overlaps.teacher_variance), 1 / teacher_slope));
  Nodes nodes;
  add_gauss_panels(nodes, -gauss_range, 0, bends);
  add_gauss_panels(nodes, 0, gauss_range, bends);
  return nodes;
}

}  // namespace

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
