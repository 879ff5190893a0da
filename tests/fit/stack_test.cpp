#include "fit/stack.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/random.hpp"
#include "fit/recalibrate.hpp"

namespace cavity {
namespace {

double score(const std::vector<std::vector<double>>& lp, const std::vector<double>& w) {
  const auto mixed = mixed_log_probability(lp, w);
  return std::accumulate(mixed.begin(), mixed.end(), 0.0);
}

std::vector<std::vector<double>> random_cells(std::size_t cells, std::size_t samples, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::vector<double>> lp(cells, std::vector<double>(samples));
  for (auto& cell : lp)
    for (auto& x : cell) x = std::log(0.02 + 0.96 * random.uniform());
  return lp;
}

TEST(Stack, WeightsAreOptimalOnTheSimplex) {
  const auto lp = random_cells(5, 80, 3);
  const auto w = stacking_weights(lp);
  EXPECT_NEAR(std::accumulate(w.begin(), w.end(), 0.0), 1, 1e-12);
  // Concave objective: no move towards any corner may improve it.
  for (std::size_t k = 0; k < 5; ++k) {
    auto moved = w;
    for (auto& x : moved) x *= 0.99;
    moved[k] += 0.01;
    EXPECT_LE(score(lp, moved), score(lp, w) + 1e-6) << k;
  }
}

// Neighbours in the grid differ by little: the maximum is flat, and steps along the slope creep.
TEST(Stack, WeightsOfCellsThatAreNearlyAlikeAreOptimal) {
  const std::size_t cells = 14, samples = 150;
  const auto base = random_cells(2, samples, 4), noise = random_cells(cells, samples, 5);
  std::vector<std::vector<double>> lp(cells, std::vector<double>(samples));
  for (std::size_t k = 0; k < cells; ++k)
    for (std::size_t mu = 0; mu < samples; ++mu) {
      const double way = static_cast<double>(k) / static_cast<double>(cells - 1);
      lp[k][mu] = (1 - way) * base[0][mu] + way * base[1][mu] + 1e-3 * noise[k][mu];
    }
  const auto w = stacking_weights(lp);
  const double here = score(lp, w);
  for (std::size_t k = 0; k < cells; ++k) {
    auto moved = w;
    for (auto& x : moved) x *= 0.99;
    moved[k] += 0.01;
    EXPECT_LE(score(lp, moved), here + 1e-6) << k;
  }
}

TEST(Stack, EqualCellsShare) {
  auto lp = random_cells(2, 60, 6);
  lp.push_back(lp[1]);
  const auto w = stacking_weights(lp);
  EXPECT_NEAR(w[1], w[2], 1e-6);
}

TEST(Stack, TheBetterCellTakesAll) {
  const std::vector<std::vector<double>> lp = {std::vector<double>(20, std::log(0.9)),
                                               std::vector<double>(20, std::log(0.6))};
  const auto w = stacking_weights(lp);
  EXPECT_NEAR(w[0], 1, 1e-6);
}

TEST(Stack, TinyProbabilitiesDoNotUnderflow) {
  const std::vector<std::vector<double>> lp = {{-800.0, -0.1}, {-802.0, -0.2}};
  const auto w = stacking_weights(lp);
  EXPECT_TRUE(std::isfinite(w[0]) && std::isfinite(w[1]));
  EXPECT_NEAR(w[0], 1, 1e-3);
}

TEST(Stacking, CrossFittedWeightsDoNotFlatter) {
  // Two cells that know nothing, each sure of random halves: the best weights of all samples gain by chance alone.
  std::vector<std::vector<double>> lp(6, std::vector<double>(40));
  Random random(5, 0);
  for (auto& cell : lp)
    for (double& x : cell) x = std::log(random.uniform() < 0.5 ? 0.9 : 0.1);
  const auto mean = [](const std::vector<double>& v) {
    return std::accumulate(v.begin(), v.end(), 0.0) / static_cast<double>(v.size());
  };
  const double flattered = mean(mixed_log_probability(lp, stacking_weights(lp)));
  EXPECT_LT(mean(cross_fitted_log_probability(lp)), flattered - 0.01);
}

TEST(Recalibration, IsSymmetricAndMonotone) {
  const Recalibration r{0.02, 1.7};
  double last = 0;
  for (double p = 0.01; p < 1; p += 0.01) {
    EXPECT_NEAR(recalibrated(r, p) + recalibrated(r, 1 - p), 1, 1e-12);
    EXPECT_GT(recalibrated(r, p), last);
    last = recalibrated(r, p);
  }
}

TEST(Recalibration, SharpensUnderconfidentPredictionsThatAreAllRight) {
  const std::vector<double> lp(70, std::log(0.75));
  ThreadPool pool(2);
  const auto r = fit_recalibration(lp, pool);
  ASSERT_TRUE(r.has_value());
  EXPECT_GT(recalibrated(*r, 0.75), 0.95);
  EXPECT_LT(recalibrated(*r, 0.75), 1);  // never certain
}

TEST(Recalibration, LeavesCalibratedPredictionsAlone) {
  Random random(5);
  std::vector<double> lp;
  for (int i = 0; i < 200; ++i) {
    const double p = 0.5 + 0.49 * random.uniform();
    lp.push_back(std::log(random.bernoulli(p) ? p : 1 - p));
  }
  ThreadPool pool(2);
  const auto r = fit_recalibration(lp, pool);
  for (double p = 0.05; r && p < 1; p += 0.05) EXPECT_NEAR(recalibrated(*r, p), p, 0.01);
}

}  // namespace
}  // namespace cavity
