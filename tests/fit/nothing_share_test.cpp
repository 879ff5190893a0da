// Predictions mixed with what holds where there is nothing to find.
#include "fit/nothing_share.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"
#include "cavity/fit.hpp"
#include "cavity/model_file.hpp"
#include "cavity/simulate.hpp"

namespace cavity {
namespace {

Matrix said(std::size_t samples) {
  Matrix out(static_cast<Eigen::Index>(samples), 2);
  for (Eigen::Index i = 0; i < out.rows(); ++i) {
    out(i, 1) = 0.1 + 0.8 * static_cast<double>(i) / static_cast<double>(samples);
    out(i, 0) = 1 - out(i, 1);
  }
  return out;
}

TEST(NothingShare, ASmallShareIsNone) {
  const std::vector<std::size_t> counts = {10, 30};
  EXPECT_EQ(share_of_nothing(0.009, counts).share, 0);
  EXPECT_EQ(share_of_nothing(std::nan(""), counts).share, 0);
  const Nothing half = share_of_nothing(0.5, counts);
  EXPECT_EQ(half.probability[0], 11.0 / 42);
  EXPECT_EQ(half.probability[0] + half.probability[1], 1);
}

TEST(NothingShare, AllOfItIsGuessing) {
  Matrix p = said(4);
  const auto guess = [](double share) { return where_nothing_matters({share, {0.7, 0.3}}, {}, 4); };
  mix_nothing(1, guess(1), p);
  for (Eigen::Index i = 0; i < 4; ++i) EXPECT_NEAR(p(i, 1), 0.3, 1e-15);
  Matrix untouched = said(4), half = untouched;
  mix_nothing(0, {}, untouched);
  EXPECT_EQ(untouched, said(4));
  mix_nothing(0.5, guess(0.5), half);
  for (Eigen::Index i = 0; i < 4; ++i) {
    EXPECT_NEAR(half(i, 1), 0.5 * (untouched(i, 1) + 0.3), 1e-15);
    EXPECT_NEAR(half.row(i).sum(), 1, 1e-15);
  }
}

/// A table of noise, classes of one size.
Dataset noise(std::size_t samples, std::size_t features, std::uint64_t seed, std::uint32_t classes = 2) {
  Dataset out = simulate({.samples = samples, .features = features, .teacher = 0.1, .noise = 0.05, .seed = seed}).data;
  for (std::size_t mu = 0; mu < samples; ++mu) out.classes[mu] = static_cast<std::uint32_t>(mu) % classes;
  if (classes == 3) out.class_names = {"a", "b", "c"};
  return out;
}

// Where nothing is found probabilities lie nearer the classes' frequencies, and the model file keeps it.
class NothingFound : public testing::TestWithParam<std::uint32_t> {};

TEST_P(NothingFound, ProbabilitiesAreGuesses) {
  const std::uint32_t classes = GetParam();
  FitOptions options;
  options.threads = 1;
  const Fit made = fit(noise(42, 200, 7, classes), options);
  const Nothing& nothing = made.model.calibration.nothing;
  ASSERT_GT(nothing.share, 0.2);
  ASSERT_EQ(nothing.probability.size(), classes);
  Model certain = made.model, bare = made.model;
  certain.calibration.nothing.share = 1;
  bare.calibration.nothing = {};
  const Dataset fresh = noise(20, 200, 8, classes);
  const std::vector<double> guess = predict(certain, fresh).of(1), mixed = predict(made.model, fresh).of(1),
                            alone = predict(bare, fresh).of(1);
  const std::vector<double> kept = predict(model_from_bytes(model_bytes(made.model)), fresh).of(1);
  for (std::size_t i = 0; i < guess.size(); ++i) {
    EXPECT_NEAR(guess[i], nothing.probability[1], 1e-12);
    EXPECT_NEAR(mixed[i], (1 - nothing.share) * alone[i] + nothing.share * nothing.probability[1], 1e-12);
    EXPECT_EQ(kept[i], mixed[i]);
  }
}

struct Known {
  FeatureMatrix covariates;
  std::vector<std::uint32_t> classes;
  std::vector<std::size_t> counts;
  KnownBeside beside(const SampleGroups* groups = nullptr) const { return {covariates, classes, groups}; }
};

/// Of a number of classes one covariate moves by so many standard deviations from class to class.
Known known(std::size_t samples, std::uint32_t classes, double effect) {
  Random random(5);
  Known out{FeatureMatrix(samples, 2), {}, std::vector<std::size_t>(classes, 0)};
  for (std::size_t mu = 0; mu < samples; ++mu) {
    out.classes.push_back(static_cast<std::uint32_t>(mu) % classes);
    ++out.counts[out.classes[mu]];
    out.covariates.row(mu)[0] = static_cast<float>(random.normal() + effect * out.classes[mu]);
    out.covariates.row(mu)[1] = static_cast<float>(random.normal());
  }
  return out;
}

// Covariates that are the same for all leave what is known of the classes, of samples left out, too.
TEST(NothingShare, CovariatesThatSayNothingLeaveTheFrequencies) {
  ThreadPool pool(1);
  Known k = known(30, 3, 0);
  k.classes[0] = 1;
  k.counts = {9, 11, 10};
  std::ranges::fill(k.covariates.values, 0.0F);
  const NothingSaid said = nothing_said(1, k.counts, k.beside(), pool);
  for (Eigen::Index mu = 0; mu < 30; ++mu)
    for (std::size_t c = 0; c < 3; ++c)
      EXPECT_NEAR(said.left_out(mu, static_cast<Eigen::Index>(c)), static_cast<double>(k.counts[c]) / 30, 2e-3);
}

// One step of Newton from all to all others is nearly a refit, with the class of the sample as common as it is.
TEST(NothingShare, ASampleLeftOutIsToldByTheOthers) {
  ThreadPool pool(2);
  for (const std::uint32_t classes : {2U, 3U}) {
    const Known k = known(60, classes, 1.5);
    const NothingSaid all = nothing_said(1, k.counts, k.beside(), pool);
    for (const std::size_t out : {0U, 13U, 59U}) {
      Known others{FeatureMatrix(59, 2), {}, k.counts};
      --others.counts[k.classes[out]];
      FeatureMatrix self(1, 2);
      for (std::size_t mu = 0, to = 0; mu < 60; ++mu)
        if (mu == out) {
          std::copy_n(k.covariates.row(mu), 2, self.row(0));
        } else {
          std::copy_n(k.covariates.row(mu), 2, others.covariates.row(to++));
          others.classes.push_back(k.classes[mu]);
        }
      Matrix refit = where_nothing_matters(nothing_said(1, others.counts, others.beside(), pool).model, self, 1);
      const auto own = static_cast<Eigen::Index>(k.classes[out]);
      refit(0, own) *=
          static_cast<double>(k.counts[k.classes[out]]) / static_cast<double>(others.counts[k.classes[out]]);
      refit /= refit.sum();
      EXPECT_NEAR(all.left_out(static_cast<Eigen::Index>(out), own), refit(0, own), 0.02) << classes << " " << out;
    }
  }
}

// It is no look at the label: of covariates that say nothing samples left out are told no better than by chance.
TEST(NothingShare, ItsOwnLabelTellsNothing) {
  ThreadPool pool(2);
  SampleGroups pairs;
  for (std::size_t i = 0; i < 150; ++i) {
    pairs.members.push_back({2 * i, 2 * i + 1});
    pairs.of.insert(pairs.of.end(), {i, i});
  }
  const Known k = known(300, 3, 0);
  for (const SampleGroups* groups :
       {static_cast<const SampleGroups*>(nullptr), static_cast<const SampleGroups*>(&pairs)}) {
    const NothingSaid said = nothing_said(1, k.counts, k.beside(groups), pool);
    double loss = 0;
    for (Eigen::Index mu = 0; mu < 300; ++mu)
      loss -= std::log(said.left_out(mu, k.classes[static_cast<std::size_t>(mu)])) / 300;
    EXPECT_GT(loss, std::log(3));
    EXPECT_LT(loss, std::log(3) + 0.04);
  }
}

// With covariates it is what they say alone: they decide here, with one label in ten by chance, and the features do
// not.
TEST_P(NothingFound, CovariatesSpeakAlone) {
  const std::uint32_t classes = GetParam();
  const auto table = [classes](std::size_t samples, std::uint64_t seed) {
    Dataset out = noise(samples, 120, seed, classes);
    CovariateColumn age{"age", {}};
    Random random(seed);
    for (std::size_t mu = 0; mu < samples; ++mu) {
      age.values.push_back(std::to_string(50 + 10 * (2.0 * out.classes[mu] + random.normal())));
      if (mu % 10 == 9) out.classes[mu] = (out.classes[mu] + 1) % classes;
    }
    out.covariates = {age};
    return out;
  };
  FitOptions options;
  options.threads = 1;
  const Fit made = fit(table(60, 3), options);
  const Nothing& nothing = made.model.calibration.nothing;
  EXPECT_TRUE(made.permutation.not_shown());
  ASSERT_GT(nothing.share, 0.2);
  ASSERT_EQ(nothing.covariate_weight.size(), 2 * classes);
  ASSERT_TRUE(made.covariates_alone);
  EXPECT_GE(made.covariates_alone->error, made.loo.error_interval.low);
  EXPECT_LE(made.covariates_alone->error, made.loo.error_interval.high);
  Model certain = made.model, bare = made.model;
  certain.calibration.nothing.share = 1;
  bare.calibration.nothing = {};
  const Dataset fresh = table(300, 4);
  const Prediction alone = predict(certain, fresh), mixed = predict(made.model, fresh), without = predict(bare, fresh),
                   kept = predict(model_from_bytes(model_bytes(made.model)), fresh);
  const CovariateEncoding& encoding = made.model.preprocessing.covariates.front();
  double losses[] = {0, 0, 0};  // of the mixture, of cells alone, of frequencies
  for (std::size_t i = 0; i < fresh.classes.size(); ++i) {
    const double z = (std::stod(fresh.covariates[0].values[i]) - encoding.centre) * encoding.scale;
    double sum = 0, second = 0;
    for (std::size_t k = 0; k < classes; ++k) {
      const double part = std::exp(nothing.covariate_weight[2 * k] + nothing.covariate_weight[2 * k + 1] * z);
      sum += part;
      if (k == 1) second = part;
    }
    EXPECT_NEAR(alone.of(1)[i], second / sum, 1e-6);
    EXPECT_NEAR(mixed.of(1)[i], (1 - nothing.share) * without.of(1)[i] + nothing.share * alone.of(1)[i], 1e-12);
    EXPECT_EQ(kept.of(1)[i], mixed.of(1)[i]);
    losses[0] -= std::log(mixed.of(fresh.classes[i])[i]) / 300;
    losses[1] -= std::log(without.of(fresh.classes[i])[i]) / 300;
    losses[2] -= std::log(nothing.probability[fresh.classes[i]]) / 300;
  }
  EXPECT_LT(losses[0], losses[1] + 0.02);  // what it gains over many tables: experiments/nothing/covariates.py
  EXPECT_LT(losses[0], losses[2] - 0.1);
}

INSTANTIATE_TEST_SUITE_P(Classes, NothingFound, testing::Values(2U, 3U));

}  // namespace
}  // namespace cavity
