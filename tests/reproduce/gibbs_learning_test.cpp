// One draw from the posterior classifies as the theory of Gibbs learning says, and worse than the posterior mean.
#include <gtest/gtest.h>

#include <cmath>

#include "reproduce/gibbs_points.hpp"
#include "reproduce/teacher_student.hpp"

namespace cavity {
namespace {

TEST(GibbsLearning, FollowsTheory) {
  ReproduceOptions options;
  options.quick = true;
  double draw_excess = 0, mean_excess = 0, gap = 0;
  const auto points = gibbs_points(options, 0.05);
  for (const GibbsPoint& p : points) {
    const ReplicaSolution theory = replica_fixed_point(ratio_one(p.teacher, p.density, 0.05));
    EXPECT_LT(std::abs(p.one_draw.mean - theory.error_gibbs), 2 * p.one_draw.half_width)
        << "teacher " << p.teacher << ", density " << p.density;
    draw_excess += (p.one_draw.mean - theory.error_gibbs) / static_cast<double>(points.size());
    mean_excess += (p.posterior_mean.mean - theory.error_sbc) / static_cast<double>(points.size());
    gap += (p.one_draw.mean - p.posterior_mean.mean) / static_cast<double>(points.size());
  }
  // 24 data sets of 100 samples: a standard error of about 0.01, and a finite-size shift of the same order.
  EXPECT_NEAR(draw_excess, 0, 0.04);
  EXPECT_NEAR(mean_excess, 0, 0.04);
  EXPECT_GT(gap, 0.03);
}

}  // namespace
}  // namespace cavity
