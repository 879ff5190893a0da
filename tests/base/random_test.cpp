#include "base/random.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace cavity {
namespace {

// The mean of the tail beyond b is the inverse Mills ratio, b + 1/b - 2/b^3 + ... for large b.
TEST(Random, TheNormalAboveABoundHasTheTailsMean) {
  Random random(3);
  for (const double bound : {1e3, 1e6, 1e20, 1e200}) {
    constexpr int draws = 4000;
    double excess = 0;
    for (int i = 0; i < draws; ++i) {
      const double x = random.normal_above(bound);
      ASSERT_GE(x, bound);
      excess += (x - bound) * bound / draws;
    }
    if (bound < 1e7) {  // beyond, the excess is less than the last digit of the bound
      EXPECT_NEAR(excess, 1, 0.1) << bound;
    }
  }
}

TEST(Random, ABoundThatIsNoNumberEndsToo) {
  Random random(3);
  EXPECT_TRUE(std::isnan(random.normal_above(std::nan(""))));
  EXPECT_EQ(random.normal_above(HUGE_VAL), HUGE_VAL);
}

}  // namespace
}  // namespace cavity
