#include "infer/step_conditional.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace cavity {
namespace {

// Numbers that have left their range on the way leave crossings at infinity or nowhere: the draw still ends.
TEST(StepConditional, NumbersOutOfRangeStillGiveADraw) {
  constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::int8_t> labels = {1, -1, 1};
  StepConditional conditional(labels, {1, 0.5});
  Random random(1);
  for (const double x : {1e-300, 1.0, 1e300, inf, nan})
    for (const double rest : {0.0, 1e-300, 1.0, 1e300, inf, nan})
      for (const double precision : {0.0, 1e-300, 1.0, 1e300, inf, nan})
        for (const double log_odds : {-1.0, inf}) {
          const std::vector<double> column = {x, -x, x}, others = {rest, rest, -rest};
          const CoordinateDraw draw = conditional.draw({column, others, precision, log_odds}, random);
          EXPECT_FALSE(draw.inclusion < 0 || draw.inclusion > 1);
        }
}

}  // namespace
}  // namespace cavity
