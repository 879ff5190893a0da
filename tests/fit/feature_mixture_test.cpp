// Features of several cells as one.
#include "fit/feature_mixture.hpp"
#include "fit/answer.hpp"

#include <gtest/gtest.h>

#include "support/small_problem.hpp"

namespace cavity {
namespace {

// Nine times a ninth is more than 1 in floating point, and a model with an inclusion beyond 1 would be refused.
TEST(FeatureMixture, CertainInAllCellsIsNotMoreThanCertain) {
  const SmallProblem small = make_small({.samples = 10, .features = 3});
  constexpr std::size_t cells = 9;
  Answer answer{1, small.labels, ActivationKind::step, {}, {}};
  answer.mixed.weight.assign(cells, 1.0 / cells);
  Posterior certain;
  certain.mean = certain.variance = {0.5, 0.1, 0.0};
  certain.inclusion = {1, 0.5, 0};
  certain.common_field_variance = 1;
  answer.cells.list.assign(cells, solved_cell({0.5, 0.1}, 0, Method::ep, certain));
  const FeatureMixture mixed = mix_features(small.problem().design, answer);
  EXPECT_EQ(mixed.inclusion[0], 1);
  EXPECT_NEAR(mixed.inclusion[1], 0.5, 1e-15);
  EXPECT_EQ(mixed.inclusion[2], 0);
}

}  // namespace
}  // namespace cavity
