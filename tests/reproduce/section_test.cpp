#include "reproduce/section.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "reproduce/interval.hpp"

namespace cavity {
namespace {

TEST(Interval, IsStudents) {
  const Interval i = mean_interval({1, 2, 3, 4, 5}, 0.95);
  EXPECT_DOUBLE_EQ(i.mean, 3);
  EXPECT_NEAR(i.half_width, 2.7764451052 * std::sqrt(2.5 / 5), 1e-9);
  EXPECT_TRUE(i.holds(4.9));
  EXPECT_FALSE(i.holds(5));
}

TEST(Section, GoesIntoOneSelfContainedPage) {
  Section section("t", "A < B");
  section.paragraph("p < 0.05 & more");
  section.table({"name", "value"}, {{"first", "1"}, {"second", "22"}});
  section.csv("t", "a,b\n");
  BarChart chart{"bars", "x", "y", {"a", "b"}, {{"one", {1, 2}}, {"two", {0, 3}}}};
  section.picture("bars", chart);
  const std::string html = page({section}, true);
  for (const char* part : {"A &lt; B", "p &lt; 0.05 &amp; more", "<td>22</td>", "t.csv", "<svg", "quick run"})
    EXPECT_NE(html.find(part), std::string::npos) << part;
  for (const char* part : {"src=", "http-equiv", "@import", "<script"})
    EXPECT_EQ(html.find(part), std::string::npos) << part;
  EXPECT_EQ(section.files().size(), 2u);
  EXPECT_NE(section.text().find("second     22"), std::string::npos) << section.text();
}

}  // namespace
}  // namespace cavity
