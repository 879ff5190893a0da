#include "file/number.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>

#include "base/random.hpp"

namespace cavity {
namespace {

double scanned(const std::string& text) {
  double value = std::nan("");
  const char* end = scan_number(text.data(), text.data() + text.size(), value);
  return end == text.data() + text.size() ? value : std::nan("");
}

TEST(Number, ReadsTheSpellingsOfNumbers) {
  EXPECT_EQ(scanned("0"), 0);
  EXPECT_EQ(scanned("+1.5"), 1.5);
  EXPECT_EQ(scanned("-.5"), -0.5);
  EXPECT_EQ(scanned("5."), 5);
  EXPECT_EQ(scanned("1E3"), 1000);
  EXPECT_EQ(scanned("1e+3"), 1000);
  EXPECT_TRUE(std::signbit(scanned("-0")));
  for (const char* text : {"", "-", ".", "e5", "1e", "1e+", "--1", "1.2.3", "0x10", "1_0", "1,5"}) {
    EXPECT_TRUE(std::isnan(scanned(text))) << text;
  }
}

TEST(Number, TooLargeIsInfiniteAndTooSmallIsZero) {
  EXPECT_EQ(scanned("1e400"), INFINITY);
  EXPECT_EQ(scanned("-1e400"), -INFINITY);
  EXPECT_EQ(scanned("1e-400"), 0);
  EXPECT_EQ(scanned("1e99999999999999999999"), INFINITY);
  EXPECT_EQ(scanned("1e-99999999999999999999"), 0);
  EXPECT_EQ(scanned(std::string(400, '9')), INFINITY);
  EXPECT_EQ(scanned("0." + std::string(400, '0') + "1"), 0);
  EXPECT_EQ(scanned("0." + std::string(400, '0') + "1e401"), 1);
}

TEST(Number, AgreesWithStrtodOnRandomNumbers) {
  Random random(7);
  for (int i = 0; i < 20000; ++i) {
    std::uint64_t bits = random.bits();
    double x = 0;
    std::memcpy(&x, &bits, sizeof x);
    if (!std::isfinite(x)) continue;
    const double y = random.normal() * std::pow(10.0, static_cast<double>(random.below(12)) - 4);
    for (const std::string& text : {fmt::format("{:.17g}", x), fmt::format("{:.5g}", x), fmt::format("{}", y),
                                    fmt::format("{:.3f}", y), fmt::format("{:.20e}", y)}) {
      EXPECT_EQ(scanned(text), std::strtod(text.c_str(), nullptr)) << text;
    }
  }
}

TEST(Number, TellsMissingInfiniteAndText) {
  for (const char* text : {"", "NA", "na", "NaN", "nan", "N/A", "#N/A", "null", "NULL", "?"}) {
    EXPECT_EQ(read_value(text).kind, Kind::missing) << text;
  }
  for (const char* text : {"inf", "-Inf", "+infinity", "1e400"})
    EXPECT_EQ(read_value(text).kind, Kind::infinite) << text;
  for (const char* text : {"x", "nano", "1 2", "1x", "-", "??"}) EXPECT_EQ(read_value(text).kind, Kind::text) << text;
}

}  // namespace
}  // namespace cavity
