// Predictions mixed with what holds where there is nothing to find.
#include "fit/nothing_share.hpp"

#include <gtest/gtest.h>

#include <cmath>

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
  mix_nothing({1, {0.7, 0.3}}, p);
  for (Eigen::Index i = 0; i < 4; ++i) EXPECT_NEAR(p(i, 1), 0.3, 1e-15);
  Matrix untouched = said(4), half = untouched;
  mix_nothing({}, untouched);
  EXPECT_EQ(untouched, said(4));
  mix_nothing({0.5, {0.7, 0.3}}, half);
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

INSTANTIATE_TEST_SUITE_P(Classes, NothingFound, testing::Values(2U, 3U));

}  // namespace
}  // namespace cavity
