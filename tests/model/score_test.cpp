#include "model/score.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace cavity {
namespace {

TEST(Score, ATieIsHalfAnError) {
  EXPECT_EQ(wrong_label(0.5), 0.5);
  EXPECT_EQ(wrong_label(std::nextafter(0.5, 0)), 1);
  EXPECT_EQ(wrong_label(std::nextafter(0.5, 1)), 0);
  EXPECT_EQ(wrong_sign(-std::numeric_limits<double>::denorm_min()), 1);
  EXPECT_EQ(wrong_sign(-0.0), 0.5);
}

TEST(Score, TheLogLossIsFinite) {
  EXPECT_DOUBLE_EQ(log_loss(0.25), std::log(4));
  EXPECT_EQ(log_loss(1), 0);
  EXPECT_DOUBLE_EQ(log_loss(0), 300 * std::log(10));
}

}  // namespace
}  // namespace cavity
