// Sign test and Welch's test against numbers worked out by hand or by R.
#include <gtest/gtest.h>

#include <cmath>

#include "cavity/compare.hpp"

namespace cavity {
namespace {

std::vector<SplitResult> paired(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<SplitResult> out;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (const auto& [name, error] : {std::pair{"a", a[i]}, std::pair{"b", b[i]}}) {
      SplitResult r;
      r.split = i + 1;
      r.method = name;
      r.error = error;
      r.status = i == 0 ? "stalled" : i == 1 ? "failed" : "converged";
      out.push_back(r);
    }
  return out;
}

TEST(Statistics, SignTestCountsWinsWithoutTies) {
  const Duel d = duel(paired({.1, .1, .1, .1, .1, .3, .2}, {.2, .2, .2, .2, .2, .2, .2}), "a", "b");
  EXPECT_EQ(d.wins, 5u);
  EXPECT_EQ(d.ties, 1u);
  EXPECT_EQ(d.losses, 1u);
  EXPECT_NEAR(d.sign_p, (6.0 + 1.0) / 64, 1e-14);  // P(5 or 6 heads of 6)
  EXPECT_NEAR(duel(paired({.2}, {.1}), "a", "b").sign_p, 1, 1e-14);
}

// The published example of Welch's test with unequal variances (reference values by hand from the definition).
TEST(Statistics, WelchFollowsItsDefinition) {
  const std::vector<double> a = {1, 2, 3, 4, 5}, b = {2, 5, 8, 11, 14};
  const Duel d = duel(paired(a, b), "a", "b");
  EXPECT_NEAR(d.welch_t, (8.0 - 3.0) / std::sqrt(2.5 / 5 + 22.5 / 5), 1e-12);
  EXPECT_NEAR(d.welch_freedom, 25.0 / (0.25 / 4 + 20.25 / 4), 1e-12);
  EXPECT_NEAR(d.welch_p, 0.0762, 5e-3);  // t = 2.236 at 4.88 degrees of freedom
  EXPECT_EQ(duel(paired({1, 1}, {1, 1}), "a", "b").welch_p, 1);
}

TEST(Statistics, FailuresAreCountedAndStayInTheMean) {
  CompareMethod method;
  method.name = "a";
  const auto summary = summarise(paired({.1, .5, .3}, {0, 0, 0}), {method});
  EXPECT_EQ(summary[0].splits, 3u);
  EXPECT_EQ(summary[0].unsettled, 1u);
  EXPECT_EQ(summary[0].failed, 1u);
  EXPECT_NEAR(summary[0].mean, 0.3, 1e-14);
  EXPECT_NEAR(summary[0].sd, 0.2, 1e-14);
}

}  // namespace
}  // namespace cavity
