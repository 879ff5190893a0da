// Relevances of many samples: the starts climb on some of them, the best goes on with all.
#include "search/relevances.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "search/some_of_both.hpp"
#include "support/small_problem.hpp"

namespace cavity {
namespace {

TEST(Relevances, OfManySamplesNameTheFeaturesThatDecide) {
  SmallProblem small = make_small({.samples = 1000, .features = 12, .intercept = true});
  for (std::size_t mu = 0; mu < 1000; ++mu)
    small.labels[mu] = small.values.row(mu)[3] * small.values.row(mu)[8] > 0 ? 1 : -1;
  ThreadPool pool(1);
  const BentProblem problem{*small.design, small.labels, small.covariates, ActivationKind::step};
  std::vector<std::size_t> all(1000);
  std::iota(all.begin(), all.end(), 0);
  const auto kernel = find_relevances(problem, all, pool);
  ASSERT_TRUE(kernel);
  std::vector<double> rest = kernel->relevance;
  const double least = std::min(rest[3], rest[8]);
  rest[3] = rest[8] = 0;
  EXPECT_GT(least, 5 * *std::ranges::max_element(rest));
}

TEST(Relevances, CostLessWhereStartsClimbOnSome) {
  EXPECT_LT(relevance_operations(1000, 500), relevance_operations(900, 500));
  EXPECT_GT(relevance_operations(2000, 500), 2 * relevance_operations(1000, 500));
}

TEST(SomeOfBoth, AreAboutEnoughWithTheClassesAsAmongAll) {
  std::vector<std::int8_t> labels(1300);
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = i % 4 == 0 ? 1 : -1;
  std::vector<std::size_t> odd;
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (i % 20 != 1) odd.push_back(i);
  const std::vector<std::size_t> some = some_of_both(labels, odd, 600);
  EXPECT_NEAR(static_cast<double>(some.size()), 617, 2);
  const auto positive = std::ranges::count(labels_of(labels, some), 1);
  EXPECT_NEAR(static_cast<double>(positive) / static_cast<double>(some.size()), 325.0 / 1235, 0.002);
  EXPECT_TRUE(std::ranges::includes(odd, some));
  EXPECT_EQ(some_of_both(labels, odd, 900), odd);
}

}  // namespace
}  // namespace cavity
