// Which cells make the answer, on posteriors made by hand.
#include "choose/choose.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace cavity {
namespace {

constexpr std::size_t samples = 40, features = 1000;

Posterior cell(double probability, Status status = Status::converged, double evidence = 0) {
  Posterior p;
  p.status = status;
  p.residual = status == Status::converged ? 1e-7 : 0.1;
  p.loo_log_probability.assign(samples, std::log(probability));
  p.loo_log_loss = -std::log(probability);
  p.loo_error = 1 - probability;
  p.log_evidence = evidence;
  return p;
}

const Grid grid{{0.1, 0.006}, {{0.1}, {0.1}}, {{0}, {0}}};             // 100 and 6 features kept
const Grid half_sampled{{0.1, 0.006}, {{0.1}, {0.1}}, {{0}, {0}}, 1};  // the second by chains

TEST(Choose, VerySparseCellsTakeNoPartBesideOthers) {
  const Choice choice = choose(Selection::stack, grid, {cell(0.70), cell(0.95)}, features);
  EXPECT_EQ(choice.weight, (std::vector<double>{1, 0}));
  EXPECT_NEAR(choice.loo_log_probability[0], std::log(0.70), 1e-9);
  const Choice alone = choose(Selection::stack, grid, {cell(0.70, Status::stalled), cell(0.95)}, features);
  EXPECT_EQ(alone.weight, (std::vector<double>{0, 1}));
}

TEST(Choose, OnePeakOfSeveralTakesNoPart) {
  const Grid dense{{0.1, 0.05}, {{0.1}, {0.1}}, {{0}, {0}}};
  Posterior peak = cell(0.95);
  EXPECT_GT(choose(Selection::stack, dense, {cell(0.70), peak}, features).weight[1], 0.9);
  peak.doubtful = true;
  EXPECT_EQ(choose(Selection::stack, dense, {cell(0.70), peak}, features).weight, (std::vector<double>{1, 0}));
}

TEST(Choose, SampledCellsHaveTheShareThatSamplesSpeakFor) {
  Posterior unsure = cell(0.70), sampled = cell(0.75);
  for (std::size_t mu = 0; mu < samples; mu += 3) unsure.loo_log_probability[mu] = std::log(0.3);
  sampled.by_folds = true;
  const Choice better = choose(Selection::stack, half_sampled, {unsure, sampled}, features);
  EXPECT_GT(better.weight[1], 0.8);
  // As good as each other: too small a share.
  for (std::size_t mu = 0; mu < samples; mu += 4) sampled.loo_log_probability[mu] = std::log(0.25);
  EXPECT_EQ(choose(Selection::stack, half_sampled, {sampled, sampled}, features).weight, (std::vector<double>{1, 0}));
  // A little better: an expectation, not the likeliest share, which is 1.
  Posterior ahead = sampled;
  for (std::size_t mu = 0; mu < 2; ++mu) ahead.loo_log_probability[mu] += 0.5;
  const Choice part = choose(Selection::stack, half_sampled, {sampled, ahead}, features);
  EXPECT_GT(part.weight[1], 0.25);
  EXPECT_LT(part.weight[1], 0.6);
}

TEST(Choose, SaysWhatTheChoiceFlatters) {
  // Two cells that know nothing, each lucky on other samples: weights that have seen them prefer the luckier one.
  Posterior first = cell(0.5), second = cell(0.5);
  for (std::size_t mu = 0; mu < samples; ++mu) {
    first.loo_log_probability[mu] = std::log(mu % 2 == 0 ? 0.7 : 0.3);
    second.loo_log_probability[mu] = std::log(mu % 3 == 0 ? 0.3 : 0.6);
  }
  const Grid dense{{0.1, 0.05}, {{0.1}, {0.1}}, {{0}, {0}}};
  const Choice choice = choose(Selection::stack, dense, {first, second}, features);
  const auto sum = [](const std::vector<double>& v) { return std::accumulate(v.begin(), v.end(), 0.0); };
  EXPECT_GT(sum(choice.flattered_log_probability), sum(choice.loo_log_probability));
  EXPECT_TRUE(choose(Selection::loo_error, dense, {first, second}, features).flattered_log_probability.empty());
}

TEST(Choose, CarefulCellsAreRecalibratedBeforeSampledOnesHaveAShare) {
  // Careful but always right: recalibrated it knows better than the sampled one, which is right nine times of ten.
  const Posterior careful = cell(0.70);
  Posterior sure = cell(0.95);
  sure.by_folds = true;
  for (std::size_t mu = 0; mu < samples; mu += 10) sure.loo_log_probability[mu] = std::log(0.05);
  const Choice without = choose(Selection::stack, half_sampled, {careful, sure}, features);
  EXPECT_EQ(without.weight, (std::vector<double>{1, 0}));
  EXPECT_FALSE(without.part_recalibration.any());
  EXPECT_GT(choose(Selection::stack, half_sampled, {careful, sure}, features, nullptr, false).weight[1], 0.3);
  // Always right, too: both have a share, and what is said of a sample left out is that of the recalibrated one.
  const Posterior right = [] {
    Posterior p = cell(0.95);
    p.by_folds = true;
    return p;
  }();
  const Choice both = choose(Selection::stack, half_sampled, {careful, right}, features);
  EXPECT_TRUE(both.part_recalibration.others);
  EXPECT_GT(both.weight[0], 0.1);
  EXPECT_GT(both.weight[1], 0.1);
  for (const double lp : both.loo_log_probability) EXPECT_GT(lp, std::log(0.9));
}

TEST(Choose, ChainsThatHaveNotMixedTakePartByTheirFolds) {
  Posterior unsure = cell(0.55), sampled = cell(0.9, Status::not_mixed);
  sampled.by_folds = true;
  const Choice better = choose(Selection::stack, half_sampled, {unsure, sampled}, features);
  EXPECT_GT(better.weight[1], 0.8);
  sampled.status = Status::stalled;
  EXPECT_EQ(choose(Selection::stack, half_sampled, {unsure, sampled}, features).weight, (std::vector<double>{1, 0}));
}

TEST(Choose, CellsThatDidNotConvergeTakeNoPart) {
  const Choice choice = choose(Selection::stack, grid, {cell(0.7), cell(0.99, Status::stalled)}, features);
  EXPECT_EQ(choice.weight, (std::vector<double>{1, 0}));
  EXPECT_TRUE(choice.any_converged);
}

TEST(Choose, NothingConvergedIsSaid) {
  const Choice choice =
      choose(Selection::stack, grid, {cell(0.7, Status::stalled), cell(0.8, Status::stalled)}, features);
  EXPECT_FALSE(choice.any_converged);
  EXPECT_EQ(choice.loo_log_probability.size(), samples);
}

TEST(Choose, SingleCellRules) {
  const std::vector<Posterior> cells = {cell(0.7, Status::converged, -5), cell(0.8, Status::converged, -9)};
  EXPECT_EQ(choose(Selection::loo_error, grid, cells, features).heaviest, 1U);
  EXPECT_EQ(choose(Selection::loo_log_loss, grid, cells, features).heaviest, 1U);
  EXPECT_EQ(choose(Selection::evidence, grid, cells, features).heaviest, 0U);
}

}  // namespace
}  // namespace cavity
