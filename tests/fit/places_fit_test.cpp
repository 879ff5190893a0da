// Cells whose places are sampled, as a part of a default fit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cavity/fit.hpp"
#include "cavity/model_file.hpp"
#include "support/tables.hpp"

namespace cavity {
namespace {

/// One feature says the label, but for every ninth sample.
Dataset planted(std::size_t samples, std::uint64_t seed) {
  Dataset table = test::skewed_table(samples, 120, seed);
  Random random(seed, 7);
  for (std::size_t mu = 0; mu < samples; ++mu) {
    const double value = random.normal();
    table.features.dense().row(mu)[5] = static_cast<float>(std::exp(value) * 30);
    table.classes[mu] = (value > 0) != (mu % 9 == 4) ? 1 : 0;
  }
  return table;
}

FitOptions with_threads(unsigned threads) {
  FitOptions options;
  options.threads = threads;
  return options;
}

TEST(PlacesFit, SampledCellsJoinTheMixtureAndNameTheFeature) {
  const Fit result = fit(planted(80, 1), with_threads(1));
  double sampled = 0;
  std::vector<double> kept;
  for (const Cell& cell : result.questions[0].grid) {
    if (cell.solver != "places") continue;
    kept.push_back(std::round(cell.kept));
    EXPECT_EQ(cell.reliable, cell.usable);
    sampled += cell.weight;
  }
  EXPECT_EQ(kept, (std::vector<double>{6, 3, 2, 1}));
  EXPECT_GT(sampled, 0.3);
  ASSERT_FALSE(result.model.questions[0].features.credible_sets.empty());
  const CredibleSet& set = result.model.questions[0].features.credible_sets.front();
  EXPECT_EQ(set.features.front(), 5U);
  EXPECT_GT(set.probability, 0.8);
}

TEST(PlacesFit, AModelFromItsFilePredictsTheSame) {
  const Fit result = fit(planted(80, 1), with_threads(1));
  const auto has_draws = [](const Component& c) { return c.places.count() > 0; };
  EXPECT_TRUE(std::ranges::any_of(result.model.questions[0].mixture.components, has_draws));
  const Model again = model_from_bytes(model_bytes(result.model));
  const Dataset fresh = planted(80, 2);
  const std::vector<double> before = predict(result.model, fresh, 1).of(1);
  EXPECT_EQ(before, predict(again, fresh, 2).of(1));
  double wrong = 0;
  for (std::size_t mu = 0; mu < before.size(); ++mu) wrong += (before[mu] > 0.5) != (fresh.classes[mu] == 1);
  EXPECT_LT(wrong / 80, 0.25);
}

/// Each sample is as bright as it likes, and the feature decides by its value as measured, or by its place among the
/// others of its sample.
Dataset bright_samples(std::size_t samples, std::uint64_t seed, bool measured) {
  Dataset table = test::skewed_table(samples, 120, seed);
  Random random(seed, 9);
  for (std::size_t mu = 0; mu < samples; ++mu) {
    const double brightness = 0.7 * random.normal(), value = random.normal();
    float* row = table.features.dense().row(mu);
    row[5] = static_cast<float>(std::exp(value - (measured ? brightness : 0)) * (measured ? 3 : 30));
    for (std::size_t l = 0; l < 120; ++l) row[l] *= static_cast<float>(std::exp(brightness));
    table.classes[mu] = (value > 0) != (mu % 9 == 4) ? 1 : 0;
  }
  return table;
}

TEST(PlacesFit, SeesValuesAsMeasuredWhereTheyTellMore) {
  for (const bool measured : {true, false}) {
    const Fit result = fit(bright_samples(60, 9, measured), with_threads(1));
    ASSERT_EQ(result.model.preprocessing.transform, Transform::rank) << measured;
    const PlaceScores& scores = result.model.questions[0].mixture.place_scores;
    ASSERT_FALSE(scores.place.empty());
    const std::vector<std::uint32_t>& places = scores.place;
    EXPECT_EQ(std::ranges::binary_search(places, measured ? result.model.preprocessing.inputs() + 5 : 5), true);
    EXPECT_EQ(scores.samples(), 60U);
    Dataset fresh = bright_samples(200, 6, measured);
    // Columns in another order, a missing value and a feature more: found by name.
    std::swap(fresh.feature_names[5], fresh.feature_names[17]);
    for (std::size_t mu = 0; mu < 200; ++mu) {
      float* row = fresh.features.dense().row(mu);
      std::swap(row[5], row[17]);
    }
    fresh.features.dense().row(0)[3] = NAN;
    const std::vector<double> probability = predict(model_from_bytes(model_bytes(result.model)), fresh, 1).of(1);
    double wrong = 0;
    for (std::size_t mu = 0; mu < 200; ++mu) wrong += (probability[mu] > 0.5) != (fresh.classes[mu] == 1);
    EXPECT_LT(wrong / 200, measured ? 0.18 : 0.3);  // a place among 120 noisy ones says less
  }
}

TEST(PlacesFit, UnitsOfTheFeaturesDoNotMatter) {
  // Of the sampled cells alone: EP sees the values.
  const auto leave_one_out = [](const Dataset& data) {
    std::vector<double> out;
    FitOptions options = with_threads(1);
    options.preprocessing.transform = PreprocessingOptions::Choice::none;
    const Fit made = fit(data, options);
    for (const Cell& cell : made.questions[0].grid)
      if (cell.solver == "places") out.push_back(cell.loo_log_loss);
    return out;
  };
  Dataset table = planted(40, 3), other = table;
  FeatureMatrix& values = other.features.dense();
  for (std::size_t mu = 0; mu < 40; ++mu)
    for (std::size_t l = 0; l < 120; ++l) values.row(mu)[l] = std::log(values.row(mu)[l]) * static_cast<float>(l + 1);
  EXPECT_EQ(leave_one_out(table), leave_one_out(other));
}

TEST(PlacesFit, HasTheSameBitsForAnyThreads) {
  const Dataset data = planted(40, 3);
  EXPECT_TRUE(model_bytes(fit(data, with_threads(1)).model) == model_bytes(fit(data, with_threads(3)).model));
}

// Eight features decide together, and one of them says little: the rows of a few must not hang on what one says.
TEST(PlacesFit, AFewAreSampledThoughOneFeatureTellsNextToNothing) {
  Dataset table = test::skewed_table(100, 300, 5);
  Random random(5, 3);
  for (std::size_t mu = 0; mu < 100; ++mu) {
    float* row = table.features.dense().row(mu);
    double field = 0;
    for (std::size_t l = 0; l < 300; ++l) {
      row[l] = static_cast<float>(random.normal());
      if (l < 8) field += row[l];
    }
    table.classes[mu] = field > 0 ? 1 : 0;
  }
  FitOptions options = with_threads(1);
  options.preprocessing.transform = PreprocessingOptions::Choice::none;
  const Fit made = fit(table, options);
  std::vector<double> kept;
  for (const Cell& cell : made.questions[0].grid)
    if (cell.solver == "places") kept.push_back(std::round(cell.kept));
  EXPECT_EQ(kept, (std::vector<double>{6, 3, 2, 1}));
}

TEST(PlacesFit, WhitenedTablesAndGridsThatWereAskedForHaveNone) {
  FitOptions whitened = with_threads(1), asked = with_threads(1);
  whitened.preprocessing.whiten = true;
  asked.grid.density = {0.5};
  for (const FitOptions& options : {whitened, asked}) {
    const Fit made = fit(planted(40, 4), options);
    for (const Cell& cell : made.questions[0].grid) EXPECT_NE(cell.solver, "places");
  }
}

}  // namespace
}  // namespace cavity
