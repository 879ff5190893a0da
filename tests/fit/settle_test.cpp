// Which cells earn their leave-one-out by folds, and which are given up.
#include "fit/settle.hpp"

#include <gtest/gtest.h>

#include "support/small_problem.hpp"

namespace cavity {
namespace {

constexpr double rosy_loss = 0.1;  // far below what the dense cell has

/// A dense cell, and one that keeps 20 of 250 features whose leave-one-out is too good to be true.
class Settle : public testing::Test {
 protected:
  Settle() {
    solved.grid.density = {0.5, 0.08};
    solved.grid.noise.assign(2, {0.1});
    solved.grid.width.assign(2, {0.2});
    SolverOptions loose;
    loose.tolerance = loose_tolerance;
    for (std::size_t cell = 0; cell < 2; ++cell) {
      const EpState* denser = cell > 0 ? &solved.states[0] : nullptr;
      EpResult result = fit_ep(problem.at(solved.grid.point(cell)), loose, {denser}, pool);
      EXPECT_EQ(result.posterior.status, Status::converged);
      solved.posteriors.push_back(std::move(result.posterior));
      solved.states.push_back(std::move(result.state));
    }
    solved.posteriors[1].loo_log_probability.assign(60, -rosy_loss);
    solved.posteriors[1].loo_log_loss = rosy_loss;
  }

  Choice settled(std::optional<double> lead, Selection by = Selection::stack) {
    FitOptions options;
    options.selection.by = by;
    return settle(problem, options, solved, pool, {1, lead});
  }

  double lead_of_rosy() const { return solved.posteriors[0].loo_log_loss - rosy_loss; }

  ThreadPool pool{1};
  SmallProblem small = make_small({.samples = 60, .features = 250});
  GridProblem problem{*small.design, small.labels, small.covariates, ActivationKind::step};
  Solved solved;
};

TEST_F(Settle, ACellOfFewFeaturesEarnsItsLeaveOneOut) {
  settled(std::nullopt);
  EXPECT_TRUE(solved.posteriors[1].by_folds);
  EXPECT_GT(solved.posteriors[1].loo_log_loss, rosy_loss);
}

TEST_F(Settle, OneThatLeadsByEnoughEarnsIt) {
  settled(0.9 * lead_of_rosy());
  EXPECT_TRUE(solved.posteriors[1].by_folds);
}

TEST_F(Settle, OneThatDoesNotIsGivenUp) {
  const Choice choice = settled(1.1 * lead_of_rosy());
  EXPECT_FALSE(solved.posteriors[1].by_folds);
  EXPECT_TRUE(solved.posteriors[1].doubtful);
  EXPECT_EQ(choice.weight, (std::vector<double>{1, 0}));
}

TEST_F(Settle, ASingleBestCellAlwaysEarnsIt) {
  settled(1.1 * lead_of_rosy(), Selection::loo_log_loss);
  EXPECT_TRUE(solved.posteriors[1].by_folds);
}

}  // namespace
}  // namespace cavity
