// The steps of a fit as values: one prepared table serves any number of solves.
#include <gtest/gtest.h>

#include "assess/class_weights.hpp"
#include "cavity/simulate.hpp"
#include "fit/describe.hpp"

namespace cavity {
namespace {

FitOptions two_cells() {
  FitOptions options;
  options.grid.density = {0.3, 0.1};
  options.grid.noise = {0.1};
  options.threads = 1;
  return options;
}

TEST(Steps, OnePreparedTableServesManyLabels) {
  const FitOptions options = two_cells();
  Dataset data = simulate({.samples = 40, .features = 60, .teacher = 0.1, .noise = 0.05, .seed = 3}).data;
  const Fit whole = fit(data, options);
  ThreadPool pool(1);
  FitTable table = prepare_table(std::move(data), options, Shards::whole(), pool);
  const std::vector<std::uint32_t> right = table.samples.classes;
  for (const bool turned : {false, true, false}) {
    for (std::size_t mu = 0; mu < right.size(); ++mu) table.samples.classes[mu] = turned ? 1 - right[mu] : right[mu];
    table.samples.counts = class_counts(table.samples.classes, 2);
    const std::vector<Answer> answers = answer_questions(table, options, pool);
    const Fit made = describe(table, answers, calibrate(table, answers, options, pool), options, pool);
    if (turned) continue;
    EXPECT_EQ(made.loo.probability, whole.loo.probability);
    EXPECT_EQ(made.model.questions[0].features.weight, whole.model.questions[0].features.weight);
    EXPECT_EQ(made.model.training.values.values, whole.model.training.values.values);
  }
}

TEST(Steps, RefitsThatFailAreCounted) {
  FitOptions options = two_cells();
  options.solver.max_iterations = 1;
  options.selection.check_loo = 3;
  const Fit made = fit(simulate({.samples = 40, .features = 60, .teacher = 0.1, .seed = 3}).data, options);
  ASSERT_TRUE(made.questions[0].loo_check);
  EXPECT_EQ(made.questions[0].loo_check->failed, 3U);
  EXPECT_EQ(made.questions[0].loo_check->checked, 0U);
}

}  // namespace
}  // namespace cavity
