// Fits whose samples come in groups: left out as a whole everywhere, and refused where that cannot be.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.hpp"
#include "cavity/baselines.hpp"
#include "cavity/errors.hpp"
#include "cavity/fit.hpp"
#include "cavity/simulate.hpp"
#include "support/errors.hpp"

namespace cavity {
namespace {

/// `copies` noisy measurements of every one of `patients`, whose labels say nothing.
Dataset noise_of_patients(std::size_t patients, std::size_t copies, std::size_t features) {
  Dataset out;
  Random random(3);
  FeatureMatrix x(patients * copies, features);
  for (std::size_t p = 0; p < patients; ++p) {
    std::vector<double> patient;
    for (std::size_t l = 0; l < features; ++l) patient.push_back(random.normal());
    for (std::size_t c = 0; c < copies; ++c) {
      for (std::size_t l = 0; l < features; ++l)
        x.row(p * copies + c)[l] = static_cast<float>(patient[l] + 0.3 * random.normal());
      out.classes.push_back(p % 2 == 0 ? 1 : 0);
      out.groups.push_back("p" + std::to_string(p));
      out.sample_names.push_back(std::to_string(p * copies + c + 1));
    }
  }
  for (std::size_t l = 0; l < features; ++l) out.feature_names.push_back("g" + std::to_string(l));
  out.features = std::move(x);
  out.class_names = {"a", "b"};
  return out;
}

bool warns(const Fit& fit, const std::string& name) {
  return std::ranges::any_of(fit.warnings, [&](const Warning& w) { return w.name == name; });
}

TEST(Groups, CopiesOfPatientsWithRandomLabelsCannotBeTold) {
  Dataset data = noise_of_patients(30, 3, 300);
  const Fit grouped = fit(data);
  EXPECT_GT(grouped.loo.error, 0.3);
  EXPECT_GT(grouped.loo.log_loss, 0.6);
  EXPECT_EQ(grouped.loo.groups, 30U);
  EXPECT_GT(grouped.loo.error_se, 0.07);  // thirty patients, not ninety samples
  EXPECT_FALSE(warns(grouped, "near-duplicates"));
  data.groups.clear();
  const Fit alone = fit(std::move(data));
  EXPECT_LT(alone.loo.error, 0.02);
  EXPECT_TRUE(warns(alone, "near-duplicates"));
}

TEST(Groups, OfOneSampleChangeNothing) {
  Dataset data = simulate({.samples = 50, .features = 120, .teacher = 0.05, .noise = 0.05, .seed = 4}).data;
  FitOptions options;
  options.grid.density = {0.5, 0.1};
  options.grid.noise = {0.05, 0.1};
  const Fit alone = fit(data, options);
  for (std::size_t i = 0; i < data.samples(); ++i) data.groups.push_back(i % 2 == 0 ? "" : std::to_string(i));
  const Fit grouped = fit(std::move(data), options);
  EXPECT_EQ(alone.loo.probability, grouped.loo.probability);
  EXPECT_EQ(alone.loo.error, grouped.loo.error);
  EXPECT_EQ(alone.model.questions[0].features.inclusion, grouped.model.questions[0].features.inclusion);
  EXPECT_NEAR(alone.loo.error_se, grouped.loo.error_se, 1e-12);
}

TEST(Groups, CheckLooRefitsWithoutWholeGroups) {
  FitOptions options;
  options.grid.density = {0.5};
  options.grid.noise = {0.05};
  options.selection.check_loo = 8;
  const Fit made = fit(noise_of_patients(20, 3, 100), options);
  ASSERT_TRUE(made.questions[0].loo_check);
  EXPECT_EQ(made.questions[0].loo_check->refits, 8U);
  EXPECT_EQ(made.questions[0].loo_check->checked, 24U);
  EXPECT_LT(made.questions[0].loo_check->mean_difference, 0.03);
}

/// Every sample twice, its copy with noise, as measured of one patient.
Dataset with_twins(const Dataset& data, double noise) {
  Dataset out = data;
  Random random(5);
  const FeatureMatrix& from = data.features.dense();
  FeatureMatrix x(2 * data.samples(), from.cols);
  for (std::size_t i = 0; i < x.rows; ++i)
    for (std::size_t l = 0; l < x.cols; ++l)
      x.row(i)[l] = from.row(i / 2)[l] + (i % 2 == 0 ? 0 : static_cast<float>(noise * random.normal()));
  out.features = std::move(x);
  out.classes.clear();
  out.sample_names.clear();
  for (std::size_t i = 0; i < 2 * data.samples(); ++i) {
    out.classes.push_back(data.classes[i / 2]);
    out.groups.push_back(std::to_string(i / 2));
    out.sample_names.push_back(std::to_string(i + 1));
  }
  return out;
}

TEST(Groups, AreLeftOutAsRefitsDoWhereFewFeaturesAreKept) {
  const Dataset data = simulate({.samples = 60, .features = 1000, .teacher = 0.01, .noise = 0, .seed = 2}).data;
  FitOptions options;
  options.grid.sparsest = false;
  options.selection.check_loo = 20;
  const Fit made = fit(with_twins(data, 0.5), options);
  ASSERT_TRUE(made.questions[0].grid[made.questions[0].chosen].by_folds);
  ASSERT_TRUE(made.questions[0].loo_check);
  EXPECT_EQ(made.questions[0].loo_check->failed, 0U);
  EXPECT_LT(made.questions[0].loo_check->mean_difference, 0.01);
}

TEST(Groups, ThatCannotBeLeftOutAreRefused) {
  Dataset whole_class = noise_of_patients(10, 2, 50);
  for (std::size_t i = 0; i < whole_class.samples(); ++i)
    if (whole_class.classes[i] == 1) whole_class.groups[i] = "ward";
  test::expect_error<InputError>([&] { fit(whole_class); }, {"group 'ward' holds every sample of class 'b'"});
  Dataset one = noise_of_patients(10, 2, 50);
  one.groups.assign(20, "x");
  test::expect_error<InputError>([&] { fit(one); }, {"all samples belong to one group"});
  FitOptions amp;
  amp.solver.kind = Solver::amp;
  test::expect_error<UsageError>([&] { fit(noise_of_patients(10, 2, 50), amp); }, {"`group`", "by ep and gamp", "amp"});
  test::expect_error<UsageError>([&] { fit_baseline(noise_of_patients(10, 2, 50), {}); }, {"`method=sbc`"});
}

// A patient's samples are nearly alike, and nothing tells patients apart: alone each sample gives the others away.
TEST(Groups, GampLeavesThemOutTogether) {
  FitOptions gamp;
  gamp.solver.kind = Solver::gamp;
  Dataset data = noise_of_patients(40, 3, 200);
  const Fit together = fit(data, gamp);
  EXPECT_EQ(together.loo.groups, 40U);
  EXPECT_GT(together.loo.error, 0.3);
  for (const Cell& c : together.questions[0].grid) EXPECT_TRUE(c.weight == 0 || c.by_folds);
  data.groups.clear();
  EXPECT_LT(fit(std::move(data), gamp).loo.error, 0.15);
}

TEST(Groups, LargeAndFewOnesAreMarked) {
  Dataset data = noise_of_patients(12, 2, 50);
  for (std::size_t i = 0; i < 12; ++i) data.groups[i] = "ward";
  FitOptions options;
  options.grid.density = {0.5};
  options.grid.noise = {0.1};
  const Fit made = fit(std::move(data), options);
  EXPECT_TRUE(warns(made, "large-group"));
  EXPECT_TRUE(warns(made, "few-groups"));
}

}  // namespace
}  // namespace cavity
