// When a column of the grid has shown enough.
#include "search/column_end.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace cavity {
namespace {

/// Left-out probabilities around exp(-loss), each sample's own part of them alike in all cells.
Posterior cell(double loss, double own_spread = 0) {
  Posterior out;
  out.status = Status::converged;
  out.loo_log_loss = loss;
  for (int mu = 0; mu < 40; ++mu)
    out.loo_log_probability.push_back(-loss + 0.3 * std::sin(mu) + (mu % 2 == 0 ? own_spread : -own_spread));
  return out;
}

TEST(ColumnEnd, TwoCellsInARowAreClearlyWorseThanTheBest) {
  ColumnEnd end(nullptr);
  for (const double loss : {0.5, 0.4, 0.41}) {
    end.learn(cell(loss, 0.001 * loss));
    EXPECT_FALSE(end.reached()) << loss;
  }
  end.learn(cell(0.42, 0.001));
  EXPECT_TRUE(end.reached());
}

TEST(ColumnEnd, ABetterOneBetweenStartsAnew) {
  ColumnEnd end(nullptr);
  for (const double loss : {0.4, 0.41, 0.39, 0.41}) end.learn(cell(loss, 0.001 * loss));
  EXPECT_FALSE(end.reached());
}

// The same rise, where samples disagree about it: it is within the error of the paired difference.
TEST(ColumnEnd, ARiseWithinItsErrorIsNone) {
  ColumnEnd end(nullptr);
  end.learn(cell(0.4));
  for (int k = 0; k < 4; ++k) end.learn(cell(0.41, 0.2));
  EXPECT_FALSE(end.reached());
}

// Samples of a group share their luck: twenty pairs of the same disagree as ten would.
TEST(ColumnEnd, GroupsCountAsOne) {
  SampleGroups groups;
  for (std::size_t mu = 0; mu < 40; ++mu) groups.of.push_back(mu % 2);
  groups.members.resize(2);
  for (std::size_t mu = 0; mu < 40; ++mu) groups.members[mu % 2].push_back(mu);
  ColumnEnd alone(nullptr), grouped(&groups);
  for (ColumnEnd* end : {&alone, &grouped}) {
    end->learn(cell(0.4));
    for (int k = 0; k < 2; ++k) end->learn(cell(0.41, 0.03));
  }
  EXPECT_TRUE(alone.reached());
  EXPECT_FALSE(grouped.reached());
}

TEST(ColumnEnd, ACellThatDoesNotConvergeIsTheLast) {
  ColumnEnd end(nullptr);
  Posterior failed;
  failed.status = Status::stalled;
  end.learn(cell(0.4));
  end.learn(failed);
  EXPECT_TRUE(end.reached());
}

}  // namespace
}  // namespace cavity
