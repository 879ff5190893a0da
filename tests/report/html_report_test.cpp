// The page is its template with the data in it, as JSON that no HTML parser can leave.
#include "report/html_report.hpp"

#include <gtest/gtest.h>

#include <string>

#include "cavity/errors.hpp"

namespace cavity {
namespace {

TEST(HtmlReport, FillsATemplateThatIsKeptElsewhere) {
  const nlohmann::ordered_json data = {{"file", "</script>&"}};
  EXPECT_EQ(html_report(data, "<p>__CAVITY_REPORT_DATA__</p>"), "<p>{\"file\":\"\\u003c/script\\u003e\\u0026\"}</p>");
}

TEST(HtmlReport, WithoutATemplateSaysSo) { EXPECT_THROW(html_report({}, ""), UsageError); }

}  // namespace
}  // namespace cavity
