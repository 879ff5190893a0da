// Many points at once, and the student density at which the fixed point loses its stability.
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>

#include "cavity/theory.hpp"

namespace cavity {

namespace {

constexpr double lowest_density = 1e-4;
constexpr int scan_steps = 40;

// Walks from the teacher's density to `end` in logarithmic steps until AT - 1 changes sign, then closes in on it.
std::optional<double> lost_towards(const TheoryPoint& point, double end) {
  const auto excess = [&](double log_density) {
    TheoryPoint at = point;
    at.student.density = std::min(1.0, std::exp(log_density));
    return replica_fixed_point(at).stability - 1;
  };
  const double start = std::log(point.teacher.density), stop = std::log(end);
  double here = start, value = excess(start);
  if (!(value < 0)) return std::nullopt;  // unstable at the teacher's own density: there is no stable side to leave
  for (int i = 1; i <= scan_steps; ++i) {
    const double next = start + (stop - start) * i / scan_steps, next_value = excess(next);
    if (next_value >= 0) {
      const bool down = next < here;
      std::uintmax_t iterations = 60;
      const auto root = boost::math::tools::toms748_solve(excess, down ? next : here, down ? here : next,
                                                          down ? next_value : value, down ? value : next_value,
                                                          boost::math::tools::eps_tolerance<double>(40), iterations);
      return std::exp(0.5 * (root.first + root.second));
    }
    here = next;
    value = next_value;
  }
  return std::nullopt;
}

}  // namespace

StableDensities stability_density(const TheoryPoint& point) {
  StableDensities stable;
  if (point.teacher.density > lowest_density) stable.lowest = lost_towards(point, lowest_density);
  if (point.teacher.density < 1) stable.highest = lost_towards(point, 1);
  return stable;
}

std::vector<ReplicaSolution> sweep(std::span<const TheoryPoint> points) {
  std::vector<ReplicaSolution> solutions;
  for (const TheoryPoint& point : points) solutions.push_back(replica_fixed_point(point));
  return solutions;
}

}  // namespace cavity
