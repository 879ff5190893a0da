// A sparse table with nothing said: logarithms of counts, features centred and not scaled, gamp, an honest error.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "base/random.hpp"
#include "cavity/errors.hpp"
#include "cavity/fit.hpp"
#include "cavity/model_file.hpp"
#include "support/errors.hpp"

namespace cavity {
namespace {

// Documents of different lengths over words of very different frequencies; a tenth of the words carries the class.
Dataset documents(std::size_t samples, std::uint64_t seed) {
  constexpr std::size_t words = 1500;
  Random random(seed, 5);
  Dataset out;
  for (std::size_t mu = 0; mu < samples; ++mu) out.classes.push_back(random.bernoulli(0.5) ? 1 : 0);
  std::vector<double> length(samples);
  for (double& each : length) each = std::exp(0.5 * random.normal());
  CompressedColumns columns;
  columns.samples = samples;
  columns.start.push_back(0);
  for (std::size_t l = 0; l < words; ++l) {
    const double rate = 0.4 / (1 + 0.1 * static_cast<double>(l));
    const double lean = l % 10 == 3 ? (l % 20 == 3 ? 0.9 : -0.9) : 0;
    for (std::size_t mu = 0; mu < samples; ++mu) {
      const double mean = rate * length[mu] * std::exp(lean * (out.classes[mu] == 1 ? 1 : -1));
      double count = 0;  // Poisson, by waiting times
      for (double time = -std::log(1 - random.uniform()); time < mean; time -= std::log(1 - random.uniform())) ++count;
      if (count == 0) continue;
      columns.row.push_back(static_cast<std::uint32_t>(mu));
      columns.value.push_back(static_cast<float>(count));
    }
    columns.start.push_back(columns.value.size());
    out.feature_names.push_back("w" + std::to_string(l));
  }
  out.features = FeatureTable(std::move(columns));
  out.class_names = {"a", "b"};
  return out;
}

double error_on(const Model& model, const Dataset& fresh) {
  const std::vector<double> probability = predict(model, fresh).of(1);
  double wrong = 0;
  for (std::size_t mu = 0; mu < fresh.classes.size(); ++mu)
    wrong += (probability[mu] > 0.5) != (fresh.classes[mu] == 1);
  return wrong / static_cast<double>(fresh.classes.size());
}

TEST(SparseFit, PreparesAndSolvesAsSparseTablesNeedIt) {
  const Fit f = fit(documents(400, 1));
  EXPECT_EQ(f.solver().name, "gamp");
  EXPECT_EQ(f.model.preprocessing.transform, Transform::log1p);
  EXPECT_FALSE(f.model.preprocessing.unit_variance);
  const Dataset fresh = documents(2000, 2);
  const double error = error_on(f.model, fresh);
  EXPECT_NEAR(f.loo.error, error, 0.04);  // two standard errors of 400 samples
  FitOptions uniform;  // one variance for all fields, one precision for all features, all of one spread
  uniform.solver.kind = Solver::amp;
  uniform.preprocessing.transform = PreprocessingOptions::Choice::none;
  uniform.preprocessing.unit_variance = true;
  double ours = error, theirs = error_on(fit(documents(400, 1), uniform).model, fresh);
  for (const std::uint64_t seed : {7, 8, 9}) {
    ours += error_on(fit(documents(400, seed)).model, fresh);
    theirs += error_on(fit(documents(400, seed), uniform).model, fresh);
  }
  EXPECT_LT(ours, theirs - 4 * 0.005);
}

TEST(SparseFit, ModelFileKeepsTheVariancesOfNewFields) {
  const Fit f = fit(documents(150, 3));
  ASSERT_FALSE(f.model.questions[0].mixture.components.front().variance.empty());
  const Dataset fresh = documents(50, 4);
  EXPECT_EQ(predict(model_from_bytes(model_bytes(f.model)), fresh).of(1), predict(f.model, fresh).of(1));
}

TEST(SparseFit, DenseRowsArePredictedLikeSparseOnes) {
  const Fit f = fit(documents(150, 5));
  const Dataset sparse = documents(50, 6);
  Dataset dense = sparse;
  dense.features.make_dense();
  const auto a = predict(f.model, sparse).of(1), b = predict(f.model, dense).of(1);
  for (std::size_t mu = 0; mu < a.size(); ++mu) EXPECT_NEAR(a[mu], b[mu], 1e-6);
}

TEST(SparseFit, WhatLiesBeyondTheEndOfAColumnIsNoCell) {
  FitOptions options;
  const Fit path = fit(documents(150, 7));
  std::map<std::size_t, std::size_t> in_column;
  for (const Cell& c : path.questions[0].grid) ++in_column[c.column];
  EXPECT_EQ(in_column.size(), 3U);
  EXPECT_LT(path.questions[0].grid.size(), 21U);
  for (const Cell& c : path.questions[0].grid) EXPECT_TRUE(std::isfinite(c.loo_error));
  options.grid.density = {0.5, 0.2, 0.1, 0.05, 0.02, 0.01};
  options.grid.noise = {0.1, 0.05};
  EXPECT_EQ(fit(documents(150, 7), options).questions[0].grid.size(), 12U);
}

TEST(SparseFit, OnlyCountsTakeLogarithmsAndNegativesAreRefused) {
  Dataset data = documents(60, 8);
  data.features.sparse().value[5] = 0.5F;
  EXPECT_EQ(fit(data).model.preprocessing.transform, Transform::none);
  data.features.sparse().value[5] = -2;
  FitOptions options;
  options.preprocessing.transform = PreprocessingOptions::Choice::log1p;
  test::expect_error<InputError>([&] { fit(data, options); }, {"w0", "-2", "`value_transform=none`"});
}

}  // namespace
}  // namespace cavity
