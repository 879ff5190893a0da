// Kernels of features: a plain loop, limits, the same bits; slopes of the evidence against differences.
#include "infer/feature_kernel.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "infer/kernel_ep.hpp"
#include "infer/kernel_predictive.hpp"
#include "infer/kernel_slope.hpp"
#include "support/small_problem.hpp"

namespace cavity {
namespace {

SmallProblem problem_of(std::size_t samples, std::size_t features) {
  return make_small({.samples = samples, .features = features, .correlation = 0.3, .intercept = true});
}

std::vector<double> uneven_relevance(std::size_t features) {
  std::vector<double> out(features);
  for (std::size_t l = 0; l < features; ++l) out[l] = (1 + static_cast<double>(l % 5)) / static_cast<double>(features);
  return out;
}

KernelFit fit(const Matrix& kernel, const SmallProblem& small, const AnyActivation& activation) {
  ThreadPool pool(1);
  return fit_kernel_ep({kernel, small.labels, activation}, {.tolerance = 1e-11, .max_updates = 500}, pool);
}

TEST(FeatureKernel, IsWhatAPlainLoopSays) {
  const SmallProblem small = problem_of(21, 13);
  const std::vector<double> relevance = uneven_relevance(13);
  ThreadPool pool(1);
  const KernelScales scales{2, 0.7, 0.4};
  const Matrix kernel = kernel_parts(*small.design, relevance, small.covariates, pool).at(scales);
  const auto x = small.x().cast<double>();
  for (Eigen::Index m = 0; m < 21; ++m)
    for (Eigen::Index n = 0; n < 21; ++n) {
      double distance = 0, product = 0;
      for (Eigen::Index l = 0; l < 13; ++l) {
        distance += relevance[static_cast<std::size_t>(l)] * std::pow(x(m, l) - x(n, l), 2);
        product += relevance[static_cast<std::size_t>(l)] * x(m, l) * x(n, l);
      }
      const double expected = 2 * std::exp(-distance / 2) + 0.7 * product + 0.4 / small.covariates.precision[0];
      EXPECT_NEAR(kernel(m, n), expected, 1e-6);
    }
}

// 1 - E is half a squared distance where relevances are small: bent by next to nothing, a boundary is straight.
TEST(FeatureKernel, WideAndBentIsStraight) {
  const SmallProblem small = problem_of(30, 40);
  ThreadPool pool(1);
  constexpr double little = 1e-6;
  std::vector<double> relevance = uneven_relevance(40), tiny = relevance;
  for (double& d : tiny) d *= little;
  const KernelParts straight = kernel_parts(*small.design, relevance, small.covariates, pool),
                    bent = kernel_parts(*small.design, tiny, small.covariates, pool);
  const auto centred = [](Matrix k) {
    const Eigen::RowVectorXd columns = k.colwise().mean();
    k.rowwise() -= columns;
    const Eigen::VectorXd rows = k.rowwise().mean();
    k.colwise() -= rows;
    return k;
  };
  EXPECT_LT((centred(bent.bent) / little - centred(straight.straight)).cwiseAbs().maxCoeff(), 1e-4);
}

TEST(FeatureKernel, SlopesAreThoseOfTheEvidence) {
  const SmallProblem small = problem_of(24, 9);
  for (const double flip : {0.0, 0.02}) {
    SCOPED_TRACE(flip);
    const AnyActivation activation = make_activation(flip, 1);
    ThreadPool pool(1);
    std::vector<double> relevance = uneven_relevance(9);
    const KernelScales scales{3, 0.8, 0.5};
    const auto evidence = [&](const std::vector<double>& d, const KernelScales& s) {
      const KernelFit got = fit(kernel_parts(*small.design, d, small.covariates, pool).at(s), small, activation);
      EXPECT_TRUE(usable(got.status));
      return got.log_evidence;
    };
    const KernelParts parts = kernel_parts(*small.design, relevance, small.covariates, pool);
    const EvidenceSlope slope(fit(parts.at(scales), small, activation), parts, scales);
    const std::vector<double> of_relevance = slope.of_relevance(*small.design, pool);
    constexpr double step = 1e-3;
    double together = 0;
    for (std::size_t l = 0; l < 9; ++l) {
      std::vector<double> up = relevance, down = relevance;
      up[l] *= std::exp(step);
      down[l] *= std::exp(-step);
      EXPECT_NEAR(of_relevance[l] * relevance[l], (evidence(up, scales) - evidence(down, scales)) / (2 * step), 1e-5);
      together += of_relevance[l] * relevance[l];
    }
    const KernelScales of = slope.of_scales();
    EXPECT_NEAR(slope.of_length(), together, 1e-6);
    const auto along = [&](double KernelScales::*which) {
      KernelScales up = scales, down = scales;
      up.*which *= std::exp(step);
      down.*which *= std::exp(-step);
      return (evidence(relevance, up) - evidence(relevance, down)) / (2 * step);
    };
    EXPECT_NEAR(of.bent, along(&KernelScales::bent), 1e-5);
    EXPECT_NEAR(of.straight, along(&KernelScales::straight), 1e-5);
    EXPECT_NEAR(of.level, along(&KernelScales::level), 1e-5);
  }
}

TEST(FeatureKernel, SameBitsForAnyNumberOfThreads) {
  const SmallProblem small = problem_of(70, 90);
  const std::vector<double> relevance = uneven_relevance(90);
  const KernelScales scales{3, 0.8, 0.5};
  const auto all = [&](unsigned threads) {
    ThreadPool pool(threads);
    const KernelParts parts = kernel_parts(*small.design, relevance, small.covariates, pool);
    const Matrix kernel = parts.at(scales);
    const KernelFit got = fit_kernel_ep({kernel, small.labels, make_activation(0.02, 1)}, {}, pool);
    std::vector<double> out = EvidenceSlope(got, parts, scales).of_relevance(*small.design, pool);
    out.push_back(got.log_evidence);
    return out;
  };
  EXPECT_EQ(all(1), all(3));
}

// A training sample asked again has the field that it has.
TEST(KernelPredictive, AsksTrainingSamplesAgain) {
  const SmallProblem small = problem_of(40, 30);
  ThreadPool pool(1);
  const KernelParts parts = kernel_parts(*small.design, uneven_relevance(30), small.covariates, pool);
  const Matrix kernel = parts.at({3, 0.5, 1});
  const KernelFit got = fit(kernel, small, make_activation(0.02, 1));
  const KernelPredictive stored(kernel, got.sites, pool), direct(got);
  const NewFields again = stored(kernel, kernel.diagonal(), pool), same = direct(kernel, kernel.diagonal(), pool);
  for (std::size_t mu = 0; mu < 40; ++mu) {
    EXPECT_NEAR(again.mean[mu], got.field_mean[mu], 1e-8);
    EXPECT_NEAR(again.variance[mu], got.field_variance[mu], 1e-8);
    EXPECT_NEAR(again.mean[mu], same.mean[mu], 1e-8);
    EXPECT_NEAR(again.variance[mu], same.variance[mu], 1e-8);
  }
}

}  // namespace
}  // namespace cavity
