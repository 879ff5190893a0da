#include "reproduce/section.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "report/html_report.hpp"
#include "reproduce/interval.hpp"

namespace cavity {
namespace {

TEST(MeanInterval, IsStudents) {
  const MeanInterval i = mean_interval({1, 2, 3, 4, 5}, 0.95);
  EXPECT_DOUBLE_EQ(i.mean, 3);
  EXPECT_NEAR(i.half_width, 2.7764451052 * std::sqrt(2.5 / 5), 1e-9);
  EXPECT_TRUE(i.holds(4.9));
  EXPECT_FALSE(i.holds(5));
}

TEST(Section, GoesIntoThePageAndIntoFiles) {
  Section section("t", "A < B");
  section.paragraph("p < 0.05 & more");
  section.table({"name", "value"}, {{"first", "1"}, {"second", "22"}});
  section.csv("t", "a,b\n");
  BarChart chart{"bars", "x", "y", {"a", "b"}, {{"one", {1, 2}}, {"two", {0, 3}}}};
  section.picture("bars", chart);
  section.picture(PrintedChart{"ours", "%", {{"a", 1, 2, std::pair{3.0, 4.0}}, {"b", 5, std::nan(""), {}}}});
  ReproduceOptions options;
  options.quick = true;
  options.seed = UINT64_MAX;
  const auto data = reproduce_page_data({section}, options, "cavity reproduce all");
  EXPECT_EQ(data["kind"], "reproduce");
  EXPECT_EQ(data["quick"], true);
  EXPECT_EQ(data["seed"], "18446744073709551615");  // more than a number of the page can hold
  const auto& parts = data["sections"][0]["parts"];
  EXPECT_EQ(data["sections"][0]["title"], "A < B");
  EXPECT_EQ(parts[0]["text"], "p < 0.05 & more");
  EXPECT_EQ(parts[1]["rows"][1][1], "22");
  EXPECT_EQ(parts[2]["content"], "a,b\n");
  EXPECT_EQ(parts[3]["series"][1]["height"][1], 3);
  EXPECT_EQ(parts[4]["rows"][0]["print"][1], 4);
  EXPECT_TRUE(parts[4]["rows"][1]["print"].is_null() && parts[4]["rows"][1]["sd"].is_null());
  if (has_report_page()) {
    EXPECT_EQ(html_report(data).find("p < 0.05"), std::string::npos) << "markup must be escaped";
  }
  EXPECT_EQ(section.files().size(), 2u);
  EXPECT_NE(section.text().find("second     22"), std::string::npos) << section.text();
}

}  // namespace
}  // namespace cavity
