// Groups of samples: how they are gathered and dealt, and their cavities against the definition.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <set>

#include "assess/group_cavity.hpp"
#include "assess/mean_error.hpp"
#include "assess/sample_groups.hpp"

namespace cavity {
namespace {

TEST(SampleGroups, ANameIsAGroupAndNoNameIsOneByItself) {
  const std::vector<std::string> names = {"b", "", "a", "b", ""};
  const SampleGroups groups = gather_groups(names);
  EXPECT_EQ(groups.of, (std::vector<std::size_t>{0, 1, 2, 0, 3}));
  EXPECT_EQ(groups.members[0], (std::vector<std::size_t>{0, 3}));
  EXPECT_EQ(groups.count(), 4U);
  EXPECT_EQ(groups.largest(), 2U);
}

TEST(SampleGroups, FoldsKeepGroupsTogetherAndSpreadTheClasses) {
  std::vector<std::string> names;
  std::vector<std::int8_t> labels;
  for (int patient = 0; patient < 40; ++patient)
    for (int visit = 0; visit < 1 + patient % 3; ++visit) {
      names.push_back(std::to_string(patient));
      labels.push_back(patient % 4 == 0 ? 1 : -1);
    }
  const SampleGroups groups = gather_groups(names);
  const std::vector<std::size_t> fold = deal_groups(groups, labels, 5, Random(7, 0));
  std::vector<int> positive(5), all(5);
  for (std::size_t mu = 0; mu < fold.size(); ++mu) {
    EXPECT_EQ(fold[mu], fold[groups.members[groups.of[mu]].front()]);
    ++all[fold[mu]];
    positive[fold[mu]] += labels[mu] > 0;
  }
  const auto [least, most] = std::ranges::minmax(positive);
  EXPECT_LE(most - least, 2);
  const auto [smallest, largest] = std::ranges::minmax(all);
  EXPECT_LE(largest - smallest, 4);
}

TEST(SampleGroups, FoldsAreNoMoreThanGroups) {
  const std::vector<std::string> names = {"a", "a", "b", "b"};
  const std::vector<std::int8_t> labels = {1, -1, 1, -1};
  const auto fold = deal_groups(gather_groups(names), labels, 10, Random(1, 0));
  EXPECT_EQ(std::set<std::size_t>(fold.begin(), fold.end()), (std::set<std::size_t>{0, 1}));
}

TEST(StandardError, CopiesOfASampleAddNothing) {
  const std::vector<double> once = {0, 1, 1, 0, 1};
  std::vector<double> thrice;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < once.size(); ++i)
    for (int copy = 0; copy < 3; ++copy) {
      thrice.push_back(once[i]);
      names.push_back(std::to_string(i));
    }
  const SampleGroups groups = gather_groups(names);
  EXPECT_DOUBLE_EQ(standard_error(thrice, &groups), standard_error(once, nullptr));
  EXPECT_LT(standard_error(thrice, nullptr), 0.6 * standard_error(once, nullptr));
}

GroupFields fields() {
  GroupFields out;
  out.covariance.resize(3, 3);
  out.covariance << 1.0, 0.6, 0.2, 0.6, 0.8, -0.1, 0.2, -0.1, 0.5;
  out.mean = Eigen::Vector3d(0.5, -0.2, 1.0);
  out.site_precision = Eigen::Vector3d(0.4, -0.3, 0.7);
  out.site_linear = Eigen::Vector3d(0.3, 0.1, -0.6);
  return out;
}

TEST(GroupCavity, IsTheGaussianWithTheGroupsSitesTakenAway) {
  const GroupFields f = fields();
  const Eigen::Matrix3d inverse = f.covariance.inverse();
  const Eigen::Matrix3d v = (inverse - Eigen::Matrix3d(f.site_precision.asDiagonal())).inverse();
  const Eigen::Vector3d d = v * (inverse * f.mean - f.site_linear);
  const GroupCavity cavity = group_cavity(f);
  EXPECT_LT((cavity.mean - d).norm(), 1e-12);
  EXPECT_LT((cavity.variance - v.diagonal()).norm(), 1e-12);
}

TEST(GroupCavity, CopiesHaveOneCavity) {
  GroupFields f;
  f.covariance = Matrix::Constant(2, 2, 0.5);
  f.mean = Eigen::Vector2d(0.3, 0.3);
  f.site_precision = Eigen::Vector2d(0.4, 0.4);
  f.site_linear = Eigen::Vector2d(0.2, 0.2);
  const GroupCavity cavity = group_cavity(f);
  const double share = 1 - 0.5 * 0.8;  // both sites are sites of the one field
  EXPECT_NEAR(cavity.variance[0], 0.5 / share, 1e-12);
  EXPECT_NEAR(cavity.mean[0], (0.3 - 0.5 * 0.4) / share, 1e-12);
  EXPECT_NEAR(cavity.mean[1], cavity.mean[0], 1e-12);
}

TEST(GroupCavity, AnImproperOneIsWideAndFinite) {
  GroupFields f = fields();
  f.site_precision = Eigen::Vector3d(5, 5, 5);
  const GroupCavity cavity = group_cavity(f);
  EXPECT_TRUE(cavity.mean.allFinite());
  EXPECT_GT(cavity.variance.minCoeff(), 1e3);
}

}  // namespace
}  // namespace cavity
