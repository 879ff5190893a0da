#include "file/checksum.hpp"

#include <gtest/gtest.h>

#include <string>

namespace cavity {
namespace {

TEST(Checksum, IsXxh64) {
  EXPECT_EQ(checksum(""), 0xEF46DB3751D8E999ULL);
  EXPECT_EQ(checksum("a"), 0xD24EC4F1A98C6E5BULL);
  EXPECT_EQ(checksum("abc"), 0x44BC2CF5AD770999ULL);
  EXPECT_EQ(checksum("Nobody inspects the spammish repetition"), 0xFBCEA83C8A378BF1ULL);
}

TEST(Checksum, DoesNotDependOnThePieces) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += static_cast<char>(i * 37);
  for (std::size_t a = 0; a < 70; ++a) {
    Checksum sum;
    sum.add(std::string_view(text).substr(0, a));
    sum.add(std::string_view(text).substr(a, 5));
    sum.add(std::string_view(text).substr(a + 5));
    EXPECT_EQ(sum.value(), checksum(text));
  }
}

}  // namespace
}  // namespace cavity
