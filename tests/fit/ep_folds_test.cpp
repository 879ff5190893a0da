// Leave-one-out by folds of a sparse EP cell: what fits without the folds say.
#include "fit/ep_folds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "assess/deal_folds.hpp"
#include "support/ep_path.hpp"

namespace cavity {
namespace {

const SmallOptions sparse_shape{.samples = 60, .features = 80, .density = 0.3, .activation = step(0.1)};

SolverOptions tight() {
  SolverOptions out;
  out.tolerance = 1e-8;
  return out;
}

SampleGroups pairs_of(std::size_t samples) {
  SampleGroups out;
  for (std::size_t mu = 0; mu < samples; ++mu) out.of.push_back(mu / 2);
  for (std::size_t mu = 0; mu < samples; mu += 2) out.members.push_back({mu, mu + 1});
  return out;
}

/// Largest |difference| of a probability from cold fits without each part.
double off_cold_fits(const Problem& problem, const std::vector<std::size_t>& part, const LeftOut& said,
                     ThreadPool& pool) {
  double out = 0;
  for (std::size_t k = 0; k <= *std::ranges::max_element(part); ++k) {
    std::vector<bool> left_out;
    for (const std::size_t p : part) left_out.push_back(p == k);
    EpStart cold;
    cold.left_out = &left_out;
    const Posterior refit = fit_ep(problem, tight(), cold, pool).posterior;
    EXPECT_EQ(refit.status, Status::converged);
    for (std::size_t mu = 0; mu < part.size(); ++mu)
      if (left_out[mu])
        out = std::max(out, std::abs(std::exp(refit.loo_log_probability[mu]) - std::exp(said.log_probability[mu])));
  }
  return out;
}

TEST(EpFolds, AreFitsWithoutTheFold) {
  const SmallProblem small = make_small(sparse_shape);
  ThreadPool pool(2);
  EpResult whole = fit_ep(small.problem(), tight(), {}, pool);
  ASSERT_EQ(whole.posterior.status, Status::converged);
  const auto by_folds = leave_out_folds(small.problem(), whole.state, {}, pool);
  ASSERT_TRUE(by_folds);
  EXPECT_EQ(by_folds->right, Right::folds);
  const std::vector<std::size_t> fold = deal_folds(small.labels, 5, Random(1, dealing_stream));
  EXPECT_LT(off_cold_fits(small.problem(), fold, *by_folds, pool), 0.01);
  EXPECT_NE(by_folds->log_probability, whole.posterior.loo_log_probability);
}

struct InPairs {
  SmallProblem small = make_small(sparse_shape);
  SampleGroups pairs = pairs_of(60);
  Problem problem() const {
    Problem out = small.problem();
    out.groups = &pairs;
    return out;
  }
};

TEST(EpFolds, GroupsAreFitsWithoutEachGroup) {
  const InPairs made;
  const Problem problem = made.problem();
  ThreadPool pool(2);
  const EpResult whole = fit_ep(problem, tight(), {}, pool);
  ASSERT_EQ(whole.posterior.status, Status::converged);
  const auto fifths = leave_out_folds(problem, whole.state, {}, pool),
             groups = leave_out_groups(problem, whole.state, {}, pool);
  ASSERT_TRUE(fifths && groups);
  EXPECT_GT(off_cold_fits(problem, made.pairs.of, *fifths, pool), 0.05);  // a fifth less to learn from
  EXPECT_LT(off_cold_fits(problem, made.pairs.of, *groups, pool), 0.01);
  EXPECT_EQ(groups->right, Right::groups);
}

TEST(EpFolds, APartThatIsNotFoundEarnsNothing) {
  const InPairs made;
  const Problem problem = made.problem();
  ThreadPool pool(1);
  EpResult whole = fit_ep(problem, {}, {}, pool);
  ASSERT_TRUE(leave_out_folds(problem, whole.state, {}, pool));
  for (double& a : whole.state.precision) a = 1e6;  // a start from which there is no way in ten updates
  for (double& h : whole.state.linear) h = -1e6;
  EXPECT_FALSE(leave_out_folds(problem, whole.state, {}, pool));
  EXPECT_FALSE(leave_out_groups(problem, whole.state, {}, pool));
}

}  // namespace
}  // namespace cavity
