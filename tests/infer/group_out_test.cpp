// Groups of samples left out together: the joint covariance of their fields, and EP's group cavities against refits.
#include <gtest/gtest.h>

#include "infer/joint_gaussian.hpp"
#include "support/ep_path.hpp"

namespace cavity {
namespace {

GaussianSites sites_of_both_signs(std::size_t samples, std::size_t features) {
  GaussianSites sites;
  Random random(5);
  for (std::size_t l = 0; l < features; ++l) {
    sites.tau.push_back(l % 9 == 4 ? -0.05 : 2 + 3 * random.uniform());
    sites.nu.push_back(random.normal());
  }
  for (std::size_t mu = 0; mu < samples; ++mu) {
    sites.omega.push_back(mu % 5 == 2 ? -0.1 : 1 + random.uniform());
    sites.eta.push_back(random.normal());
  }
  return sites;
}

TEST(FieldCovariance, IsThatOfAllFieldsAtOnceInBothForms) {
  for (const std::size_t features : {15, 60}) {
    SCOPED_TRACE(features);
    const SmallProblem small = make_small({.samples = 30, .features = features, .correlation = 0.4, .intercept = true});
    ThreadPool pool(1);
    const Problem problem = small.problem();
    JointGaussian joint(problem, pool);
    const GaussianSites sites = sites_of_both_signs(30, features);
    GaussianMarginals marginals;
    SiteCovariance whole;
    for (std::size_t l = 0; l < features; ++l)
      if (sites.tau[l] < split_precision) whole.features.push_back(l);
    ASSERT_TRUE(joint.solve(sites, marginals, &whole));
    const std::vector<std::size_t> members = {2, 3, 7, 11};  // of both signs
    const Matrix some = joint.field_covariance(members);
    for (std::size_t i = 0; i < members.size(); ++i)
      for (std::size_t j = 0; j < members.size(); ++j)
        EXPECT_NEAR(some(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)),
                    whole.values(static_cast<Eigen::Index>(whole.count + members[i]),
                                 static_cast<Eigen::Index>(whole.count + members[j])),
                    1e-9);
  }
}

Posterior fit_groups(const SmallProblem& small, const SampleGroups* groups) {
  ThreadPool pool(1);
  SolverOptions options;
  options.tolerance = 1e-8;
  Problem problem = small.problem();
  problem.groups = groups;
  Posterior out = fit_ep(problem, options, {}, pool).posterior;
  EXPECT_EQ(out.status, Status::converged);
  return out;
}

TEST(GroupOut, OfOneSampleIsLeaveOneOut) {
  const SmallProblem small = make_small({.samples = 30, .features = 50, .correlation = 0.5, .intercept = true});
  std::vector<std::string> names;
  for (int i = 0; i < 30; ++i) names.push_back(std::to_string(i));
  const SampleGroups groups = gather_groups(names);
  const Posterior alone = fit_groups(small, nullptr), grouped = fit_groups(small, &groups);
  EXPECT_EQ(alone.loo_log_probability, grouped.loo_log_probability);
  EXPECT_EQ(alone.loo_error, grouped.loo_error);
  EXPECT_EQ(alone.loo_log_loss, grouped.loo_log_loss);
}

/// Every row of a small problem with a noisy copy after it.
SmallProblem with_twins(const SmallOptions& options) {
  const SmallProblem single = make_small(options);
  Random random(99);
  FeatureMatrix x(2 * options.samples, options.features);
  std::vector<std::int8_t> labels;
  for (std::size_t mu = 0; mu < x.rows; ++mu) {
    for (std::size_t l = 0; l < x.cols; ++l)
      x.row(mu)[l] = single.values.row(mu / 2)[l] + static_cast<float>(mu % 2 == 1 ? 0.5 * random.normal() : 0);
    labels.push_back(single.labels[mu / 2]);
  }
  scale_rows(x);
  return {std::move(x), std::move(labels), options};
}

/// All samples but some, and those.
std::pair<SmallProblem, FeatureMatrix> parted(const SmallProblem& all, const std::vector<std::size_t>& out,
                                              const SmallOptions& options) {
  FeatureMatrix rest(all.values.rows - out.size(), all.values.cols), left(out.size(), all.values.cols);
  std::vector<std::int8_t> labels;
  for (std::size_t mu = 0, row = 0; mu < all.values.rows; ++mu) {
    const auto at = std::ranges::find(out, mu) - out.begin();
    const bool leaves = at < static_cast<std::ptrdiff_t>(out.size());
    std::copy_n(all.values.row(mu), all.values.cols, leaves ? left.row(static_cast<std::size_t>(at)) : rest.row(row));
    if (leaves) continue;
    labels.push_back(all.labels[mu]);
    ++row;
  }
  return {SmallProblem(std::move(rest), std::move(labels), options), std::move(left)};
}

TEST(GroupOut, IsThatOfRefitsWithoutTheGroupWhereLeaveOneOutIsRosy) {
  for (const std::size_t features : {30, 100}) {  // both forms of the joint Gaussian
    SCOPED_TRACE(features);
    const SmallOptions options{.samples = 30, .features = features, .density = 0.5, .activation = step(0.1)};
    const SmallProblem all = with_twins(options);
    std::vector<std::string> names;
    for (std::size_t mu = 0; mu < all.values.rows; ++mu) names.push_back(std::to_string(mu / 2));
    const SampleGroups groups = gather_groups(names);
    const Posterior together = fit_groups(all, &groups), alone = fit_groups(all, nullptr);
    double of_groups = 0, of_samples = 0;
    for (const auto& members : groups.members) {
      const auto [refit, left] = parted(all, members, options);
      const std::vector<double> positive = ep_predict(refit, fit_groups(refit, nullptr), left);
      for (std::size_t i = 0; i < members.size(); ++i) {
        const double p = all.labels[members[i]] > 0 ? positive[i] : 1 - positive[i];
        of_groups += std::abs(std::exp(together.loo_log_probability[members[i]]) - p) / 60;
        of_samples += std::abs(std::exp(alone.loo_log_probability[members[i]]) - p) / 60;
      }
    }
    EXPECT_LT(of_groups, 0.02);
    EXPECT_GT(of_samples, 4 * of_groups);
    EXPECT_LT(alone.loo_log_loss, together.loo_log_loss - 0.05);
  }
}

}  // namespace
}  // namespace cavity
