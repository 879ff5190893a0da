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
    table.labels[mu] = (value > 0) != (mu % 9 == 4) ? 1 : -1;
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
  for (const Cell& cell : result.grid) {
    if (cell.solver != "places" || cell.status == "not visited") continue;
    kept.push_back(std::round(cell.kept));
    EXPECT_EQ(cell.reliable, cell.usable);
    sampled += cell.weight;
  }
  EXPECT_EQ(kept, (std::vector<double>{6, 3, 2, 1}));
  EXPECT_GT(sampled, 0.3);
  ASSERT_FALSE(result.model.features.credible_sets.empty());
  const CredibleSet& set = result.model.features.credible_sets.front();
  EXPECT_EQ(set.features.front(), 5U);
  EXPECT_GT(set.probability, 0.8);
}

TEST(PlacesFit, AModelFromItsFilePredictsTheSame) {
  const Fit result = fit(planted(80, 1), with_threads(1));
  const auto has_draws = [](const Component& c) { return c.places.count() > 0; };
  EXPECT_TRUE(std::ranges::any_of(result.model.mixture.components, has_draws));
  const Model again = model_from_bytes(model_bytes(result.model));
  const Dataset fresh = planted(80, 2);
  const std::vector<double> before = predict(result.model, fresh, 1).probability;
  EXPECT_EQ(before, predict(again, fresh, 2).probability);
  double wrong = 0;
  for (std::size_t mu = 0; mu < before.size(); ++mu) wrong += (before[mu] > 0.5) != (fresh.labels[mu] > 0);
  EXPECT_LT(wrong / 80, 0.25);
}

TEST(PlacesFit, HasTheSameBitsForAnyThreads) {
  const Dataset data = planted(40, 3);
  EXPECT_TRUE(model_bytes(fit(data, with_threads(1)).model) == model_bytes(fit(data, with_threads(3)).model));
}

TEST(PlacesFit, WhitenedTablesAndGridsThatWereAskedForHaveNone) {
  FitOptions whitened = with_threads(1), asked = with_threads(1);
  whitened.preprocessing.whiten = true;
  asked.grid.density = {0.5};
  for (const FitOptions& options : {whitened, asked})
    for (const Cell& cell : fit(planted(40, 4), options).grid) EXPECT_NE(cell.solver, "places");
}

}  // namespace
}  // namespace cavity
