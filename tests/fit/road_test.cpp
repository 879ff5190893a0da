// One road for any number of classes: what one question is asked through is what several are.
#include <gtest/gtest.h>

#include <cmath>

#include "cavity/simulate.hpp"
#include "fit/calibrate.hpp"
#include "fit/describe.hpp"
#include "support/tables.hpp"

namespace cavity {
namespace {

FitOptions one_cell() {
  FitOptions options;
  options.grid.density = {0.1};
  options.grid.noise = {0.05};
  options.threads = 1;
  return options;
}

/// Labels that have nothing to do with the features, or are what some of them say.
Dataset table(bool something) {
  Dataset out = simulate({.samples = 60, .features = 300, .teacher = 0.2, .noise = 0.02, .seed = 6}).data;
  if (!something)
    for (std::size_t mu = 0; mu < out.classes.size(); ++mu) out.classes[mu] = (mu * 7 + mu / 4) % 2;
  return out;
}

TEST(Road, TheStepsAreTheFit) {
  FitOptions options = one_cell();
  options.selection.recalibrate = false;
  ThreadPool pool(1);
  const FitTable prepared = prepare_table(test::skewed_table(40, 80), options, Shards::whole(), pool);
  const std::vector<Answer> answers = answer_questions(prepared, options, pool);
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers.front().of_class, 1U);
  const Calibrated calibrated = calibrate(prepared, answers, options, pool);
  const Fit made = describe(prepared, answers, calibrated, options, pool),
            whole = fit(test::skewed_table(40, 80), options);
  EXPECT_EQ(made.loo.probability, whole.loo.probability);
  EXPECT_EQ(made.model.questions[0].features.inclusion, whole.model.questions[0].features.inclusion);
  for (std::size_t mu = 0; mu < 40; ++mu)
    EXPECT_NEAR(std::log(whole.loo.probability[2 * mu + prepared.samples.classes[mu]]),
                answers.front().mixed.loo_log_probability[mu], 1e-12);
}

TEST(Road, ClassesInTheOtherOrderAreTheSameAnswer) {
  Dataset data = table(true), turned = data;
  std::swap(turned.class_names[0], turned.class_names[1]);
  for (std::uint32_t& k : turned.classes) k = 1 - k;
  const Fit a = fit(data, one_cell()), b = fit(turned, one_cell());
  for (std::size_t mu = 0; mu < data.samples(); ++mu)
    EXPECT_NEAR(a.loo.probability[2 * mu], b.loo.probability[2 * mu + 1], 1e-6);
  EXPECT_EQ(a.loo.confusion[0], b.loo.confusion[3]);
  EXPECT_NEAR(a.questions[0].accuracy.auc, b.questions[0].accuracy.auc, 1e-12);
  EXPECT_NEAR(a.permutation.log_loss, b.permutation.log_loss, 1e-9);
}

TEST(Road, CalibrationIsTheSameObjectForOneQuestionAndSeveral) {
  Matrix one(2, 1), three(1, 3);
  one << 0.2, 0.9;
  three << 0.5, 0.5, 0.5;
  Calibration calibration;
  EXPECT_EQ(class_probabilities(calibration, one)(1, 1), 0.9);
  calibration.recalibration = Recalibration{0.1, 1};
  EXPECT_NEAR(class_probabilities(calibration, one)(1, 1), 0.1 + 0.8 * 0.9, 1e-12);
  calibration.class_shift = {1, 3};
  const Matrix shifted = class_probabilities(calibration, one);
  EXPECT_NEAR(shifted(1, 1), 3 * 0.82 / (3 * 0.82 + 0.18), 1e-12);
  EXPECT_NEAR(shifted.row(0).sum(), 1, 1e-15);
  Calibration joined;
  joined.joining.offset = {0, 0, 0};
  EXPECT_NEAR(class_probabilities(joined, three)(0, 2), 1.0 / 3, 1e-12);
  joined.class_shift = {1, 1, 2};
  EXPECT_NEAR(class_probabilities(joined, three)(0, 2), 0.5, 1e-12);
}

TEST(Road, SaysFirstWhetherThereIsAnythingToFind) {
  const auto warned = [](const Fit& fit) {
    return std::ranges::any_of(fit.warnings, [](const Warning& w) { return w.name == "not-shown"; });
  };
  const Fit something = fit(table(true), one_cell()), nothing = fit(table(false), one_cell());
  ASSERT_TRUE(something.permutation.known() && nothing.permutation.known());
  EXPECT_EQ(something.permutation.permutations, 999U);
  EXPECT_TRUE(something.permutation.shown());
  EXPECT_LT(something.permutation.log_loss, something.permutation.expected_log_loss);
  EXPECT_FALSE(warned(something));
  EXPECT_GT(nothing.permutation.p, 0.05);
  EXPECT_TRUE(warned(nothing));
  EXPECT_TRUE(something.forecast.known());
  EXPECT_FALSE(nothing.forecast.known());
  EXPECT_NE(nothing.forecast.why_none.find("not shown"), std::string::npos);
}

TEST(Road, BeyondItsMeansThereIsNoPermutationAndItIsSaid) {
  FitOptions options = one_cell();
  options.solver.kind = Solver::gamp;
  const Fit made = fit(simulate({.samples = 2100, .features = 20, .teacher = 0.2, .seed = 2}).data, options);
  EXPECT_FALSE(made.permutation.known());
  EXPECT_FALSE(made.permutation.shown());
  EXPECT_NE(made.permutation.why_none.find("2000 samples"), std::string::npos) << made.permutation.why_none;
}

}  // namespace
}  // namespace cavity
