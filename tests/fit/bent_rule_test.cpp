// What features do inside a bent boundary: the same as asking for samples with the feature moved; which act together.
#include "cavity/bent_rule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.hpp"
#include "cavity/fit.hpp"
#include "cavity/model_file.hpp"

namespace cavity {
namespace {

constexpr std::size_t samples = 200, features = 10;

/// Labels by the product of the first two features.
Dataset product() {
  Random random(1, 3);
  FeatureMatrix values(samples, features);
  Dataset out;
  out.class_names = {"in", "out"};
  for (std::size_t mu = 0; mu < samples; ++mu) {
    for (std::size_t l = 0; l < features; ++l) values.row(mu)[l] = static_cast<float>(random.normal());
    out.classes.push_back(values.row(mu)[0] * values.row(mu)[1] > 0 ? 1 : 0);
    out.sample_names.push_back("s" + std::to_string(mu));
  }
  for (std::size_t l = 0; l < features; ++l) out.feature_names.push_back("x" + std::to_string(l));
  out.features = std::move(values);
  return out;
}

const Fit& bent_fit() {
  static const Fit out = [] {
    FitOptions options;
    options.boundary = Boundary::bent;
    options.threads = 2;
    return fit(product(), options);
  }();
  return out;
}

/// What the bent cells alone say, nothing recalibrated.
Model bare_model() {
  Model out = bent_fit().model;
  out.calibration = {};
  return out;
}

/// The mean over the thirty samples of a rule, their features moved.
double moved(const Model& model, const std::vector<std::pair<std::size_t, double>>& moves) {
  Dataset data = product();
  FeatureMatrix some(30, features);
  std::vector<std::uint32_t> classes;
  for (std::size_t i = 0; i < 30; ++i) {
    std::copy_n(data.features.dense().row(i * samples / 30), features, some.row(i));
    for (const auto& [l, value] : moves) some.row(i)[l] = static_cast<float>(value);
    classes.push_back(data.classes[i * samples / 30]);
  }
  data.features = std::move(some);
  data.classes = classes;
  data.sample_names.resize(30);
  const Prediction said = predict(model, data, 1);
  double out = 0;
  for (std::size_t i = 0; i < 30; ++i) out += said.probabilities[2 * i + 1] / 30;
  return out;
}

TEST(BentRule, IsWhatMovedSamplesAreTold) {
  const Model model = bare_model();
  ASSERT_EQ(model.questions.front().mixture.bent.share, 1);
  const BentRule rule = bent_rule(model);
  ASSERT_GE(rule.features.size(), 2U);
  for (std::size_t k = 0; k < 2; ++k) {
    const FeatureEffect& effect = rule.features[k];
    for (const std::size_t i : {0, 4, 8}) {
      EXPECT_NEAR(effect.probability[i], moved(model, {{effect.feature, effect.value[i]}}), 1e-5);
      EXPECT_LE(effect.low[i], effect.probability[i]);
      EXPECT_GE(effect.high[i], effect.probability[i]);
    }
  }
  const FeaturePair& pair = rule.pairs.front();
  for (const std::size_t i : {0, 1, 2})
    for (const std::size_t j : {0, 2})
      EXPECT_NEAR(pair.probability[3 * i + j],
                  moved(model, {{pair.first, pair.first_value[i]}, {pair.second, pair.second_value[j]}}), 1e-5);
}

TEST(BentRule, AProductIsAPairWithFlatEffects) {
  const BentRule& rule = bent_fit().questions.front().boundary.rule;
  ASSERT_GE(rule.pairs.size(), 1U);
  EXPECT_EQ(rule.pairs.front().first + rule.pairs.front().second, 1U);
  EXPECT_GT(rule.pairs.front().strength, 1);
  for (std::size_t k = 1; k < rule.pairs.size(); ++k) EXPECT_LT(rule.pairs[k].strength, 0.3);
  for (std::size_t k = 0; k < 2; ++k) {
    const FeatureEffect& effect = rule.features[k];
    EXPECT_LT(effect.feature, 2U);
    EXPECT_GT(effect.high.back() - effect.low.back(), 0.5);
    EXPECT_LT(std::abs(effect.probability.back() - effect.probability.front()), 0.4);
  }
}

TEST(BentRule, IsTheSameFromAFileAndForAnyNumberOfThreads) {
  const Model again = model_from_bytes(model_bytes(bent_fit().model));
  const BentRule one = bent_rule(again, 0, 1), three = bent_rule(again, 0, 3);
  const BentRule& first = bent_fit().questions.front().boundary.rule;
  ASSERT_EQ(one.features.size(), first.features.size());
  for (std::size_t k = 0; k < one.features.size(); ++k) {
    EXPECT_EQ(one.features[k].probability, first.features[k].probability);
    EXPECT_EQ(one.features[k].low, three.features[k].low);
  }
}

TEST(BentRule, ThereIsNoneOfAStraightBoundary) {
  FitOptions options;
  options.boundary = Boundary::straight;
  EXPECT_TRUE(bent_rule(fit(product(), options).model).features.empty());
}

}  // namespace
}  // namespace cavity
