// The free energy is stationary in all six order parameters at the fixed point, by eighth-order central differences.
#include "theory/free_energy.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "fixed_point_state.hpp"
#include "theory_grid.hpp"

namespace cavity {
namespace {

using namespace theory;

struct Parameters {
  double r, q, r_hat, q_hat, f, lambda;
};

double energy(const Ensemble& e, const EvolutionState& at, const Parameters& d) {
  EvolutionState state{moved(at.overlaps, d.r, d.q), at.hats, at.prior};
  state.hats.overlap_hat += d.r_hat;
  state.hats.power_hat += d.q_hat;
  state.prior.precision += d.f + d.q_hat;  // A = F + Qhat
  state.prior.log_odds += d.lambda;
  return free_energy(e, state);
}

double derivative(const std::function<double(double)>& f, double h) {
  const double d1 = f(h) - f(-h), d2 = f(2 * h) - f(-2 * h), d3 = f(3 * h) - f(-3 * h), d4 = f(4 * h) - f(-4 * h);
  return (672 * d1 - 168 * d2 + 32 * d3 - 3 * d4) / (840 * h);
}

TEST(FreeEnergy, IsStationaryInItsSixParameters) {
  for (const TheoryPoint& point : whole_grid()) {
    SCOPED_TRACE(describe(point));
    const Ensemble e = make_ensemble(point);
    const ReplicaSolution s = replica_fixed_point(point);
    const EvolutionState at = state_of(e, s);
    const double v = at.overlaps.student_variance, s2 = at.overlaps.teacher_variance;
    // The scale on which the energy changes with each: the distance to where the parameter stops making sense.
    const Parameters scale{std::min(s.overlap, s2 * s.power / (2 * s.overlap)),
                           std::min({s.power, v, s2 * s.power * s.power / (s.overlap * s.overlap)}),
                           s.overlap_hat,
                           s.power_hat,
                           s.precision,
                           1};
    for (const auto& [name, member] : {std::pair{"R", &Parameters::r}, std::pair{"Q", &Parameters::q},
                                       std::pair{"Rhat", &Parameters::r_hat}, std::pair{"Qhat", &Parameters::q_hat},
                                       std::pair{"F", &Parameters::f}, std::pair{"lambda", &Parameters::lambda}}) {
      const auto along = [&](double step) {
        Parameters d{};
        d.*member = step;
        return energy(e, at, d);
      };
      const double slope = derivative(along, 0.01 * (scale.*member));
      // A parameter that can only move by less than 1e-3 is measured in units of a thousand times that room: the
      // energy, a number of order one in doubles, does not resolve the bare derivative to 1e-8 over so short a step.
      const double unit = std::min(1.0, 1e3 * (scale.*member));
      EXPECT_NEAR(slope * unit, 0, 1e-8) << name << " scale " << scale.*member << " raw " << slope;
    }
  }
}

}  // namespace
}  // namespace cavity
