#include "theory/state_evolution.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "model/normal.hpp"
#include "theory_grid.hpp"

namespace cavity {
namespace {

using namespace theory;

TEST(StateEvolution, StartsFromNothingAndEndsAtTheFixedPoint) {
  for (const TheoryPoint& point : mismatched_grid()) {
    SCOPED_TRACE(describe(point));
    const std::vector<EvolutionStep> path = state_evolution(point, 60);
    ASSERT_EQ(path.size(), 61u);
    EXPECT_EQ(path[0].overlap, 0);
    EXPECT_DOUBLE_EQ(path[0].error_sbc, 0.5);
    EXPECT_DOUBLE_EQ(path[0].error_gibbs, 0.5);
    const ReplicaSolution s = replica_fixed_point(point);
    EXPECT_NEAR(path.back().error_sbc, s.error_sbc, 1e-6);
    EXPECT_NEAR(path.back().power, s.power, 1e-6);
  }
}

TEST(StateEvolution, FirstConjugatesAreKnown) {
  const TheoryPoint point{2, {0.2, ActivationKind::step, 0.05}, {0.3, ActivationKind::step, 0.1}};
  const Ensemble e = make_ensemble(point);
  const Conjugates hats = channel_averages(e, no_overlap(e)).hats;
  const double a = 2 * 0.8 * inv_sqrt_2pi / std::sqrt(0.3), t1 = 0.9 * inv_sqrt_2pi / std::sqrt(0.2);
  EXPECT_NEAR(hats.power_hat, 2 * a * a, 1e-12);
  EXPECT_NEAR(hats.overlap_hat, 2 * 2 * t1 * a, 1e-12);
}

struct Mean {
  double sum = 0, square = 0;
  int n = 0;
  void add(double x) { sum += x, square += x * x, ++n; }
  double value() const { return sum / n; }
  double standard_error() const { return std::sqrt((square / n - value() * value()) / n); }
};

// One step by brute force: draw teacher weights, noise and fields, and average in a plain loop.
TEST(StateEvolution, OneStepAgreesWithMonteCarlo) {
  const Ensemble e = make_ensemble({1, {0.2, ActivationKind::step, 0.05}, {0.3, ActivationKind::step, 0.1}});
  const EvolutionState before = evolve(e, evolution_start(e)), after = evolve(e, before);
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  Mean power_hat, inclusion, power, overlap;
  const Overlaps& o = before.overlaps;
  for (int i = 0; i < 400000; ++i) {
    const double z = normal(random);
    const double teacher_field = o.alignment() * z + std::sqrt(o.teacher_variance) * normal(random);
    const bool flipped = uniform(random) < 0.05;
    const double label = (teacher_field > 0) != flipped ? 1 : -1;
    const double a = tilt(e.student, label * std::sqrt(o.power) * z, o.student_variance).a;
    power_hat.add(e.ratio * a * a);
    const double weight = uniform(random) < 0.2 ? normal(random) : 0;
    const double h = after.hats.overlap_hat * weight + std::sqrt(after.hats.power_hat) * normal(random);
    const FeatureMoments m = pruned_moments(h, after.prior.precision, after.prior.log_odds);
    inclusion.add(m.inclusion);
    power.add(m.mean * m.mean);
    overlap.add(weight * m.mean);
  }
  EXPECT_NEAR(power_hat.value(), after.hats.power_hat, 4 * power_hat.standard_error());
  EXPECT_NEAR(inclusion.value(), e.density, 4 * inclusion.standard_error());
  EXPECT_NEAR(power.value(), after.overlaps.power, 4 * power.standard_error());
  EXPECT_NEAR(overlap.value(), after.overlaps.overlap, 4 * overlap.standard_error());
}

}  // namespace
}  // namespace cavity
