// "Checks that must hold" of the formula sheet, on the grid.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "fixed_point_state.hpp"
#include "theory/channel.hpp"
#include "theory/feature_averages.hpp"
#include "theory_grid.hpp"

namespace cavity {
namespace {

using namespace theory;

TEST(Identities, GridIsLargeEnough) { EXPECT_GE(matched_grid().size(), 40u); }

TEST(Identities, MatchedStudentIsOnTheNishimoriLine) {
  for (const TheoryPoint& point : matched_grid()) {
    SCOPED_TRACE(describe(point));
    const ReplicaSolution s = replica_fixed_point(point);
    ASSERT_TRUE(s.converged);
    EXPECT_NEAR(s.overlap / s.power, 1, 1e-8);
    EXPECT_NEAR(s.overlap_hat / s.power_hat, 1, 1e-8);
    EXPECT_NEAR(s.slab_precision, 1, 1e-8);
    const double c = point.student.density;
    if (c < 1) {
      EXPECT_NEAR(s.log_odds, std::log(c / (1 - c)), 1e-8);
    }
    EXPECT_LT(s.stability, 1);
    EXPECT_LT(s.error_sbc, s.error_gibbs);
  }
}

TEST(Identities, MeanVarianceIsDensityLessPower) {
  for (const TheoryPoint& point : whole_grid()) {
    SCOPED_TRACE(describe(point));
    const Ensemble e = make_ensemble(point);
    const ReplicaSolution s = replica_fixed_point(point);
    ASSERT_TRUE(s.converged);
    const Overlaps o = feature_averages(e, {s.overlap_hat, s.power_hat}, {s.precision, s.log_odds}).overlaps;
    EXPECT_NEAR(o.student_variance, e.density - s.power, 1e-8 * e.density);
    EXPECT_NEAR(o.teacher_variance, e.teacher_density - s.overlap * s.overlap / s.power, 1e-8 * e.teacher_density);
    EXPECT_NEAR(o.overlap, s.overlap, 1e-8 * e.teacher_density);
  }
}

TEST(Identities, StepActivationIsScaleFree) {
  for (const TheoryPoint& point : whole_grid()) {
    if (point.student.activation != ActivationKind::step) continue;
    SCOPED_TRACE(describe(point));
    const Ensemble e = make_ensemble(point);
    const ReplicaSolution s = replica_fixed_point(point);
    const Overlaps o = feature_averages(e, {s.overlap_hat, s.power_hat}, {s.precision, s.log_odds}).overlaps;
    EXPECT_NEAR(s.precision + channel_averages(e, o).gamma, 1, 1e-8);
  }
}

TEST(Identities, TheTeachersDensityIsTheBest) {
  for (TheoryPoint point : matched_grid()) {
    const double best = point.teacher.density;
    if (best > 0.9 || point.student.activation == ActivationKind::logistic) continue;
    SCOPED_TRACE(describe(point));
    const ReplicaSolution s = replica_fixed_point(point);
    const double least = s.error_sbc;
    for (const double factor : {0.9, 0.97, 1.03, 1.1}) {
      point.student.density = factor * best;
      EXPECT_GT(replica_fixed_point(point).error_sbc, least) << factor;
    }
    const auto error = [&](double t) {
      point.student.density = best * std::exp(t);
      return replica_fixed_point(point).error_sbc;
    };
    // The curve bends on the scale of the features too weak to be told, a fraction sqrt(v/C) of them.
    const double h = 0.02 * std::sqrt(1 - s.power / best);
    const double slope =
        (45 * (error(h) - error(-h)) - 9 * (error(2 * h) - error(-2 * h)) + error(3 * h) - error(-3 * h)) / (60 * h);
    EXPECT_NEAR(slope, 0, 1e-8);
  }
}

// free/alpha at alpha -> 0 by polynomial extrapolation (Neville) from small ratios.
TEST(Identities, WithoutSamplesOnlyLogTwoIsLeft) {
  for (const TheoryPoint& model : whole_grid()) {
    if (model.ratio != 1) continue;
    SCOPED_TRACE(describe(model));
    const double unit = 2e-3 * std::min(model.student.density, model.teacher.density);
    std::vector<double> alpha, value;
    for (int i = 1; i <= 6; ++i) {
      TheoryPoint point = model;
      point.ratio = unit * i;
      alpha.push_back(point.ratio);
      value.push_back(replica_fixed_point(point).free_energy / point.ratio);
    }
    for (std::size_t level = 1; level < value.size(); ++level)
      for (std::size_t i = value.size() - 1; i >= level; --i)
        value[i] = (alpha[i] * value[i - 1] - alpha[i - level] * value[i]) / (alpha[i] - alpha[i - level]);
    EXPECT_NEAR(value.back(), -std::numbers::ln2, 1e-8);
  }
}

TEST(Identities, ReferenceValue) {
  const Perceptron truth{0.1, ActivationKind::step, 0.05};
  EXPECT_NEAR(replica_fixed_point({1, truth, truth}).error_sbc, 0.1756996532, 1e-10);
}

}  // namespace
}  // namespace cavity
