// The features dealt out to several processes: the same fit to 1e-9, whatever their number.
#include <gtest/gtest.h>

#include <algorithm>

#include <cmath>

#include "cavity/errors.hpp"
#include "cavity/fit.hpp"
#include "fit/fit_with_shards.hpp"
#include "support/tables.hpp"
#include "support/thread_shards.hpp"

namespace cavity {
namespace {

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  EXPECT_EQ(a.size(), b.size());
  double largest = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

double sampled_weight(const Fit& fit) {
  double out = 0;
  for (const Cell& c : fit.questions[0].grid) out += c.solver == "places" ? c.weight : 0;
  return out;
}

void expect_same(const Fit& one, const Fit& other, double tolerance, const std::string& what) {
  EXPECT_EQ(one.questions[0].chosen, other.questions[0].chosen) << what;
  EXPECT_LE(std::abs(one.questions[0].boundary.share - other.questions[0].boundary.share), tolerance) << what;
  EXPECT_LE(std::abs(sampled_weight(one) - sampled_weight(other)), tolerance) << what;
  EXPECT_LE(largest_difference(one.loo.probability, other.loo.probability), tolerance) << what;
  EXPECT_LE(largest_difference(one.model.questions[0].features.inclusion, other.model.questions[0].features.inclusion),
            tolerance)
      << what;
  EXPECT_LE(largest_difference(one.model.questions[0].features.weight, other.model.questions[0].features.weight),
            tolerance)
      << what;
  ASSERT_EQ(one.questions[0].grid.size(), other.questions[0].grid.size());
  for (std::size_t k = 0; k < one.questions[0].grid.size(); ++k)
    EXPECT_EQ(one.questions[0].grid[k].status, other.questions[0].grid[k].status) << what;
  ASSERT_EQ(one.model.questions[0].mixture.components.size(), other.model.questions[0].mixture.components.size())
      << what;
  for (std::size_t k = 0; k < one.model.questions[0].mixture.components.size(); ++k) {
    const Component &a = one.model.questions[0].mixture.components[k],
                    &b = other.model.questions[0].mixture.components[k];
    EXPECT_LE(largest_difference(a.mean, b.mean), tolerance) << what;
    EXPECT_EQ(a.feature_precision.size(), b.feature_precision.size()) << what;
  }
  EXPECT_EQ(one.model.training.values.cols, other.model.training.values.cols) << what;
  EXPECT_EQ(one.model.correlated, other.model.correlated) << what;
}

void check_ranks(const Dataset& data, const FitOptions& options, const std::vector<std::size_t>& numbers,
                 const std::string& what, double tolerance = 1e-9) {
  const auto fit_in = [&](std::size_t ranks) {
    std::vector<Fit> fits(ranks);
    test::ThreadShards::run(ranks, [&](const Shards& shards) { fits[shards.rank()] = fit(data, options, shards); });
    return fits;
  };
  const Fit one = fit_in(1).front();
  expect_same(fit(data, options), one, options.solver.kind == Solver::ep ? tolerance : 1e-6, what + " alone");
  for (const std::size_t ranks : numbers)
    for (const Fit& f : fit_in(ranks)) expect_same(one, f, tolerance, what + " in " + std::to_string(ranks));
}

FitOptions quick(Solver solver) {
  FitOptions options;
  options.solver.kind = solver;
  options.threads = 1;
  return options;
}

TEST(ShardedFit, GroupsAreLeftOutTheSame) {
  Dataset data = test::skewed_table(40, 90);
  for (std::size_t i = 0; i < data.samples(); ++i) data.groups.push_back(std::to_string(i / 2));
  check_ranks(data, quick(Solver::ep), {3}, "ep with groups");
}

TEST(ShardedFit, EpIsTheSameForAnyNumberOfProcesses) {
  check_ranks(test::skewed_table(40, 90), quick(Solver::ep), {2, 3, 4}, "ep");
}

// Folds are solved loosely, in single precision: sums in another order are seen in the eighth digit. Threads of a
// process must not sum up out of turn.
TEST(ShardedFit, FoldsAreTheSameForAnyNumberOfProcesses) {
  Dataset data = test::skewed_table(40, 600);
  for (std::size_t mu = 0; mu < 40; ++mu)
    for (std::size_t l = 0; l < 8; ++l) data.features.dense().row(mu)[l] *= data.classes[mu] == 1 ? 2 : 1;
  FitOptions options = quick(Solver::ep);
  options.threads = 2;
  const Fit alone = fit(data, options);
  EXPECT_TRUE(std::ranges::any_of(alone.questions[0].grid, [](const Cell& c) { return c.by_folds && c.reliable; }));
  check_ranks(data, options, {2, 3}, "ep with folds", 1e-6);
}

TEST(ShardedFit, AmpIsTheSameForAnyNumberOfProcesses) {
  check_ranks(test::skewed_table(40, 90), quick(Solver::amp), {2, 3, 4}, "amp");
  check_ranks(test::skewed_table(40, 90), quick(Solver::gamp), {2, 3}, "gamp");
}

TEST(ShardedFit, OtherActivationsSolveForTheirScaleTogether) {
  FitOptions options = quick(Solver::ep);
  options.activation = ActivationKind::probit;
  options.grid.density = {0.3, 0.1};
  check_ranks(test::skewed_table(30, 60), options, {2}, "probit");
}

TEST(ShardedFit, MoreProcessesThanFeatures) {
  FitOptions options = quick(Solver::amp);
  options.grid.density = {0.5};
  options.grid.noise = {0.1};
  check_ranks(test::skewed_table(30, 3), options, {5}, "three features");
}

/// One feature says the label of a skewed table, but for every ninth sample.
Dataset planted(std::size_t samples, std::size_t features) {
  Dataset out = test::skewed_table(samples, features);
  Random random(3, 7);
  for (std::size_t mu = 0; mu < samples; ++mu) {
    const double value = random.normal();
    out.features.dense().row(mu)[5] = static_cast<float>(std::exp(value) * 30);
    out.classes[mu] = (value > 0) != (mu % 9 == 4) ? 1 : 0;
  }
  return out;
}

bool tries_preparations(const Fit& fit) {
  return std::ranges::any_of(fit.data.notes, [](const std::string& note) { return note.starts_with("preparations"); });
}

// Nothing is asked for: preparations are tried, places sampled, bent boundaries compared, in every process alike. Cells
// are solved loosely and folds in single precision, so that sums in another order are seen in the seventh digit.
constexpr double loosely = 2e-6;

TEST(ShardedFit, TheDefaultIsTheSameForAnyNumberOfProcesses) {
  const Dataset data = planted(60, 120);
  const Fit alone = fit(data, quick(Solver::automatic));
  EXPECT_TRUE(tries_preparations(alone));
  EXPECT_GT(sampled_weight(alone), 0.2);
  EXPECT_TRUE(alone.questions[0].boundary.known());
  EXPECT_FALSE(alone.model.questions[0].features.credible_sets.empty());
  check_ranks(data, quick(Solver::automatic), {2, 3}, "default", loosely);
}

TEST(ShardedFit, TheDefaultWithGroupsAndWithClasses) {
  Dataset data = planted(60, 120);
  for (std::size_t i = 0; i < data.samples(); ++i) data.groups.push_back(std::to_string(i / 2));
  check_ranks(data, quick(Solver::automatic), {2}, "default with groups", loosely);
  data.groups.clear();
  data.class_names = {"a", "b", "c"};
  for (std::size_t i = 0; i < data.samples(); ++i) data.classes[i] += i % 3 == 0 && data.classes[i] == 1 ? 1 : 0;
  check_ranks(data, quick(Solver::automatic), {2}, "default of three classes", loosely);
}

TEST(ShardedFit, ABentBoundaryIsFoundByAll) {
  Dataset data = planted(120, 12);
  Random random(5);
  for (std::size_t mu = 0; mu < data.samples(); ++mu) {
    for (std::size_t l = 0; l < 12; ++l) data.features.dense().row(mu)[l] = static_cast<float>(random.normal());
    const float* x = data.features.dense().row(mu);
    data.classes[mu] = x[0] * x[0] + x[1] * x[1] > 1.386F ? 1 : 0;
  }
  EXPECT_GT(fit(data, quick(Solver::automatic)).questions[0].boundary.share, 0.5);
  check_ranks(data, quick(Solver::automatic), {2}, "bent", loosely);
}

// So few values that EP may converge nowhere and the exact sampler takes over.
TEST(ShardedFit, TheSamplerOfTinyTablesIsThatOfOneProcess) {
  Dataset data = test::skewed_table(12, 1);
  const Fit alone = fit(data, quick(Solver::automatic));
  check_ranks(data, quick(Solver::automatic), {2}, "tiny: " + alone.solver().name, loosely);
}

TEST(ShardedFit, WhatNeedsOneProcessSaysSo) {
  for (const Solver solver : {Solver::bp, Solver::gibbs}) {
    EXPECT_THROW(check_ranks(test::skewed_table(20, 10), quick(solver), {2}, ""), UsageError);
  }
}

}  // namespace
}  // namespace cavity
