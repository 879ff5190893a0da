// How deep a JSON text goes, without reading it.
#include "file/json_depth.hpp"

#include <gtest/gtest.h>

#include <string>

namespace cavity {
namespace {

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

TEST(JsonDepth, CountsWhatLiesWithinEachOther) {
  EXPECT_FALSE(json_too_deep(nested(most_json_depth)));
  EXPECT_TRUE(json_too_deep(nested(most_json_depth + 1)));
  EXPECT_TRUE(json_too_deep(std::string(500000, '{')));
  std::string beside = "[";
  for (int i = 0; i < 1000; ++i) beside += "[],{},";
  EXPECT_FALSE(json_too_deep(beside));
  EXPECT_FALSE(json_too_deep(""));
  EXPECT_FALSE(json_too_deep(std::string(500, ']')));
}

TEST(JsonDepth, TextIsNoStructure) {
  EXPECT_FALSE(json_too_deep("\"" + std::string(500, '[') + "\""));
  EXPECT_TRUE(json_too_deep("\"\\\"\"" + nested(500)));
  EXPECT_FALSE(json_too_deep("\"\\\"" + nested(500)));
}

}  // namespace
}  // namespace cavity
