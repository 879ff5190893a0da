// Leave-one-out by folds of a cell: what fits without the folds say.
#include "fit/folds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "assess/deal_folds.hpp"
#include "design/some_samples.hpp"
#include "infer/gamp.hpp"
#include "infer/predictive.hpp"
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

SolvedCell cell_of(const EpResult& whole) {
  SolvedCell out = solved_cell({0.3, 0.1}, 0, Method::ep, whole.posterior);
  out.state = std::make_shared<const EpState>(whole.state);
  return out;
}

TEST(Folds, AreFitsWithoutTheFold) {
  const SmallProblem small = make_small(sparse_shape);
  ThreadPool pool(2);
  EpResult whole = fit_ep(small.problem(), tight(), {}, pool);
  ASSERT_EQ(whole.posterior.status, Status::converged);
  const auto by_folds = leave_out_folds(small.problem(), cell_of(whole), {}, pool);
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

TEST(Folds, GroupsAreFitsWithoutEachGroup) {
  const InPairs made;
  const Problem problem = made.problem();
  ThreadPool pool(2);
  const EpResult whole = fit_ep(problem, tight(), {}, pool);
  ASSERT_EQ(whole.posterior.status, Status::converged);
  const auto fifths = leave_out_folds(problem, cell_of(whole), {}, pool),
             groups = leave_out_groups(problem, cell_of(whole), {}, pool);
  ASSERT_TRUE(fifths && groups);
  EXPECT_GT(off_cold_fits(problem, made.pairs.of, *fifths, pool), 0.05);  // a fifth less to learn from
  EXPECT_LT(off_cold_fits(problem, made.pairs.of, *groups, pool), 0.01);
  EXPECT_EQ(groups->right, Right::groups);
}

TEST(Folds, OfGampAreFitsOfTheOthersAlone) {
  const SmallProblem small = make_small({.samples = 120, .features = 80, .density = 0.3, .activation = step(0.1)});
  const Problem problem = small.problem();
  ThreadPool pool(2);
  const GampResult whole = fit_gamp(problem, tight(), {}, pool);
  ASSERT_EQ(whole.posterior.status, Status::converged);
  SolverOptions fine;
  fine.tolerance = 1e-10;  // folds: 1e-6
  const auto said = leave_out_folds(problem, solved_cell({0.3, 0.1}, 0, Method::gamp, whole.posterior), fine, pool);
  ASSERT_TRUE(said);
  const std::vector<std::size_t> fold = deal_folds(small.labels, 5, Random(1, dealing_stream));
  std::vector<std::size_t> others, own;
  for (std::size_t mu = 0; mu < fold.size(); ++mu) (fold[mu] == 0 ? own : others).push_back(mu);
  const SomeSamples design(problem.design, others);
  std::vector<std::int8_t> labels;
  for (const std::size_t mu : others) labels.push_back(small.labels[mu]);
  const Covariates covariates{small.covariates.values(others, Eigen::all), small.covariates.precision};
  const Problem without{design, labels, covariates, problem.activation, problem.density};
  const Posterior refit = fit_gamp(without, tight(), {}, pool).posterior;
  ASSERT_EQ(refit.status, Status::converged);
  const SomeSamples left_out(problem.design, own);
  const Matrix z = small.covariates.values(own, Eigen::all);
  const std::vector<double> field = field_means(left_out, refit.mean, z, refit.covariate_mean, pool),
                            variance = own_field_variances(left_out, refit.variance, z, refit.covariate_variance, pool);
  for (std::size_t i = 0; i < own.size(); ++i)
    EXPECT_NEAR(std::exp(said->log_probability[own[i]]),
                average_likelihood(problem.activation, small.labels[own[i]] * field[i], variance[i]), 1e-4);
}

TEST(Folds, APartThatIsNotFoundEarnsNothing) {
  const InPairs made;
  const Problem problem = made.problem();
  ThreadPool pool(1);
  EpResult whole = fit_ep(problem, {}, {}, pool);
  ASSERT_TRUE(leave_out_folds(problem, cell_of(whole), {}, pool));
  for (double& a : whole.state.precision) a = 1e6;  // a start from which there is no way in ten updates
  for (double& h : whole.state.linear) h = -1e6;
  EXPECT_FALSE(leave_out_folds(problem, cell_of(whole), {}, pool));
  EXPECT_FALSE(leave_out_groups(problem, cell_of(whole), {}, pool));
}

}  // namespace
}  // namespace cavity
