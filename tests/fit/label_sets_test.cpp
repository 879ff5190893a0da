// Sets of labels against their definition, and whether they hold what they promise.
#include "cavity/label_sets.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include <nlohmann/json.hpp>

#include "base/random.hpp"
#include "cavity/errors.hpp"
#include "cavity/fit.hpp"
#include "cavity/report.hpp"
#include "table/matrix_size.hpp"

namespace cavity {
namespace {

/// A model that says no more than what it gave its training samples, left out.
Model remembered(const std::vector<std::vector<double>>& left_out, const std::vector<std::string>& truth,
                 std::vector<std::string> classes = {"a", "b"}) {
  Model out;
  out.class_names = std::move(classes);
  out.summary_json = nlohmann::json{{"loo_probability", left_out}, {"loo_truth", truth}, {"sample_groups", 0}}.dump();
  return out;
}

Prediction stated(std::vector<double> probabilities, std::size_t classes = 2) {
  Prediction out;
  out.classes = classes;
  out.probabilities = std::move(probabilities);
  return out;
}

TEST(LabelSets, ConformityIsTheShareThatWasGivenNoMore) {
  // Own classes were given 0.9, 0.6, 0.8 and 0.3.
  const Model model = remembered({{0.9, 0.1}, {0.4, 0.6}, {0.2, 0.8}, {0.3, 0.7}}, {"a", "b", "b", "a"});
  const LabelSets sets = label_sets(model, stated({0.85, 0.15, 0.6, 0.4}), 0.7);
  ASSERT_EQ(sets.samples(), 2U);
  const std::vector<double> wanted = {4.0 / 5, 1.0 / 5, 3.0 / 5, 2.0 / 5};  // equal ones count
  for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(sets.conformity[j], wanted[j], 1e-15) << j;
  EXPECT_TRUE(sets.holds(0, 0));
  EXPECT_FALSE(sets.holds(0, 1));
  EXPECT_TRUE(sets.holds(1, 0) && sets.holds(1, 1));
}

TEST(LabelSets, OfClassesThatShareTheProbabilityNoneMayConform) {
  std::vector<std::vector<double>> sure(19, {0.98, 0.01, 0.01});
  const Model model = remembered(sure, std::vector<std::string>(19, "a"), {"a", "b", "c"});
  const LabelSets sets = label_sets(model, stated({0.4, 0.3, 0.3}, 3), 0.9);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_FALSE(sets.holds(0, k));
}

/// Exchangeable by construction: training samples and the new one are dealt from one urn, at any size of the urn.
TEST(LabelSets, TheTruthIsHeldAsOftenAsPromised) {
  Random random(3);
  for (const std::size_t size : {12U, 40U}) {
    std::size_t held = 0;
    const std::size_t rounds = 4000;
    for (std::size_t round = 0; round < rounds; ++round) {
      std::vector<std::vector<double>> left_out;
      for (std::size_t i = 0; i < size; ++i) {
        const double p = random.uniform();
        left_out.push_back({p, 1 - p});
      }
      const double own = random.uniform();
      held +=
          label_sets(remembered(left_out, std::vector<std::string>(size, "a")), stated({own, 1 - own}), 0.9).holds(0, 0)
              ? 1
              : 0;
    }
    const double share = static_cast<double>(held) / static_cast<double>(rounds);
    EXPECT_GT(share, 0.9 - 3 * std::sqrt(0.09 / static_cast<double>(rounds))) << size;
    EXPECT_LT(share, 0.9 + 1 / static_cast<double>(size + 1) + 3 * std::sqrt(0.09 / static_cast<double>(rounds)))
        << size;
  }
}

void expect_refused(const Model& model, const Prediction& made, double confidence, const std::string& because) {
  try {
    label_sets(model, made, confidence);
    FAIL() << "not refused: " << because;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(because), std::string::npos) << error.what();
  }
}

TEST(LabelSets, RefusedWhereThePromiseCouldNotBeKept) {
  const std::vector<std::vector<double>> left_out(20, {0.7, 0.3});
  const std::vector<std::string> truth(20, "a");
  const Model model = remembered(left_out, truth);
  expect_refused(model, stated({0.5, 0.5}), 1.0, "between 0 and 1");
  expect_refused(model, stated({0.5, 0.5}), 0.96, "0.952 at most");
  EXPECT_NO_THROW(label_sets(model, stated({0.5, 0.5}), 0.95));
  expect_refused(Model(), stated({0.5, 0.5}), 0.9, "does not hold it");
  Model grouped = model;
  grouped.summary_json =
      nlohmann::json{{"loo_probability", left_out}, {"loo_truth", truth}, {"sample_groups", 7}}.dump();
  expect_refused(grouped, stated({0.5, 0.5}), 0.9, "7 groups");
  Model shifted = model;
  shifted.calibration.class_shift = {1, 3};
  expect_refused(shifted, stated({0.5, 0.5}), 0.9, "another site");
  Prediction part = stated({0.5, 0.5});
  part.measured.features = 9;
  part.measured.absent = {"g3"};
  expect_refused(model, part, 0.9, "1 of the model's 9 features");
}

TEST(LabelSets, AFitHoldsWhatTheyNeed) {
  Dataset data;
  Random random(5);
  FeatureMatrix values(30, 20);
  for (float& x : values.values) x = static_cast<float>(random.normal());
  for (std::size_t mu = 0; mu < 30; ++mu) {
    data.classes.push_back(static_cast<std::uint32_t>(mu % 3));
    values.row(mu)[mu % 3] += 3;
  }
  data.features = std::move(values);
  data.sample_names = numbered_names("s", 1, 30);
  data.feature_names = numbered_names("g", 1, 20);
  data.class_names = {"x", "y", "z"};
  FitOptions options;
  options.grid.density = {0.5};
  options.grid.noise = {0.05};
  options.threads = 1;
  Fit made = fit(data, options);
  made.model.summary_json = fit_json(made, {.loo = true, .features = 0});
  const Prediction told = predict(made.model, data, 1);
  const LabelSets sets = label_sets(made.model, told, 0.9);
  EXPECT_EQ(sets.samples(), 30U);
  EXPECT_EQ(sets.classes, 3U);
}

}  // namespace
}  // namespace cavity
