// Which labels may be dealt anew, and how many labellings there are.
#include "assess/exchange.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace cavity {
namespace {

using Classes = std::vector<std::uint32_t>;

Matrix intercept(std::size_t samples) { return Matrix::Ones(static_cast<Eigen::Index>(samples), 1); }

std::set<Classes> labellings(const Exchange& exchange, const Classes& classes, std::size_t draws = 2000) {
  std::set<Classes> out;
  for (std::size_t i = 0; i < draws; ++i) {
    Classes drawn;
    for (const std::size_t from : exchange.draw(Random(1, i))) drawn.push_back(classes[from]);
    out.insert(drawn);
  }
  return out;
}

void expect_count(const Exchange& exchange, const Classes& classes, std::size_t count) {
  EXPECT_NEAR(std::exp(exchange.log_labellings()), static_cast<double>(count), 1e-6);
  EXPECT_EQ(labellings(exchange, classes).size(), count);
}

TEST(Exchange, WithoutGroupsEveryOrderComesEquallyOften) {
  const Classes classes = {0, 0, 1, 2};
  const Matrix covariates = intercept(4);
  const Exchange exchange(classes, covariates, nullptr);
  expect_count(exchange, classes, 12);
  int first = 0;
  for (std::uint64_t i = 0; i < 4000; ++i) first += exchange.draw(Random(2, i))[0] == 3 ? 1 : 0;
  EXPECT_NEAR(first, 1000, 120);
}

TEST(Exchange, GroupsOfOneClassEachGetEachOthersWhateverTheirSizes) {
  const Classes classes = {0, 0, 0, 1, 1, 0};
  const Matrix covariates = intercept(6);
  const std::vector<std::string> names = {"a", "a", "a", "b", "b", "c"};
  const SampleGroups groups = gather_groups(names);
  const Exchange exchange(classes, covariates, &groups);
  expect_count(exchange, classes, 3);
  for (const Classes& one : labellings(exchange, classes)) EXPECT_TRUE(one[0] == one[1] && one[1] == one[2]);
}

TEST(Exchange, PairsOfBothClassesAreExchangedWithinEach) {
  const Classes classes = {0, 1, 0, 1, 0, 1};
  const Matrix covariates = intercept(6);
  const std::vector<std::string> names = {"a", "a", "b", "b", "c", "c"};
  const SampleGroups groups = gather_groups(names);
  const Exchange exchange(classes, covariates, &groups);
  expect_count(exchange, classes, 8);
  for (const Classes& one : labellings(exchange, classes)) EXPECT_NE(one[2], one[3]);
}

TEST(Exchange, GroupsOfMixedMakeArePermutedAmongThoseOfTheirSize) {
  const Classes classes = {0, 1, 1, 1, 0, 0, 1};  // pairs 01, 11; a triple 001
  const Matrix covariates = intercept(7);
  const std::vector<std::string> names = {"a", "a", "b", "b", "c", "c", "c"};
  const SampleGroups groups = gather_groups(names);
  expect_count(Exchange(classes, covariates, &groups), classes, 2 * 2 * 3);
}

TEST(Exchange, CovariatesThatVaryWithinGroupsKeepTheSizes) {
  const Classes classes = {0, 0, 1, 1, 0};
  Matrix covariates = intercept(5);
  covariates(1, 0) = 2;
  const std::vector<std::string> names = {"a", "a", "b", "b", "c"};
  const SampleGroups groups = gather_groups(names);
  const Exchange exchange(classes, covariates, &groups);
  expect_count(exchange, classes, 2);
  for (std::uint64_t i = 0; i < 50; ++i) {
    std::vector<std::size_t> drawn = exchange.draw(Random(1, i));
    EXPECT_EQ(drawn[4], 4U);
    std::ranges::sort(drawn);
    EXPECT_EQ(drawn, (std::vector<std::size_t>{0, 1, 2, 3, 4}));
  }
}

}  // namespace
}  // namespace cavity
