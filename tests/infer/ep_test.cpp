// EP: symmetries, the joint Gaussian against the definition written out, Newton's direction against finite differences,
// leave-one-out against refits.
#include "infer/ep.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "infer/ep_update.hpp"
#include "infer/joint_gaussian_parts.hpp"
#include "support/ep_path.hpp"

namespace cavity {
namespace {

EpResult fit(const SmallProblem& small, unsigned threads = 1) {
  ThreadPool pool(threads);
  SolverOptions options;
  options.tolerance = 1e-10;
  EpResult result = fit_ep(small.problem(), options, {}, pool);
  EXPECT_EQ(result.posterior.status, Status::converged) << result.posterior.residual;
  return result;
}

void negate(std::vector<double>& v) {
  for (auto& x : v) x = -x;
}

TEST(Ep, FlippedLabelsFlipTheWeights) {
  SmallProblem small = make_small({.samples = 30, .features = 50, .correlation = 0.5, .intercept = true});
  const Posterior a = fit(small).posterior;
  for (auto& y : small.labels) y = static_cast<std::int8_t>(-y);
  Posterior b = fit(small).posterior;
  negate(b.mean);
  negate(b.covariate_mean);
  EXPECT_LT(largest_difference(a.mean, b.mean), 1e-7);
  EXPECT_LT(largest_difference(a.covariate_mean, b.covariate_mean), 1e-7);
  EXPECT_LT(largest_difference(a.inclusion, b.inclusion), 1e-7);
  EXPECT_LT(largest_difference(a.loo_log_probability, b.loo_log_probability), 1e-7);
  EXPECT_NEAR(a.log_evidence, b.log_evidence, 1e-7);
}

TEST(Ep, PermutedFeaturesPermuteThePosterior) {
  const SmallProblem small = make_small({.samples = 30, .features = 50, .correlation = 0.5});
  FeatureMatrix x(30, 50);
  for (std::size_t mu = 0; mu < 30; ++mu)
    for (std::size_t l = 0; l < 50; ++l) x.row(mu)[l] = small.values.row(mu)[(7 * l + 3) % 50];
  const SmallProblem permuted(x, small.labels, {});
  const Posterior a = fit(small).posterior, b = fit(permuted).posterior;
  for (std::size_t l = 0; l < 50; ++l) {
    EXPECT_NEAR(b.inclusion[l], a.inclusion[(7 * l + 3) % 50], 1e-7);
    EXPECT_NEAR(b.mean[l], a.mean[(7 * l + 3) % 50], 1e-7);
  }
  EXPECT_NEAR(a.log_evidence, b.log_evidence, 1e-7);
}

TEST(Ep, SameBitsForAnyNumberOfThreads) {
  const SmallProblem small = make_small({.samples = 40, .features = 300, .intercept = true});
  const Posterior a = fit(small, 1).posterior, b = fit(small, 3).posterior;
  EXPECT_EQ(a.mean, b.mean);
  EXPECT_EQ(a.inclusion, b.inclusion);
  EXPECT_EQ(a.log_evidence, b.log_evidence);
}

GaussianSites mixed_sites(std::size_t features, std::size_t samples) {
  Random random(17);
  GaussianSites sites;
  for (std::size_t l = 0; l < features; ++l) {
    sites.tau.push_back(l % 7 == 0 ? -0.01 - 0.02 * random.uniform() : 0.5 + 3 * random.uniform());
    sites.nu.push_back(random.normal());
  }
  for (std::size_t mu = 0; mu < samples; ++mu) {
    sites.omega.push_back(mu % 5 == 0 ? -0.01 - 0.02 * random.uniform() : 0.5 + 2 * random.uniform());
    sites.eta.push_back(random.normal());
  }
  return sites;
}

// Lambda inverted as it stands, N-dimensional.
void check_gaussian(const SmallProblem& small, const GaussianSites& sites, const GaussianMarginals& got) {
  const auto n = static_cast<Eigen::Index>(small.values.cols), m = static_cast<Eigen::Index>(small.values.rows);
  const Eigen::Index total = n + small.covariates.values.cols();
  Eigen::MatrixXd y(m, total);
  y.leftCols(n) = small.x().cast<double>() / std::sqrt(static_cast<double>(n));
  if (total > n) y.rightCols(total - n) = small.covariates.values;
  for (Eigen::Index mu = 0; mu < m; ++mu) y.row(mu) *= small.labels[static_cast<std::size_t>(mu)];
  const auto map = [](const std::vector<double>& v) {
    return Eigen::Map<const Eigen::VectorXd>(v.data(), static_cast<Eigen::Index>(v.size()));
  };
  Eigen::MatrixXd lambda = y.transpose() * map(sites.omega).asDiagonal() * y;
  lambda.diagonal().head(n) += map(sites.tau);
  for (Eigen::Index j = n; j < total; ++j)
    lambda(j, j) += small.covariates.precision[static_cast<std::size_t>(j - n)] / small.density;
  const Eigen::MatrixXd sigma = lambda.inverse();
  Eigen::VectorXd r = y.transpose() * map(sites.eta);
  r.head(n) += map(sites.nu);
  const Eigen::VectorXd mean = sigma * r;
  const Eigen::VectorXd variance = sigma.diagonal();
  const Eigen::MatrixXd field = y * sigma * y.transpose();
  EXPECT_LT((map(got.mean) - mean.head(n)).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT((map(got.variance) - variance.head(n)).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT((map(got.field_mean) - y * mean).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT((map(got.field_variance) - field.diagonal()).cwiseAbs().maxCoeff(), 1e-9);
  if (total > n) {
    EXPECT_LT((map(got.covariate_mean) - mean.tail(total - n)).cwiseAbs().maxCoeff(), 1e-9);
    EXPECT_LT((map(got.covariate_variance) - variance.tail(total - n)).cwiseAbs().maxCoeff(), 1e-9);
  }
  for (Eigen::Index l = 0; l < n; ++l) {
    const auto i = static_cast<std::size_t>(l);
    EXPECT_NEAR(got.cavity_precision[i], 1 / variance[l] - sites.tau[i], 1e-8);
    EXPECT_NEAR(got.cavity_linear[i], mean[l] / variance[l] - sites.nu[i], 1e-8);
  }
  EXPECT_NEAR(got.log_determinant, std::log(lambda.determinant()), 1e-8);
}

bool solve(const SmallProblem& small, const GaussianSites& sites, GaussianMarginals& out, ThreadPool& pool) {
  const Problem problem = small.problem();
  return JointGaussian(problem, pool).solve(sites, out);
}

TEST(JointGaussian, EqualsTheDefinitionWithSitesOfBothSigns) {
  ThreadPool pool(2);
  for (const bool intercept : {false, true})
    for (const std::size_t features : {20, 60}) {  // primal, dual
      SCOPED_TRACE(features);
      const SmallProblem small =
          make_small({.samples = 30, .features = features, .correlation = 0.6, .intercept = intercept});
      const GaussianSites sites = mixed_sites(features, 30);
      GaussianMarginals got;
      ASSERT_TRUE(solve(small, sites, got, pool));
      check_gaussian(small, sites, got);
    }
}

TEST(JointGaussian, PrimalAndDualAgree) {
  ThreadPool pool(1);
  const SmallProblem small = make_small({.samples = 30, .features = 29, .correlation = 0.6, .intercept = true});
  const GaussianSites sites = mixed_sites(29, 30);
  GaussianMarginals primal;
  ASSERT_TRUE(solve(small, sites, primal, pool));
  GaussianMarginals dual = primal;
  const Problem problem = small.problem();
  DualGaussian form(problem, pool, Precision::full);
  ASSERT_TRUE(form.solve(sites, dual));
  EXPECT_LT(largest_difference(primal.mean, dual.mean), 1e-10);
  EXPECT_LT(largest_difference(primal.field_variance, dual.field_variance), 1e-10);
  EXPECT_LT(largest_difference(primal.cavity_precision, dual.cavity_precision), 1e-9);
  EXPECT_LT(largest_difference(primal.cavity_linear, dual.cavity_linear), 1e-9);
  EXPECT_NEAR(primal.log_determinant, dual.log_determinant, 1e-10);
}

// Sample sites of no precision at all, and large ones: the dual form divides by them.
TEST(JointGaussian, SamplesWithoutPrecisionAddNothing) {
  ThreadPool pool(1);
  for (const std::size_t features : {20, 60}) {
    SCOPED_TRACE(features);
    const SmallProblem small = make_small({.samples = 30, .features = features, .correlation = 0.6, .intercept = true});
    GaussianSites sites = mixed_sites(features, 30);
    sites.omega[1] = 0;
    sites.omega[2] = 1e-300;
    sites.omega[3] = 1e-9;
    sites.omega[4] = 1e5;
    GaussianMarginals got;
    ASSERT_TRUE(solve(small, sites, got, pool));
    check_gaussian(small, sites, got);
  }
}

// One object for all updates: what an earlier one left behind changes no bit.
TEST(JointGaussian, RemembersNoEarlierSites) {
  ThreadPool pool(1);
  for (const std::size_t features : {20, 60}) {
    const SmallProblem small = make_small({.samples = 30, .features = features, .intercept = true});
    const Problem problem = small.problem();
    const GaussianSites sites = mixed_sites(features, 30);
    GaussianSites others = sites;
    for (auto* v : {&others.tau, &others.omega})
      for (double& x : *v) x = 1;
    JointGaussian joint(problem, pool);
    GaussianMarginals fresh, again;
    ASSERT_TRUE(solve(small, sites, fresh, pool));
    ASSERT_TRUE(joint.solve(others, again));
    ASSERT_TRUE(joint.solve(sites, again));
    EXPECT_EQ(fresh.mean, again.mean);
    EXPECT_EQ(fresh.cavity_precision, again.cavity_precision);
    EXPECT_EQ(fresh.field_variance, again.field_variance);
    EXPECT_EQ(fresh.log_determinant, again.log_determinant);
  }
}

TEST(JointGaussian, RefusesAnIndefinitePrecision) {
  ThreadPool pool(1);
  for (const std::size_t features : {20, 60}) {
    const SmallProblem small = make_small({.samples = 30, .features = features});
    GaussianSites sites = mixed_sites(features, 30);
    sites.tau[3] = -50;
    GaussianMarginals got;
    EXPECT_FALSE(solve(small, sites, got, pool));
  }
}

// (I - J) dx = f: checked as f = dx - J dx with J dx by central differences of the update, for a few right-hand sides.
TEST(EpNewton, DirectionSolvesTheLinearisedUpdate) {
  for (const std::size_t features : {12, 40}) {
    SCOPED_TRACE(features);
    const SmallProblem small =
        make_small({.samples = 20, .features = features, .correlation = 0.5, .density = 0.5, .intercept = true});
    ThreadPool pool(1);
    const Problem problem = small.problem();
    const EpState state = fit(small).state;
    EpUpdate update(problem, pool);
    update.prior = state.prior;
    std::vector<double> x = update.pack(state), next(x.size()), dx(x.size()), f(x.size());
    Random random(8);
    for (auto& v : x) v += 0.01 * random.normal();
    ASSERT_TRUE(update(x, {}, next, true));
    for (std::size_t i = 0; i < f.size(); ++i) f[i] = 1e-3 * random.normal();
    ASSERT_TRUE(update.newton_direction(f, dx));
    const double h = 1e-4;
    std::vector<double> ahead = x, behind = x, up(x.size()), down(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      ahead[i] += h * dx[i];
      behind[i] -= h * dx[i];
    }
    ASSERT_TRUE(update(ahead, {}, up));
    ASSERT_TRUE(update(behind, {}, down));
    // Features outside the active set take plain steps: their own rows, and their pull on the others, are left out.
    double error = 0, size = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double left = dx[i] - (up[i] - down[i]) / (2 * h);
      error += (left - f[i]) * (left - f[i]);
      size += f[i] * f[i];
    }
    EXPECT_LT(std::sqrt(error / size), 0.02);
  }
}

TEST(Ep, LeaveOneOutIsLeaveOneOutByRefits) {
  const SmallOptions options{.samples = 40, .features = 80, .density = 0.3, .activation = step(0.1)};
  const SmallProblem all = make_small(options);
  const Posterior whole = fit(all).posterior;
  double difference = 0;
  constexpr std::size_t refits = 20;
  for (std::size_t left = 0; left < refits; ++left) {
    FeatureMatrix rest(39, 80), one(1, 80);
    std::vector<std::int8_t> labels;
    for (std::size_t mu = 0, row = 0; mu < 40; ++mu) {
      std::copy_n(all.values.row(mu), 80, mu == left ? one.row(0) : rest.row(row));
      if (mu == left) continue;
      labels.push_back(all.labels[mu]);
      ++row;
    }
    const SmallProblem refit(rest, labels, options);
    const double positive = ep_predict(refit, fit(refit).posterior, one)[0];
    const double p = all.labels[left] > 0 ? positive : 1 - positive;
    difference += std::abs(std::exp(whole.loo_log_probability[left]) - p) / refits;
  }
  std::cout << "leave-one-out differs from refits by " << difference << '\n';
  EXPECT_LT(difference, 0.02);
}

TEST(Ep, WithoutSomeSamplesIsAFitOfTheOthers) {
  const SmallOptions options{.samples = 40, .features = 80, .density = 0.3, .activation = step(0.1)};
  const SmallProblem all = make_small(options);
  const EpResult whole = fit(all);
  std::vector<bool> left_out(40);
  FeatureMatrix rest(32, 80), gone(8, 80);
  std::vector<std::int8_t> labels;
  for (std::size_t mu = 0; mu < 40; ++mu) {
    left_out[mu] = mu % 5 == 2;
    std::copy_n(all.values.row(mu), 80, left_out[mu] ? gone.row(mu / 5) : rest.row(labels.size()));
    if (!left_out[mu]) labels.push_back(all.labels[mu]);
  }
  ThreadPool pool(1);
  SolverOptions tight;
  tight.tolerance = 1e-10;
  EpStart start{&whole.state};
  start.left_out = &left_out;
  const Posterior without = fit_ep(all.problem(), tight, start, pool).posterior;
  const SmallProblem others(rest, labels, options);
  const Posterior refit = fit(others).posterior;
  EXPECT_EQ(without.status, Status::converged);
  EXPECT_LT(largest_difference(without.mean, refit.mean), 1e-7);
  EXPECT_LT(largest_difference(without.inclusion, refit.inclusion), 1e-7);
  const std::vector<double> positive = ep_predict(others, refit, gone);
  for (std::size_t mu = 2; mu < 40; mu += 5) {
    const double p = all.labels[mu] > 0 ? positive[mu / 5] : 1 - positive[mu / 5];
    EXPECT_NEAR(std::exp(without.loo_log_probability[mu]), p, 1e-6) << mu;
  }
}

}  // namespace
}  // namespace cavity
