// The corners: no NaN anywhere, both ends, stability, misuse.
#include <gtest/gtest.h>

#include <cmath>

#include "cavity/errors.hpp"
#include "theory_grid.hpp"

namespace cavity {
namespace {

TEST(Limits, EveryMatchedCornerConverges) {
  for (const double density : {1e-4, 1e-3, 0.3, 0.999, 1.0})
    for (const double ratio : {1e-4, 0.01, 1.0, 100.0, 1000.0})
      for (const double noise : {0.0, 1e-9, 0.05, 0.499}) {
        const Perceptron truth{density, ActivationKind::step, noise};
        const TheoryPoint point{ratio, truth, truth};
        SCOPED_TRACE(describe(point));
        const ReplicaSolution s = replica_fixed_point(point);
        EXPECT_TRUE(s.converged);
        EXPECT_TRUE(s.error_sbc > noise && s.error_sbc <= 0.5) << s.error_sbc;
        EXPECT_GE(s.error_gibbs, s.error_sbc);
        for (const double x : {s.overlap, s.power, s.overlap_hat, s.power_hat, s.precision, s.log_odds, s.free_energy})
          EXPECT_TRUE(std::isfinite(x));
        EXPECT_TRUE(s.stability >= 0 && s.stability < 1) << s.stability;
      }
}

TEST(Limits, MismatchedCornersAreFinite) {
  for (const double teacher : {1e-3, 0.1, 1.0})
    for (const double student : {1e-3, 0.1, 1.0})
      for (const double ratio : {0.01, 1.0, 100.0}) {
        const TheoryPoint point{ratio, {teacher, ActivationKind::step, 0.05}, {student, ActivationKind::step, 0.05}};
        SCOPED_TRACE(describe(point));
        const ReplicaSolution s = replica_fixed_point(point);
        EXPECT_TRUE(s.converged);
        EXPECT_TRUE(std::isfinite(s.free_energy) && std::isfinite(s.stability));
        for (const EvolutionStep& step : state_evolution(point, 5))
          EXPECT_TRUE(step.error_sbc >= 0.05 && step.error_sbc <= 0.5 && step.power >= 0) << step.t;
      }
}

TEST(Limits, AnOverconfidentStudentIsReportedNotInvented) {
  const ReplicaSolution s =
      replica_fixed_point({10, {0.1, ActivationKind::step, 0.05}, {0.1, ActivationKind::step, 0}});
  EXPECT_FALSE(s.converged);
}

TEST(Limits, BothEndsMeetForMatchedStudents) {
  for (const TheoryPoint& point : matched_grid()) {
    if (point.student.activation == ActivationKind::logistic) continue;
    SCOPED_TRACE(describe(point));
    const BothEnds ends = replica_both_ends(point);
    EXPECT_TRUE(ends.informed.converged);
    EXPECT_FALSE(ends.bistable);
    EXPECT_NEAR(ends.informed.error_sbc, ends.uninformed.error_sbc, 1e-10);
    EXPECT_EQ(ends.informed.start, TheoryStart::informed);
  }
}

TEST(Limits, StabilityIsLostWhereItSaysSo) {
  for (const double ratio : {0.3, 1.0, 5.0}) {
    TheoryPoint point{ratio, {0.1, ActivationKind::step, 0.05}, {0.1, ActivationKind::step, 0.05}};
    const StableDensities stable = stability_density(point);
    ASSERT_TRUE(stable.lowest.has_value());
    EXPECT_LT(*stable.lowest, 0.1);
    point.student.density = *stable.lowest;
    EXPECT_NEAR(replica_fixed_point(point).stability, 1, 1e-8);
    point.student.density = 1.01 * *stable.lowest;
    EXPECT_LT(replica_fixed_point(point).stability, 1);
  }
}

TEST(Limits, NonsenseIsRefused) {
  const Perceptron good{0.1, ActivationKind::step, 0.05};
  const auto with = [&](double density, double noise) { return Perceptron{density, ActivationKind::step, noise}; };
  EXPECT_THROW(replica_fixed_point({-1, good, good}), UsageError);
  EXPECT_THROW(replica_fixed_point({0, good, good}), UsageError);
  EXPECT_THROW(replica_fixed_point({NAN, good, good}), UsageError);
  EXPECT_THROW(replica_fixed_point({1, good, with(0, 0.05)}), UsageError);
  EXPECT_THROW(replica_fixed_point({1, with(1.5, 0.05), good}), UsageError);
  EXPECT_THROW(replica_fixed_point({1, good, with(0.1, 0.5)}), UsageError);
  EXPECT_THROW(state_evolution({1, good, good}, -1), UsageError);
}

}  // namespace
}  // namespace cavity
