// Which cells make the answer, on posteriors made by hand.
#include "fit/mix.hpp"

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

/// Where the first and the second of two cells stand.
struct Two {
  double second_density;
  Method second_by;
};
constexpr Two grid{0.006, Method::ep};              // 100 and 6 features kept
constexpr Two dense{0.05, Method::ep};              // 100 and 50
constexpr Two half_sampled{0.006, Method::places};  // the second by chains

std::vector<SolvedCell> on(const Two& two, const std::vector<Posterior>& posteriors) {
  return {solved_cell({0.1, 0.1}, 0, Method::ep, posteriors[0]),
          solved_cell({two.second_density, 0.1}, 0, two.second_by, posteriors[1])};
}

TEST(Mix, VerySparseCellsTakeNoPartBesideOthers) {
  const Mixed choice = mix(on(grid, {cell(0.70), cell(0.95)}), {Selection::stack, features});
  EXPECT_EQ(choice.weight, (std::vector<double>{1, 0}));
  EXPECT_NEAR(choice.loo_log_probability[0], std::log(0.70), 1e-9);
  const Mixed alone = mix(on(grid, {cell(0.70, Status::stalled), cell(0.95)}), {Selection::stack, features});
  EXPECT_EQ(alone.weight, (std::vector<double>{0, 1}));
}

TEST(Mix, WhatSpeaksByNoRightTakesNoPart) {
  std::vector<SolvedCell> cells = on(dense, {cell(0.70), cell(0.95)});
  EXPECT_GT(mix(cells, {Selection::stack, features}).weight[1], 0.9);
  cells[1].left_out.right = Right::none;
  EXPECT_EQ(mix(cells, {Selection::stack, features}).weight, (std::vector<double>{1, 0}));
}

// Right as often as they say, so that there is nothing to recalibrate.
Posterior calibrated(double probability, double evidence) {
  Posterior p = cell(probability, Status::converged, evidence);
  const auto every = static_cast<std::size_t>(std::lround(1 / (1 - probability)));
  for (std::size_t mu = 0; mu < samples; mu += every) p.loo_log_probability[mu] = std::log(1 - probability);
  return p;
}

TEST(Mix, SampledCellsHaveTheShareThatTheEvidenceSpeaksFor) {
  const auto share = [](double usual, double sampled) {
    return mix(on(half_sampled, {calibrated(0.75, usual), calibrated(0.75, sampled)}),
               {Selection::stack, features, nullptr, false})
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
TEST(Mix, LeaveOneOutKnowsTheShareWithoutTheSample) {
  Posterior many = calibrated(0.75, -20), few = calibrated(0.8, -20.7);
  const Mixed choice = mix(on(half_sampled, {many, few}), {Selection::stack, features, nullptr, false});
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
  const Mixed grouped = mix(on(half_sampled, {many, few}), {Selection::stack, features, &pairs, false});
  for (std::size_t mu = 0; mu < samples; ++mu) {
    const std::size_t other = mu ^ 1;
    const double p = std::exp(many.loo_log_probability[mu]), q = std::exp(few.loo_log_probability[mu]);
    const double first = choice.weight[0] / (p * std::exp(many.loo_log_probability[other])),
                 second = choice.weight[1] / (q * std::exp(few.loo_log_probability[other]));
    EXPECT_NEAR(grouped.loo_log_probability[mu], std::log((first * p + second * q) / (first + second)), 1e-9);
  }
}

TEST(Mix, SaysWhatTheChoiceFlatters) {
  // Two cells that know nothing, each lucky on other samples: weights that have seen them prefer the luckier one.
  Posterior first = cell(0.5), second = cell(0.5);
  for (std::size_t mu = 0; mu < samples; ++mu) {
    first.loo_log_probability[mu] = std::log(mu % 2 == 0 ? 0.7 : 0.3);
    second.loo_log_probability[mu] = std::log(mu % 3 == 0 ? 0.3 : 0.6);
  }
  const Mixed choice = mix(on(dense, {first, second}), {Selection::stack, features});
  const auto sum = [](const std::vector<double>& v) { return std::accumulate(v.begin(), v.end(), 0.0); };
  EXPECT_GT(sum(choice.flattered_log_probability), sum(choice.loo_log_probability));
  EXPECT_TRUE(mix(on(dense, {first, second}), {Selection::loo_error, features}).flattered_log_probability.empty());
}

TEST(Mix, WhatRecalibrationGainsSpeaksForTheOthers) {
  // Careful but always right: recalibrated it says more of the labels than its evidence.
  const Posterior careful = cell(0.70, Status::converged, -20), sampled = calibrated(0.9, -20);
  const double as_it_is =
      mix(on(half_sampled, {careful, sampled}), {Selection::stack, features, nullptr, false}).weight[1];
  EXPECT_GT(as_it_is, 0.3);
  EXPECT_EQ(mix(on(half_sampled, {careful, sampled}), {Selection::stack, features}).weight[1], 0);
  const Posterior likely = calibrated(0.9, -7.5);
  const Mixed both = mix(on(half_sampled, {careful, likely}), {Selection::stack, features});
  EXPECT_TRUE(both.part_recalibration.others);
  EXPECT_FALSE(both.part_recalibration.sampled);
  EXPECT_GT(both.weight[1], 0.1);
  EXPECT_LT(both.weight[1], 1);
}

TEST(Mix, ChainsThatHaveNotMixedTakePart) {
  const Posterior unsure = calibrated(0.55, -27);
  Posterior sampled = cell(0.9, Status::not_mixed, -15);
  EXPECT_GT(mix(on(half_sampled, {unsure, sampled}), {Selection::stack, features}).weight[1], 0.8);
  std::vector<SolvedCell> doubtful = on(half_sampled, {unsure, sampled});
  doubtful[1].left_out.right = Right::none;
  EXPECT_EQ(mix(doubtful, {Selection::stack, features}).weight, (std::vector<double>{1, 0}));
  sampled.status = Status::stalled;
  EXPECT_EQ(mix(on(half_sampled, {unsure, sampled}), {Selection::stack, features}).weight, (std::vector<double>{1, 0}));
}

TEST(Mix, CellsThatDidNotConvergeTakeNoPart) {
  const Mixed choice = mix(on(grid, {cell(0.7), cell(0.99, Status::stalled)}), {Selection::stack, features});
  EXPECT_EQ(choice.weight, (std::vector<double>{1, 0}));
  EXPECT_TRUE(choice.any_converged);
}

TEST(Mix, NothingConvergedIsSaid) {
  const Mixed choice =
      mix(on(grid, {cell(0.7, Status::stalled), cell(0.8, Status::stalled)}), {Selection::stack, features});
  EXPECT_FALSE(choice.any_converged);
  EXPECT_EQ(choice.loo_log_probability.size(), samples);
}

TEST(Mix, SingleCellRules) {
  const std::vector<Posterior> cells = {cell(0.7, Status::converged, -5), cell(0.8, Status::converged, -9)};
  EXPECT_EQ(mix(on(grid, cells), {Selection::loo_error, features}).heaviest, 1U);
  EXPECT_EQ(mix(on(grid, cells), {Selection::loo_log_loss, features}).heaviest, 1U);
  EXPECT_EQ(mix(on(grid, cells), {Selection::evidence, features}).heaviest, 0U);
}

}  // namespace
}  // namespace cavity
