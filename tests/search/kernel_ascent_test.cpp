// Ascent of the evidence: it rises, equal relevances stay equal, the features that decide come to the front.
#include "search/kernel_ascent.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "search/relevances.hpp"
#include "support/small_problem.hpp"

namespace cavity {
namespace {

/// Labels by the sign of the product of the first two features.
SmallProblem product_of_two(std::size_t samples, std::size_t features) {
  SmallProblem out = make_small({.samples = samples, .features = features, .intercept = true});
  for (std::size_t mu = 0; mu < samples; ++mu)
    out.labels[mu] = out.values.row(mu)[0] * out.values.row(mu)[1] > 0 ? 1 : -1;
  return out;
}

FeatureKernel equal_start(std::size_t features) {
  return {std::vector<double>(features, 2 / static_cast<double>(features)), {4, 0.001, 1}};
}

TEST(KernelAscent, RaisesTheEvidence) {
  const SmallProblem small = product_of_two(80, 10);
  ThreadPool pool(1);
  const AscentProblem problem{*small.design, small.labels, small.covariates, make_activation(0.02, 1)};
  const auto after = [&](Relevance relevance, int steps) {
    return ascend(problem, equal_start(10), {.relevance = relevance, .steps = steps, .updates = 5}, pool).log_evidence;
  };
  const double start = after(Relevance::equal, 1), scales = after(Relevance::equal, 20),
               all = after(Relevance::free, 20);
  EXPECT_GT(scales, start);
  EXPECT_GT(all, scales + 5);
}

TEST(KernelAscent, EqualRelevancesStayEqual) {
  const SmallProblem small = product_of_two(40, 10);
  ThreadPool pool(1);
  const AscentProblem problem{*small.design, small.labels, small.covariates, make_activation(0.02, 1)};
  const Ascent end = ascend(problem, equal_start(10), {.bent = false}, pool);
  ASSERT_TRUE(end.found);
  EXPECT_EQ(std::ranges::count(end.kernel.relevance, end.kernel.relevance.front()), 10);
  EXPECT_EQ(end.kernel.scales.bent, 0);
}

TEST(BentCells, RelevancesNameTheFeaturesThatDecide) {
  const SmallProblem small = product_of_two(120, 20);
  ThreadPool pool(1);
  const BentProblem problem{*small.design, small.labels, small.covariates, ActivationKind::step};
  std::vector<std::size_t> all(120);
  std::iota(all.begin(), all.end(), 0);
  const auto kernel = find_relevances(problem, all, pool);
  ASSERT_TRUE(kernel);
  const double least = std::min(kernel->relevance[0], kernel->relevance[1]);
  EXPECT_GT(least, 3 * *std::max_element(kernel->relevance.begin() + 2, kernel->relevance.end()));
}

// Asked without samples, a kernel says nearly what its cavities say of each.
TEST(BentCells, AskedOfFoldsTheySayWhatCavitiesDo) {
  const SmallProblem small = make_small({.samples = 60, .features = 30, .correlation = 0.5, .intercept = true});
  ThreadPool pool(1);
  const BentProblem problem{*small.design, small.labels, small.covariates, ActivationKind::step};
  const KernelsCompared kernels = compare_kernels(problem, pool);
  ASSERT_EQ(kernels.samples.size(), 60U);
  ASSERT_EQ(kernels.bent.size(), 3U);
  double difference = 0;
  for (std::size_t mu = 0; mu < 10; ++mu) {
    std::vector<std::size_t> in;
    for (std::size_t nu = 0; nu < 60; ++nu)
      if (nu != mu) in.push_back(nu);
    const auto said = ask_bent_cells(problem, kernels.bent.front().kernel, in, {mu}, pool);
    for (std::size_t flip = 0; flip < 3; ++flip)
      difference = std::max(difference,
                            std::abs(std::exp(said[flip][0]) - std::exp(kernels.bent[flip].loo_log_probability[mu])));
  }
  EXPECT_LT(difference, 0.02);
}

}  // namespace
}  // namespace cavity
