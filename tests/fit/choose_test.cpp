// Which cells make the answer, on posteriors made by hand.
#include "fit/choose.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
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

// Right as often as they say, so that there is nothing to recalibrate.
Posterior calibrated(double probability, double evidence) {
  Posterior p = cell(probability, Status::converged, evidence);
  const auto every = static_cast<std::size_t>(std::lround(1 / (1 - probability)));
  for (std::size_t mu = 0; mu < samples; mu += every) p.loo_log_probability[mu] = std::log(1 - probability);
  return p;
}

TEST(Choose, SampledCellsHaveTheShareThatTheEvidenceSpeaksFor) {
  const auto share = [](double usual, double sampled) {
    return choose(Selection::stack, half_sampled, {calibrated(0.75, usual), calibrated(0.75, sampled)}, features,
                  nullptr, false)
        .weight[1];
  };
  const double odds = share(-20, -20) / (1 - share(-20, -20));
  EXPECT_GT(odds, 0.3);
  EXPECT_LT(odds, 3);
  EXPECT_NEAR(share(-20, -19) / (1 - share(-20, -19)), odds * std::exp(1), 1e-9);
  EXPECT_EQ(share(-20, -30), 0);  // too little
  EXPECT_EQ(share(-20, std::numeric_limits<double>::quiet_NaN()), 0);
  EXPECT_EQ(share(std::numeric_limits<double>::quiet_NaN(), -20), 0);
}

// P(label | the others) of hypotheses weighed by their evidence is the ratio of two sums of evidences.
TEST(Choose, LeaveOneOutKnowsTheShareWithoutTheSample) {
  Posterior many = calibrated(0.75, -20), few = calibrated(0.8, -20.7);
  const Choice choice = choose(Selection::stack, half_sampled, {many, few}, features, nullptr, false);
  for (std::size_t mu = 0; mu < samples; ++mu) {
    double without = 0;
    without += choice.weight[0] / std::exp(many.loo_log_probability[mu]);
    without += choice.weight[1] / std::exp(few.loo_log_probability[mu]);
    EXPECT_NEAR(choice.loo_log_probability[mu], -std::log(without), 1e-9);
  }
  // Left out two at a time, by what each hypothesis says of both.
  SampleGroups pairs;
  for (std::size_t mu = 0; mu < samples; ++mu) {
    if (mu % 2 == 0) pairs.members.emplace_back();
    pairs.members.back().push_back(mu);
    pairs.of.push_back(mu / 2);
  }
  const Choice grouped = choose(Selection::stack, half_sampled, {many, few}, features, &pairs, false);
  for (std::size_t mu = 0; mu < samples; ++mu) {
    const std::size_t other = mu ^ 1;
    const double p = std::exp(many.loo_log_probability[mu]), q = std::exp(few.loo_log_probability[mu]);
    const double first = choice.weight[0] / (p * std::exp(many.loo_log_probability[other])),
                 second = choice.weight[1] / (q * std::exp(few.loo_log_probability[other]));
    EXPECT_NEAR(grouped.loo_log_probability[mu], std::log((first * p + second * q) / (first + second)), 1e-9);
  }
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

TEST(Choose, WhatRecalibrationGainsSpeaksForTheOthers) {
  // Careful but always right: recalibrated it says more of the labels than its evidence.
  const Posterior careful = cell(0.70, Status::converged, -20), sampled = calibrated(0.9, -20);
  const double as_it_is =
      choose(Selection::stack, half_sampled, {careful, sampled}, features, nullptr, false).weight[1];
  EXPECT_GT(as_it_is, 0.3);
  EXPECT_EQ(choose(Selection::stack, half_sampled, {careful, sampled}, features).weight[1], 0);
  const Posterior likely = calibrated(0.9, -7.5);
  const Choice both = choose(Selection::stack, half_sampled, {careful, likely}, features);
  EXPECT_TRUE(both.part_recalibration.others);
  EXPECT_FALSE(both.part_recalibration.sampled);
  EXPECT_GT(both.weight[1], 0.1);
  EXPECT_LT(both.weight[1], 1);
}

TEST(Choose, ChainsThatHaveNotMixedTakePart) {
  const Posterior unsure = calibrated(0.55, -27);
  Posterior sampled = cell(0.9, Status::not_mixed, -15);
  EXPECT_GT(choose(Selection::stack, half_sampled, {unsure, sampled}, features).weight[1], 0.8);
  Posterior doubtful = sampled;
  doubtful.doubtful = true;
  EXPECT_EQ(choose(Selection::stack, half_sampled, {unsure, doubtful}, features).weight, (std::vector<double>{1, 0}));
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
