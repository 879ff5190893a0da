// A model on labelled samples of another cohort: each fault that these have is the one that is named.
#include "cavity/validate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "cavity/errors.hpp"
#include "cavity/fit.hpp"
#include "cavity/report.hpp"
#include "table/matrix_size.hpp"

namespace cavity {
namespace {

/// `share` of the samples are of the second class, whose first ten features are raised; features share hidden causes.
Dataset cohort(std::size_t samples, double share, std::uint64_t seed, double raised = 1.0) {
  Dataset out;
  Random loadings(42), random(seed);
  std::vector<double> loading(300);
  for (double& x : loading) x = loadings.normal();
  FeatureMatrix values(samples, 100);
  for (std::size_t mu = 0; mu < samples; ++mu) {
    const double hidden[] = {random.normal(), random.normal(), random.normal()};
    out.classes.push_back(random.uniform() < share ? 1 : 0);
    for (std::size_t l = 0; l < 100; ++l)
      values.row(mu)[l] = static_cast<float>(loading[3 * l] * hidden[0] + loading[3 * l + 1] * hidden[1] +
                                             loading[3 * l + 2] * hidden[2] + 0.5 * random.normal() +
                                             (l < 10 && out.classes[mu] == 1 ? raised : 0));
  }
  out.features = std::move(values);
  out.sample_names = numbered_names("s", 1, samples);
  out.feature_names = numbered_names("g", 1, 100);
  out.class_names = {"well", "ill"};
  return out;
}

Model fitted(std::size_t samples = 100, double raised = 1.0) {
  FitOptions options;
  options.grid.density = {0.5, 0.2};
  options.grid.noise = {0.05};
  options.preprocessing.transform = PreprocessingOptions::Choice::none;
  options.threads = 1;
  Fit result = fit(cohort(samples, 0.4, 1, raised), options);
  result.model.summary_json = fit_json(result, {.loo = true, .features = 0});
  return std::move(result.model);
}

ValidateOptions one_thread() {
  ValidateOptions options;
  options.predict.threads = 1;
  return options;
}

TEST(Validate, TheSamePopulationKeepsThePromise) {
  const Model model = fitted();
  const Validation v = validate(model, cohort(400, 0.4, 2), one_thread());
  ASSERT_TRUE(v.promised);
  EXPECT_LE(v.all.error.interval.low, v.promised->error_interval.high);
  EXPECT_GE(v.all.error.interval.high, v.promised->error_interval.low);
  ASSERT_EQ(v.classes.size(), 1U);
  EXPECT_EQ(v.classes[0].name, "ill");
  EXPECT_GT(v.classes[0].accuracy->auc, 0.8);
  ASSERT_TRUE(v.drift);
  EXPECT_LT(std::abs(v.drift->outside - v.drift->training_outside), 0.05);
  EXPECT_LT(v.drift->typical_shift, 2 * v.drift->expected_shift);
  EXPECT_LT(std::abs(v.drift->field_shift), 0.4);
  EXPECT_LT(v.drift->outliers.size(), 20U);
}

TEST(Validate, FiguresAreThoseOfThePredictions) {
  const Model model = fitted();
  Dataset fresh = cohort(60, 0.4, 3);
  fresh.classes[5] = 2;  // not known
  for (std::size_t mu = 0; mu < 60; ++mu) fresh.groups.push_back(mu % 3 == 0 ? "a" : "b");
  const Prediction made = predict(model, fresh, 1);
  const Validation v = validate(model, fresh, one_thread());
  double wrong = 0, loss = 0, wrong_a = 0;
  for (std::size_t mu = 0; mu < 60; ++mu) {
    if (mu == 5) continue;
    wrong += made.label[mu] != fresh.classes[mu];
    loss -= std::log(made.at(mu, fresh.classes[mu]));
    wrong_a += mu % 3 == 0 && made.label[mu] != fresh.classes[mu];
  }
  EXPECT_EQ(v.unlabelled, 1U);
  EXPECT_EQ(v.all.samples, 59U);
  EXPECT_NEAR(v.all.error.value, wrong / 59, 1e-12);
  EXPECT_NEAR(v.all.log_loss.value, loss / 59, 1e-12);
  ASSERT_EQ(v.by.size(), 2U);
  EXPECT_EQ(v.by[0].name, "a");
  EXPECT_NEAR(v.by[0].error.value, wrong_a / 20, 1e-12);
  std::size_t all = 0;
  for (const std::size_t count : v.confusion) all += count;
  EXPECT_EQ(all, 59U);
}

TEST(Validate, AnotherLevelIsAShift) {
  Dataset moved = cohort(200, 0.4, 2);
  for (std::size_t mu = 0; mu < 200; ++mu) moved.features.dense().row(mu)[17] += 30;
  const Validation v = validate(fitted(), std::move(moved), one_thread());
  EXPECT_EQ(v.drift->worst.front().name, "g18");
  EXPECT_GT(v.drift->worst.front().deviations, 5);
  EXPECT_GT(v.drift->typical_shift, 3 * v.drift->expected_shift);
  EXPECT_TRUE(std::ranges::any_of(v.findings, [](const Finding& f) { return f.name == "features-moved"; }));
}

bool named(const Validation& v, const std::string& name) {
  return std::ranges::any_of(v.findings, [&](const Finding& f) { return f.name == name; });
}

/// Where the classes overlap: of samples that are sure of their class the frequency tells next to nothing.
TEST(Validate, AnotherFrequencyIsCalibrationInTheLarge) {
  const Model model = fitted(100, 0.4);
  const Validation same = validate(model, cohort(800, 0.4, 2, 0.4), one_thread());
  const Validation rare = validate(model, cohort(800, 0.1, 2, 0.4), one_thread());
  const Figure at_forty = same.classes[0].in_the_large, at_ten = rare.classes[0].in_the_large;
  EXPECT_LT(at_ten.interval.high, at_forty.interval.low);
  EXPECT_LT(at_ten.interval.high, -0.5);
  EXPECT_TRUE(named(rare, "other-frequency"));
  EXPECT_FALSE(named(same, "other-frequency"));
}

TEST(Validate, ASampleOfAnotherKindLiesOutside) {
  Dataset fresh = cohort(50, 0.4, 2);
  Random random(9);
  for (std::size_t l = 0; l < 100; ++l) fresh.features.dense().row(7)[l] = static_cast<float>(4 * random.normal());
  const Validation v = validate(fitted(60), std::move(fresh), one_thread());
  ASSERT_FALSE(v.drift->outliers.empty());
  EXPECT_EQ(v.drift->outliers.front(), 7U);
}

TEST(Validate, ThereHasToBeSomethingToValidate) {
  Dataset fresh = cohort(10, 0.4, 2);
  fresh.classes.clear();
  EXPECT_THROW(validate(fitted(), fresh, one_thread()), InputError);
  ValidateOptions options = one_thread();
  options.thresholds = {1.5};
  EXPECT_THROW(validate(fitted(), cohort(10, 0.4, 2), options), UsageError);
}

}  // namespace
}  // namespace cavity
