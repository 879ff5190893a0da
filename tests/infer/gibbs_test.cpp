// The sampler against the model it claims to sample: simulation of (parameters, labels) in two ways must agree
// (Geweke 2004), and its diagnostics must tell a good run from a bad one.
#include "infer/gibbs.hpp"

#include <gtest/gtest.h>

#include "cavity/errors.hpp"
#include "infer/chain_statistics.hpp"
#include "infer/gibbs_chain.hpp"
#include "infer/polya_gamma.hpp"
#include "support/small_problem.hpp"

namespace cavity {
namespace {

constexpr std::size_t functions = 12;

// Functions of (parameters, labels) whose moments are compared.
std::array<double, functions> observe(const GibbsChain& chain, const std::vector<std::int8_t>& labels) {
  const auto beta = chain.weights();
  double kept = 0, square = 0, fourth = 0, product = 0, right = 0, margin = 0, positive = 0;
  for (const double b : beta) {
    kept += b != 0;
    square += b * b;
    fourth += b * b * b * b;
  }
  for (std::size_t l = 0; l + 1 < beta.size(); ++l) product += beta[l] * beta[l + 1];
  for (std::size_t mu = 0; mu < labels.size(); ++mu) {
    const double u = labels[mu] * chain.fields()[mu];
    right += u > 0;
    margin += u;
    positive += labels[mu] > 0;
  }
  const double covariate = chain.covariate_weights().empty() ? 0 : chain.covariate_weights()[0];
  return {kept,
          kept * kept,
          square,
          fourth,
          product,
          right,
          margin,
          positive,
          covariate,
          covariate * covariate,
          beta[0] * labels[0],
          static_cast<double>(beta[0] != 0 && beta[1] != 0)};
}

void draw_labels(GibbsChain& chain, const AnyActivation& activation, std::vector<std::int8_t>& labels) {
  for (std::size_t mu = 0; mu < labels.size(); ++mu) {
    const double positive = std::exp(log_likelihood(activation, chain.fields()[mu]));
    labels[mu] = chain.random().bernoulli(positive) ? 1 : -1;
  }
  chain.set_labels(labels);
}

GibbsModel small_model(const AnyActivation& activation, bool covariate) {
  Random random(5);
  const std::size_t samples = 6, features = 4;
  const FeatureMatrix x = correlated_rows(samples, features, 0.8, random);
  GibbsModel model{Eigen::MatrixXd(6, covariate ? 5 : 4), features, {}, activation, {1.7, -0.4}, 1};
  for (std::size_t mu = 0; mu < samples; ++mu) {
    for (std::size_t l = 0; l < features; ++l)
      model.columns(static_cast<Eigen::Index>(mu), static_cast<Eigen::Index>(l)) = 0.5 * x.row(mu)[l];
    if (covariate) model.columns(static_cast<Eigen::Index>(mu), 4) = mu % 3 == 0 ? -0.6 : 1;
  }
  if (covariate) model.covariate_precision = {2};
  return model;
}

void compare(const ChainSums& truth, const ChainSums& sampled) {
  for (std::size_t k = 0; k < functions; ++k) {
    const ChainSummary a = summarise({&truth, 1}, k), b = summarise({&sampled, 1}, k);
    const double error = std::hypot(a.standard_error(), b.standard_error());
    if (error == 0) continue;
    EXPECT_LT(std::abs(a.mean - b.mean) / error, 4) << "function " << k << ": " << a.mean << " and " << b.mean;
    EXPECT_LT(error, 0.05 * (1 + std::abs(a.mean))) << "function " << k << " is not sharp enough to fail";
  }
}

void check_joint_distribution(const AnyActivation& activation, bool covariate) {
  const GibbsModel model = small_model(activation, covariate);
  constexpr std::size_t draws = 32 * 2500;
  std::vector<std::int8_t> labels(model.samples(), 1);
  GibbsChain direct(model, labels, Random(11)), sampled(model, labels, Random(12));
  ChainSums marginal(functions, draws), successive(functions, draws);
  std::vector<std::int8_t> direct_labels = labels;
  for (std::size_t i = 0; i < draws; ++i) {
    direct.draw_prior();
    draw_labels(direct, activation, direct_labels);
    marginal.add(observe(direct, direct_labels));
    draw_labels(sampled, activation, labels);
    sampled.sweep();
    successive.add(observe(sampled, labels));
  }
  compare(marginal, successive);
}

TEST(GibbsJointDistribution, StepWithCovariate) { check_joint_distribution(step(0.1), true); }
TEST(GibbsJointDistribution, StepWhereAllFieldsCanVanish) { check_joint_distribution(step(0.1), false); }
TEST(GibbsJointDistribution, Probit) { check_joint_distribution(probit(0.5), true); }
TEST(GibbsJointDistribution, FlipsWithWidth) { check_joint_distribution(ThresholdActivation{0.1, 0.5}, true); }
TEST(GibbsJointDistribution, Logistic) { check_joint_distribution(LogisticActivation{0.3}, true); }

// Without noise the labels are a function of the parameters and the simulation above cannot move between them: here
// the posterior at fixed labels is the prior, kept where it classifies all samples.
TEST(GibbsJointDistribution, StepWithoutNoiseByRejection) {
  const GibbsModel model = small_model(step(0), true);
  std::vector<std::int8_t> labels(model.samples(), 1);
  GibbsChain prior(model, labels, Random(21)), sampled(model, labels, Random(22));
  while (prior.weights()[0] == 0 || prior.weights()[2] == 0) prior.draw_prior();
  draw_labels(prior, model.activation, labels);  // what some parameters say, so that others can say it too
  sampled.set_labels(labels);
  constexpr std::size_t draws = 32 * 500;
  ChainSums rejected(functions, draws), successive(functions, draws);
  for (std::size_t found = 0; found < draws;) {
    prior.draw_prior();
    bool right = true;
    for (std::size_t mu = 0; mu < labels.size(); ++mu) right = right && labels[mu] * prior.fields()[mu] > 0;
    if (!right) continue;
    rejected.add(observe(prior, labels));
    ++found;
  }
  for (int i = 0; i < 100; ++i) sampled.sweep();
  for (std::size_t i = 0; i < draws; ++i) {
    for (int thin = 0; thin < 5; ++thin) sampled.sweep();
    successive.add(observe(sampled, labels));
  }
  compare(rejected, successive);
}

TEST(PolyaGamma, HasItsMeanAndVariance) {
  Random random(3);
  for (const double z : {0.01, 0.7, 2.0, 4.0, 30.0}) {
    constexpr int draws = 40000;
    double sum = 0, square = 0;
    for (int i = 0; i < draws; ++i) {
      const double w = polya_gamma(z, random);
      sum += w;
      square += w * w;
    }
    const double mean = std::tanh(z / 2) / (2 * z), c = std::cosh(z / 2);
    const double variance = (std::sinh(z) - z) / (4 * z * z * z * c * c);
    EXPECT_NEAR(sum / draws, mean, 4 * std::sqrt(variance / draws)) << "z = " << z;
    EXPECT_NEAR(square / draws - mean * mean, variance, 0.08 * variance) << "z = " << z;
  }
}

TEST(Gibbs, SameNumbersForAnyNumberOfThreads) {
  const SmallProblem small = make_small({.samples = 20, .features = 15, .intercept = true});
  GibbsOptions options;
  options.warm_up = 50;
  options.draws = 64;
  ThreadPool one(1), three(3);
  const GibbsResult a = fit_gibbs(small.problem(), options, one), b = fit_gibbs(small.problem(), options, three);
  EXPECT_EQ(a.posterior.inclusion, b.posterior.inclusion);
  EXPECT_EQ(a.posterior.mean, b.posterior.mean);
  EXPECT_EQ(a.posterior.loo_log_probability, b.posterior.loo_log_probability);
  EXPECT_EQ(a.diagnostics.max_r_hat, b.diagnostics.max_r_hat);
  options.seed = 2;
  EXPECT_NE(a.posterior.inclusion, fit_gibbs(small.problem(), options, one).posterior.inclusion);
}

TEST(Gibbs, DiagnosticsTellALongRunFromAShortOne) {
  const SmallProblem small = make_small({.samples = 25, .features = 10, .density = 0.3});
  ThreadPool pool(2);
  GibbsOptions options;
  options.draws = 12000;
  options.warm_up = 300;
  const GibbsResult good = fit_gibbs(small.problem(), options, pool);
  EXPECT_EQ(good.posterior.status, Status::converged);
  EXPECT_LT(good.diagnostics.max_r_hat, 1.01);
  EXPECT_GT(good.diagnostics.min_effective_draws, 500);
  // A nearly noiseless probit: the augmented fields hardly move in a few sweeps, and the starts differ.
  SmallProblem stiff = make_small({.samples = 60, .features = 10, .activation = probit(0.01)});
  options.draws = 32;
  options.warm_up = 0;
  const GibbsResult bad = fit_gibbs(stiff.problem(), options, pool);
  EXPECT_EQ(bad.posterior.status, Status::stalled);
  EXPECT_GT(bad.diagnostics.max_r_hat, 1.2);
  EXPECT_LT(bad.diagnostics.min_effective_draws, 64);
}

// By brute force: the posterior of the other samples, sampled without the one left out.
TEST(Gibbs, LeaveOneOutByWeightsIsLeaveOneOutByRefits) {
  const SmallProblem all = make_small({.samples = 14, .features = 6, .density = 0.3, .activation = step(0.1)});
  ThreadPool pool(2);
  GibbsOptions options;
  options.draws = 6000;
  options.warm_up = 200;
  const GibbsResult whole = fit_gibbs(all.problem(), options, pool);
  for (std::size_t left = 0; left < 4; ++left) {
    FeatureMatrix rest(13, 6);
    std::vector<std::int8_t> labels;
    for (std::size_t mu = 0, row = 0; mu < 14; ++mu) {
      if (mu == left) continue;
      std::copy_n(all.values.row(mu), 6, rest.row(row++));
      labels.push_back(all.labels[mu]);
    }
    const SmallProblem refit(rest, labels, {.density = 0.3, .activation = step(0.1)});
    std::vector<double> right(4, 0);
    options.observer = [&](const GibbsDraw& draw) {
      double field = 0;
      for (std::size_t l = 0; l < 6; ++l) field += all.values.row(left)[l] * draw.weights[l];
      right[static_cast<std::size_t>(draw.chain)] += step(0.1).likelihood(all.labels[left] * field);
    };
    const GibbsResult fitted = fit_gibbs(refit.problem(), options, pool);
    ASSERT_EQ(fitted.posterior.status, Status::converged);
    const double p = std::accumulate(right.begin(), right.end(), 0.0) / (4 * 6016);
    EXPECT_NEAR(std::exp(whole.posterior.loo_log_probability[left]), p, 0.02) << "sample " << left;
  }
}

TEST(Gibbs, NoiseFreeDrawsClassifyEverySample) {
  const SmallProblem small =
      make_small({.samples = 15, .features = 20, .flips = 0, .density = 0.3, .activation = step(0)});
  ThreadPool pool(2);
  GibbsOptions options;
  options.draws = 2000;
  std::vector<int> wrong(4, 0);
  options.observer = [&](const GibbsDraw& draw) {
    for (std::size_t mu = 0; mu < small.labels.size(); ++mu)
      wrong[static_cast<std::size_t>(draw.chain)] += small.labels[mu] * draw.fields[mu] <= 0;
  };
  const GibbsResult result = fit_gibbs(small.problem(), options, pool);
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
  EXPECT_EQ(result.posterior.status, Status::converged) << result.diagnostics.max_r_hat;
  EXPECT_TRUE(std::isnan(result.posterior.loo_error));
}

TEST(Gibbs, RefusesWhatItCannotDo) {
  const SmallProblem small = make_small({.samples = 5, .features = 4, .activation = probit(1)});
  ThreadPool pool(1);
  GibbsOptions options;
  options.likelihood_power = 0.5;
  EXPECT_THROW(fit_gibbs(small.problem(), options, pool), UsageError);
  options = {};
  options.draws = 0;
  EXPECT_THROW(fit_gibbs(small.problem(), options, pool), UsageError);
}

}  // namespace
}  // namespace cavity
