// Leave-one-out by folds of a sparse EP cell: what fits without the folds say.
#include "choose/ep_folds.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "sample/place_folds.hpp"
#include "support/ep_path.hpp"

namespace cavity {
namespace {

TEST(EpFolds, AreFitsWithoutTheFold) {
  const SmallProblem small = make_small({.samples = 60, .features = 80, .density = 0.3, .activation = step(0.1)});
  ThreadPool pool(2);
  SolverOptions tight;
  tight.tolerance = 1e-8;
  EpResult whole = fit_ep(small.problem(), tight, {}, pool);
  ASSERT_EQ(whole.posterior.status, Status::converged);
  Posterior by_folds = whole.posterior;
  leave_out_folds(small.problem(), whole.state, {}, pool, by_folds);
  EXPECT_TRUE(by_folds.by_folds);
  EXPECT_FALSE(by_folds.doubtful);
  EXPECT_EQ(by_folds.mean, whole.posterior.mean);
  const std::vector<std::size_t> fold = deal_folds(small.labels, 5, Random(1, dealing_stream));
  double difference = 0;
  for (std::size_t k = 0; k < 5; ++k) {
    std::vector<bool> left_out;
    for (const std::size_t f : fold) left_out.push_back(f == k);
    EpStart cold;
    cold.left_out = &left_out;
    const Posterior refit = fit_ep(small.problem(), tight, cold, pool).posterior;
    ASSERT_EQ(refit.status, Status::converged);
    for (std::size_t mu = 0; mu < 60; ++mu)
      if (left_out[mu])
        difference = std::max(
            difference, std::abs(std::exp(refit.loo_log_probability[mu]) - std::exp(by_folds.loo_log_probability[mu])));
  }
  EXPECT_LT(difference, 0.01);
  EXPECT_NE(by_folds.loo_log_probability, whole.posterior.loo_log_probability);
}

TEST(EpFolds, AFoldThatIsNotFoundMakesTheCellDoubtful) {
  const SmallProblem small = make_small({.samples = 60, .features = 80, .density = 0.3, .activation = step(0.1)});
  ThreadPool pool(1);
  EpResult whole = fit_ep(small.problem(), {}, {}, pool);
  for (double& a : whole.state.precision) a = 1e6;  // a start from which there is no way in ten updates
  for (double& h : whole.state.linear) h = -1e6;
  leave_out_folds(small.problem(), whole.state, {}, pool, whole.posterior);
  EXPECT_TRUE(whole.posterior.doubtful);
}

}  // namespace
}  // namespace cavity
