// The whole job on simulated data with known truth.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cavity/errors.hpp"
#include "cavity/fit.hpp"
#include "cavity/simulate.hpp"

namespace cavity {
namespace {

Dataset toy(std::size_t samples = 80, std::size_t features = 120, std::uint64_t seed = 1) {
  return simulate({samples, features, 0.05, 0.02, seed}).data;
}

FitOptions small_grid() {
  FitOptions options;
  options.grid.density = {0.2, 0.05};
  options.grid.noise = {0.02, 0.1};
  options.threads = 1;
  return options;
}

TEST(Fit, FindsTheTeachersFeatures) {
  const Simulation made = simulate({150, 120, 0.03, 0.02, 4});
  const Fit result = fit(made.data, small_grid());
  std::vector<std::size_t> order(120);
  for (std::size_t l = 0; l < 120; ++l) order[l] = l;
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return std::abs(made.teacher[a]) > std::abs(made.teacher[b]); });
  EXPECT_GT(result.model.questions[0].features.inclusion[order[0]], 0.9);
  EXPECT_GT(result.model.questions[0].features.weight[order[0]] * made.teacher[order[0]], 0);
  EXPECT_LT(result.loo.error, 0.25);
  for (const Cell& cell : result.questions[0].grid) EXPECT_EQ(cell.status, "converged");
}

TEST(Fit, ThreadsChangeNoBit) {
  FitOptions options = small_grid();
  const Fit one = fit(toy(), options);
  for (const unsigned threads : {2U, 4U}) {
    options.threads = threads;
    const Fit many = fit(toy(), options);
    EXPECT_EQ(one.loo.probability, many.loo.probability);
    EXPECT_EQ(one.model.questions[0].features.inclusion, many.model.questions[0].features.inclusion);
  }
}

TEST(Fit, FlippingTheLabelsFlipsTheAnswer) {
  Dataset flipped = toy();
  for (auto& k : flipped.classes) k = 1 - k;
  const Fit a = fit(toy(), small_grid()), b = fit(flipped, small_grid());
  for (std::size_t i = 0; i < a.data.samples; ++i) EXPECT_NEAR(a.loo.probability[i], 1 - b.loo.probability[i], 1e-6);
}

TEST(Fit, LeaveOneOutAgreesWithRefits) {
  FitOptions options = small_grid();
  options.grid.density = {0.1};
  options.grid.noise = {0.05};
  options.selection.check_loo = 15;
  const Fit result = fit(toy(), options);
  EXPECT_EQ(result.questions[0].loo_check->checked, 15U);
  EXPECT_LT(result.questions[0].loo_check->mean_difference, 0.02);
  EXPECT_LE(result.questions[0].loo_check->changed_labels, 1U);
}

TEST(Fit, PredictionOfNewSamplesIsAsGoodAsLeaveOneOutSays) {
  const Simulation made = simulate({400, 150, 0.05, 0.02, 9});
  Dataset train = made.data, test = made.data;
  const auto cut = [](Dataset& d, std::size_t first, std::size_t last) {
    FeatureMatrix m(last - first, d.features.cols());
    std::copy(d.features.dense().row(first), d.features.dense().row(first) + m.values.size(), m.values.begin());
    d.features = m;
    d.classes = {d.classes.begin() + static_cast<std::ptrdiff_t>(first),
                 d.classes.begin() + static_cast<std::ptrdiff_t>(last)};
    d.sample_names.resize(last - first);
  };
  cut(train, 0, 120);
  cut(test, 120, 400);
  const std::vector<std::uint32_t> truth = test.classes;
  const Fit result = fit(train, small_grid());
  const auto p = predict(result.model, test, 1).of(1);
  double wrong = 0;
  for (std::size_t i = 0; i < p.size(); ++i) wrong += (p[i] >= 0.5) != (truth[i] > 0);
  const double error = wrong / static_cast<double>(p.size());
  EXPECT_NEAR(error, result.loo.error,
              3 * std::sqrt(result.loo.error * (1 - result.loo.error) * (1.0 / 120 + 1.0 / 280)));
}

TEST(Fit, SolversAgreeOnIndependentFeatures) {
  FitOptions options = small_grid();
  options.grid.density = {0.1};
  options.grid.noise = {0.05};
  options.intercept = false;
  const Simulation made = simulate({400, 400, 0.1, 0.05, 2});
  options.solver.kind = Solver::ep;
  const Fit ep = fit(made.data, options);
  options.solver.kind = Solver::amp;
  const Fit amp = fit(made.data, options);
  double difference = 0;
  for (std::size_t l = 0; l < 400; ++l)
    difference +=
        std::abs(ep.model.questions[0].features.inclusion[l] - amp.model.questions[0].features.inclusion[l]) / 400;
  EXPECT_LT(difference, 0.02);
  EXPECT_NEAR(ep.loo.error, amp.loo.error, 0.03);
}

TEST(Fit, ADuplicatedFeatureIsNotLostToItsCopy) {
  const Simulation made = simulate({150, 60, 0.03, 0.02, 6});
  const auto best =
      static_cast<std::size_t>(std::max_element(made.teacher.begin(), made.teacher.end(),
                                                [](double a, double b) { return std::abs(a) < std::abs(b); }) -
                               made.teacher.begin());
  Dataset doubled = made.data;
  FeatureMatrix wider(150, 61);
  for (std::size_t mu = 0; mu < 150; ++mu) {
    std::copy_n(made.data.features.dense().row(mu), 60, wider.row(mu));
    wider.row(mu)[60] = made.data.features.dense().row(mu)[best];
  }
  doubled.features = wider;
  doubled.feature_names.push_back("copy");
  const Fit alone = fit(made.data, small_grid()), twice = fit(doubled, small_grid());
  EXPECT_GE(twice.model.questions[0].features.inclusion[best] + twice.model.questions[0].features.inclusion[60],
            alone.model.questions[0].features.inclusion[best] - 0.02);
  bool grouped = false;
  for (const auto& group : twice.model.correlated)
    grouped = grouped || (std::count(group.begin(), group.end(), best) && std::count(group.begin(), group.end(), 60U));
  EXPECT_TRUE(grouped);
}

TEST(Fit, HardCasesGiveFiniteAnswersWithATrueStatus) {
  FitOptions options;
  options.threads = 1;
  for (const std::size_t samples : {4U, 20U})
    for (const double teacher : {0.01, 1.0}) {
      Dataset data = simulate({samples, 50, teacher, 0, 3}).data;
      data.classes[0] = 1;
      data.classes[1] = 0;
      const Fit result = fit(data, options);
      for (const double p : result.loo.probability) EXPECT_TRUE(p >= 0 && p <= 1);
      for (const Cell& cell : result.questions[0].grid) EXPECT_TRUE(std::isfinite(cell.loo_error) || !cell.usable);
    }
}

TEST(Fit, MoreSamplesThanFeaturesUsesTheOtherForm) {
  const Fit result = fit(toy(300, 12), small_grid());
  EXPECT_EQ(result.solver().name, "ep");
  EXPECT_LT(result.loo.error, 0.4);
  EXPECT_EQ(result.questions[0].grid[0].status, "converged");
}

TEST(Fit, OneClassIsRefused) {
  Dataset data = toy();
  std::ranges::fill(data.classes, 1U);
  EXPECT_THROW(fit(data, small_grid()), InputError);
}

TEST(Fit, ProgressCanStopIt) {
  FitOptions options = small_grid();
  options.observer.progress = [](const Progress&) { return false; };
  EXPECT_THROW(fit(toy(), options), Interrupted);
}

TEST(Discoveries, KeepTheExpectedFalseFractionBelowTheRate) {
  const std::vector<Feature> ranked = {{"a", 0.99, 1, 0}, {"b", 0.95, 1, 0}, {"c", 0.8, 1, 0}, {"d", 0.3, 1, 0}};
  EXPECT_EQ(discoveries(ranked, 0.1), 3U);
  EXPECT_EQ(discoveries(ranked, 0.04), 2U);
  EXPECT_EQ(discoveries(ranked, 0), 0U);
  EXPECT_EQ(discoveries(ranked, 0.5), 4U);
}

}  // namespace
}  // namespace cavity
