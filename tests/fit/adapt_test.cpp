// A frozen model for another site.
#include "cavity/adapt.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/random.hpp"
#include "cavity/errors.hpp"
#include "cavity/fit.hpp"
#include "cavity/model_file.hpp"
#include "cavity/report.hpp"
#include "table/matrix_size.hpp"

namespace cavity {
namespace {

/// Classes as common as their shares say, each with features of its own raised.
Dataset cohort(std::size_t samples, const std::vector<double>& shares, std::uint64_t seed) {
  Dataset out;
  Random random(seed);
  FeatureMatrix values(samples, 30);
  for (std::size_t mu = 0; mu < samples; ++mu) {
    double left = random.uniform();
    std::uint32_t k = 0;
    while (k + 1 < shares.size() && left > shares[k]) left -= shares[k++];
    out.classes.push_back(k);
    for (std::size_t l = 0; l < 30; ++l)
      values.row(mu)[l] = static_cast<float>(random.normal() + (l < 12 && l % shares.size() == k ? 0.8 : 0));
  }
  out.features = std::move(values);
  out.sample_names = numbered_names("s", 1, samples);
  out.feature_names = numbered_names("g", 1, 30);
  out.class_names.clear();
  for (std::size_t k = 0; k < shares.size(); ++k) out.class_names.push_back("c" + std::to_string(k));
  return out;
}

Model fitted(const std::vector<double>& shares) {
  FitOptions options;
  options.grid.density = {0.5};
  options.grid.noise = {0.05};
  options.preprocessing.transform = PreprocessingOptions::Choice::none;
  options.threads = 1;
  Fit result = fit(cohort(150, shares, 1), options);
  result.model.summary_json = fit_json(result, {.loo = true, .features = 0});
  return std::move(result.model);
}

double log_loss_of(const Model& model, const Dataset& data) {
  const Prediction p = predict(model, data, 1);
  double sum = 0;
  for (std::size_t mu = 0; mu < data.samples(); ++mu)
    sum -= std::log(p.at(mu, data.classes[mu])) / static_cast<double>(data.samples());
  return sum;
}

AdaptOptions quick(bool slope) {
  AdaptOptions out;
  out.predict.threads = 1;
  out.slope = slope;
  return out;
}

const std::vector<double> two = {0.6, 0.4}, three = {0.3, 0.3, 0.4};

TEST(Adapt, ARareClassBecomesRareAndTheFileKeepsIt) {
  for (const auto& [shares, there] :
       {std::pair(two, std::vector<double>{0.95, 0.05}), std::pair(three, std::vector<double>{0.1, 0.1, 0.8})}) {
    const Model model = fitted(shares);
    const Dataset fresh = cohort(600, there, 3);
    const Adapted made = adapt(model, cohort(60, there, 2), quick(false));
    EXPECT_LT(log_loss_of(made.model, fresh), log_loss_of(model, fresh) - 0.02);
    EXPECT_LT(made.how.unchanged, 0.2);
    EXPECT_LT(made.how.log_loss_left_out, made.how.log_loss_before);
    const Model again = model_from_bytes(model_bytes(made.model));
    EXPECT_EQ(predict(again, fresh, 1).probabilities, predict(made.model, fresh, 1).probabilities);
    EXPECT_EQ(nlohmann::json::parse(again.summary_json).at("adapted").size(), 1U);
    EXPECT_EQ(nlohmann::json::parse(again.summary_json).at("adapted")[0].at("samples"), 60);
  }
}

TEST(Adapt, NothingNewHardlyChangesAnything) {
  const Model model = fitted(two);
  const Dataset fresh = cohort(1500, two, 3);
  const double before = log_loss_of(model, fresh);
  for (std::uint64_t seed = 10; seed < 20; ++seed)
    EXPECT_LT(log_loss_of(adapt(model, cohort(20, two, seed), quick(true)).model, fresh), before + 0.03) << seed;
}

TEST(Adapt, LabelsByChanceTakeTheSlopeAway) {
  const Model model = fitted(two);
  Dataset coins = cohort(300, two, 4);
  Random random(8);
  for (auto& k : coins.classes) k = random.uniform() < 0.5 ? 1 : 0;
  const Adapted made = adapt(model, coins, quick(true));
  EXPECT_LT(made.how.slope, 0.4);
  EXPECT_LT(log_loss_of(made.model, coins), std::log(2.0) + 0.02);
}

TEST(Adapt, WhatIsSaidLeftOutIsByAnAdaptationWithoutTheSample) {
  const Model model = fitted(two);
  const Dataset site = cohort(8, {0.1, 0.9}, 5);
  const Adapted made = adapt(model, site, quick(true));
  double sum = 0;
  for (std::size_t mu = 0; mu < 8; ++mu) {
    Dataset others = site;
    others.classes[mu] = 2;  // not known
    sum -= std::log(predict(adapt(model, others, quick(true)).model, site, 1).at(mu, site.classes[mu])) / 8;
  }
  EXPECT_NEAR(made.how.log_loss_left_out, sum, 1e-6);
  EXPECT_NEAR(made.how.log_loss_before, log_loss_of(model, site), 1e-6);
}

TEST(Adapt, SharesAloneAreThePriorOfAFit) {
  const Model model = fitted(two);
  const Adapted made = adapt_to_class_prior(model, {0.9, 0.1});
  const Dataset fresh = cohort(50, two, 3);
  const Prediction before = predict(model, fresh, 1), after = predict(made.model, fresh, 1);
  const std::vector<std::size_t> counts = [] {
    const Dataset data = cohort(150, two, 1);
    std::vector<std::size_t> out(2);
    for (const auto k : data.classes) ++out[k];
    return out;
  }();
  const double factor = 0.1 / 0.9 * static_cast<double>(counts[0]) / static_cast<double>(counts[1]);
  for (std::size_t mu = 0; mu < 50; ++mu)
    EXPECT_NEAR(after.at(mu, 1) / after.at(mu, 0), factor * before.at(mu, 1) / before.at(mu, 0),
                1e-9 * after.at(mu, 1) / after.at(mu, 0));
  EXPECT_THROW(adapt_to_class_prior(model, {0.9, 0.2}), UsageError);
  try {
    adapt_to_class_prior(model, {1});
    FAIL() << "one share of two classes";
  } catch (const UsageError& error) {  // the option by the name that the front ends spell
    EXPECT_EQ(spell_options(error.what(), OptionStyle::flags),
              "--class-prior takes a share for each of the 2 classes, positive and with sum 1");
  }
}

TEST(Adapt, NeedsLabels) {
  Dataset site = cohort(5, two, 2);
  site.classes.clear();
  try {
    adapt(fitted(two), site, quick(false));
    FAIL() << "no labels";
  } catch (const InputError& error) {
    EXPECT_NE(spell_options(error.what(), OptionStyle::python).find("; class_prior takes shares"), std::string::npos);
  }
}

}  // namespace
}  // namespace cavity
