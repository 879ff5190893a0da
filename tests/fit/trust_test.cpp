// Which cells earn their leave-one-out by folds.
#include "fit/trust.hpp"

#include <gtest/gtest.h>

#include "support/small_problem.hpp"

namespace cavity {
namespace {

constexpr double rosy_loss = 0.1;  // far below what the dense cell has

SampleGroups pairs_of(std::size_t samples) {
  SampleGroups out;
  for (std::size_t mu = 0; mu < samples; ++mu) out.of.push_back(mu / 2);
  for (std::size_t mu = 0; mu < samples; mu += 2) out.members.push_back({mu, mu + 1});
  return out;
}

/// A dense cell, and one that keeps 20 of 250 features whose leave-one-out is too good to be true; both loosely solved.
class Trust : public testing::Test {
 protected:
  Trust() {
    SolverOptions loose;
    loose.tolerance = loose_tolerance;
    EpState denser;
    for (const double density : {0.5, 0.08}) {
      const GridPoint where{density, 0.1, 0.2};
      EpResult result = fit_ep(problem.at(where), loose, {denser.density > 0 ? &denser : nullptr}, pool);
      EXPECT_EQ(result.posterior.status, Status::converged);
      denser = result.state;
      cells.push_back(solved_cell(where, 0, Method::ep, std::move(result.posterior)));
      cells.back().settled = false;
      cells.back().state = std::make_shared<const EpState>(std::move(result.state));
    }
    cells[1].left_out.log_probability.assign(60, -rosy_loss);
    cells[1].left_out.log_loss = rosy_loss;
  }

  /// What becomes of the cells when all of them carry weight, by so many steps.
  std::vector<SolvedCell> trusted(int steps = 100) {
    std::vector<SolvedCell> out = cells;
    const GridRun run;
    const std::vector<double> all = {0.5, 0.5};
    while (steps-- > 0) {
      auto further = trust_more(out, all, problem, run, 1, pool);
      if (!further) break;
      out = std::move(*further);
    }
    return out;
  }

  ThreadPool pool{1};
  SmallProblem small = make_small({.samples = 60, .features = 250});
  SampleGroups pairs = pairs_of(60);
  GridProblem problem{*small.design, small.labels, small.covariates, ActivationKind::step};
  std::vector<SolvedCell> cells;
};

TEST_F(Trust, ACellOfFewFeaturesEarnsItsLeaveOneOut) {
  const SolvedCell cell = trusted()[1];
  EXPECT_EQ(cell.left_out.right, Right::folds);
  EXPECT_GT(cell.left_out.log_loss, rosy_loss);
  EXPECT_LT(cell.posterior->residual, 1e-6);
}

TEST_F(Trust, AStepWritesIntoNothing) {
  const std::vector<SolvedCell> before = cells;
  const std::vector<SolvedCell> after = trusted(1);
  EXPECT_EQ(cells[1].left_out.log_probability, before[1].left_out.log_probability);
  EXPECT_EQ(cells[1].left_out.right, Right::cavities);
  EXPECT_EQ(after[0].posterior, cells[0].posterior);  // what is not touched is shared
  EXPECT_EQ(after[1].posterior, cells[1].posterior);
}

TEST_F(Trust, GroupsAreLeftOutOneByOneInTheEnd) {
  problem.groups = &pairs;
  const std::vector<SolvedCell> after = trusted();
  EXPECT_EQ(after[1].left_out.right, Right::groups);
  EXPECT_EQ(after[0].left_out.right, Right::cavities);
  EXPECT_TRUE(after[1].settled);
}

TEST_F(Trust, WhatCarriesNoWeightIsLeftAlone) {
  const std::vector<double> none = {0, 0};
  EXPECT_FALSE(trust_more(cells, none, problem, {}, 1, pool));
}

TEST_F(Trust, WhatWasSolvedToTheEndIsLeftAlone) {
  for (SolvedCell& cell : cells) cell.settled = true;
  EXPECT_EQ(trusted()[1].left_out.right, Right::cavities);
}

}  // namespace
}  // namespace cavity
