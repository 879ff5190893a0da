// What a sample owes to a feature inside a bent boundary: the same as asking a model that has not seen the sample.
#include "cavity/bent_owed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "cavity/fit.hpp"

namespace cavity {
namespace {

constexpr std::size_t samples = 120, features = 8;

/// Labels by a ring of the first two features.
Dataset ring() {
  Random random(4, 3);
  FeatureMatrix values(samples, features);
  Dataset out;
  out.class_names = {"in", "out"};
  for (std::size_t mu = 0; mu < samples; ++mu) {
    float* x = values.row(mu);
    for (std::size_t l = 0; l < features; ++l) x[l] = static_cast<float>(2 + random.normal());
    out.classes.push_back((x[0] - 2) * (x[0] - 2) + (x[1] - 2) * (x[1] - 2) > 1.4F ? 1 : 0);
    out.sample_names.push_back("s" + std::to_string(mu));
  }
  for (std::size_t l = 0; l < features; ++l) out.feature_names.push_back("x" + std::to_string(l));
  out.features = std::move(values);
  return out;
}

/// What the bent cells alone say, nothing recalibrated.
Model bare_model() {
  FitOptions options;
  options.boundary = Boundary::bent;
  options.threads = 1;
  Model out = fit(ring(), options).model;
  out.calibration = {};
  return out;
}

/// P of a sample by a model whose cells know nothing of its label.
double without_its_label(Model model, std::size_t sample, std::ptrdiff_t at_mean) {
  for (BentComponent& c : model.questions.front().mixture.bent.components) {
    c.sample_precision[sample] = 0;
    c.sample_linear[sample] = 0;
  }
  Dataset data = ring();
  FeatureMatrix one(1, features);
  std::copy_n(data.features.dense().row(sample), features, one.row(0));
  if (at_mean >= 0) {
    double mean = 0;
    for (std::size_t mu = 0; mu < samples; ++mu)
      mean += static_cast<double>(data.features.dense().row(mu)[at_mean]) / samples;
    one.row(0)[at_mean] = static_cast<float>(mean);
  }
  data.features = std::move(one);
  data.classes.resize(1);
  data.sample_names.resize(1);
  return predict(model, data, 1).probabilities[1];
}

TEST(BentOwed, IsWhatModelsWithoutTheSampleSay) {
  const Model model = bare_model();
  ASSERT_EQ(model.questions.front().mixture.bent.share, 1);
  const BentOwed owed = bent_owed(model);
  ASSERT_GE(owed.features.size(), 2U);
  EXPECT_EQ(std::min(owed.features[0], owed.features[1]), 0U);
  EXPECT_EQ(std::max(owed.features[0], owed.features[1]), 1U);
  ASSERT_EQ(owed.probability.size(), samples);
  ASSERT_EQ(owed.without.size(), samples * owed.features.size());
  for (const std::size_t sample : {0, 17, 119}) {
    EXPECT_NEAR(owed.probability[sample], without_its_label(model, sample, -1), 1e-6);
    for (std::size_t j = 0; j < owed.features.size(); ++j)
      EXPECT_NEAR(owed.without[sample * owed.features.size() + j], without_its_label(model, sample, owed.features[j]),
                  1e-5);
  }
  EXPECT_EQ(owed.without, bent_owed(model, 0, 3).without);
}

TEST(BentOwed, IsNothingWhereTheBoundaryIsStraight) {
  FitOptions options;
  options.boundary = Boundary::straight;
  options.threads = 1;
  EXPECT_TRUE(bent_owed(fit(ring(), options).model).features.empty());
}

}  // namespace
}  // namespace cavity
