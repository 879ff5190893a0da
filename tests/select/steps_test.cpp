// The steps of a fit as values: one prepared table serves any number of solves.
#include <gtest/gtest.h>

#include "cavity/simulate.hpp"
#include "prepare/make_design.hpp"
#include "select/describe.hpp"
#include "select/make_covariates.hpp"

namespace cavity {
namespace {

FitOptions two_cells() {
  FitOptions options;
  options.grid.density = {0.3, 0.1};
  options.grid.noise = {0.1};
  options.threads = 1;
  return options;
}

TEST(Steps, OnePreparedTableServesSeveralLabels) {
  const FitOptions options = two_cells();
  Dataset data = simulate({.samples = 40, .features = 60, .teacher = 0.1, .noise = 0.05, .seed = 3}).data;
  const Fit whole = fit(data, options);
  ThreadPool pool(1);
  const Labelled labelled = checked_labels(data);
  const Prepared prepared = prepare(std::move(data), options.preprocessing, pool);
  const auto design = make_design(prepared);
  const Covariates covariates =
      make_covariates(prepared.covariates, prepared.samples(), true, covariate_prior_precision);
  auto flipped = labelled.labels;
  for (auto& y : flipped) y = static_cast<std::int8_t>(-y);
  using Labels = std::vector<std::int8_t>;
  for (const Labels* labels : std::initializer_list<const Labels*>{&labelled.labels, &flipped, &labelled.labels}) {
    const GridProblem problem{*design, *labels, covariates, ActivationKind::step};
    const Solved solved = solve(prepared, problem, options, pool);
    const Choice choice = choose(options.selection.by, solved.grid, solved.posteriors, prepared.inputs());
    const Fit made = describe({labelled, prepared, problem, solved, choice}, options, pool);
    if (labels == &flipped) continue;
    EXPECT_EQ(made.loo.probability, whole.loo.probability);
    EXPECT_EQ(made.model.features.weight, whole.model.features.weight);
    EXPECT_EQ(made.model.training.values.values, whole.model.training.values.values);
  }
}

TEST(Steps, RefitsThatFailAreCounted) {
  FitOptions options = two_cells();
  options.solver.max_iterations = 1;
  options.selection.check_loo = 3;
  const Fit made = fit(simulate({.samples = 40, .features = 60, .teacher = 0.1, .seed = 3}).data, options);
  ASSERT_TRUE(made.loo_check);
  EXPECT_EQ(made.loo_check->failed, 3U);
  EXPECT_EQ(made.loo_check->checked, 0U);
}

}  // namespace
}  // namespace cavity
