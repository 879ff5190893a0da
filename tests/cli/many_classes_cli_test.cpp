// More than two classes on the command line: fit, predict, features, compare.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cavity/report.hpp"
#include "support/run_cavity.hpp"
#include "support/temp_files.hpp"

namespace cavity {
namespace {

using Json = nlohmann::ordered_json;

/// Three classes of twelve, each with a feature of its own.
std::string three_classes() {
  std::string out = "label,a,b,c,d\n";
  for (int i = 0; i < 36; ++i) {
    const int k = i % 3;
    const auto value = [&](int l) { return std::to_string((l == k ? 2.0 : 0.0) + 0.31 * ((7 * i + 5 * l * i) % 5)); };
    out += std::string(1, static_cast<char>('x' + k)) + "," + value(0) + "," + value(1) + "," + value(2) + "," +
           value(3) + "\n";
  }
  return out;
}

class ManyClassesCli : public ::testing::Test {
 protected:
  test::TempDir folder;
  std::string data = folder.write("three.csv", three_classes()), model = folder.path("three.cavity");
};

TEST_F(ManyClassesCli, FitPredictFeatures) {
  const auto fitted = test::run_cavity("fit " + data + " --density 0.5 --noise 0.05 --json --loo -o " + model);
  ASSERT_EQ(fitted.code, 0) << fitted.err;
  const Json fit = Json::parse(fitted.out);
  ASSERT_EQ(fit["classes"].size(), 3U);
  EXPECT_EQ(fit["classes"][2]["name"], "z");
  EXPECT_EQ(fit["classes"][2]["count"], 12);
  EXPECT_EQ(fit["confusion"].size(), 3U);
  EXPECT_EQ(fit["questions"].size(), 3U);
  EXPECT_EQ(fit["questions"][1]["class"], "y");
  EXPECT_EQ(fit["loo_probability"].size(), 36U);
  const auto rows = test::run_cavity("predict " + model + " " + data);
  EXPECT_EQ(rows.out.substr(0, rows.out.find('\n')), "sample,label,probability,p_x,p_y,p_z,truth");
  const Json list = test::run_json("predict " + model + " " + data)["samples"];
  double sum = 0;
  for (const Json& p : list[0]["probabilities"]) sum += p.get<double>();
  EXPECT_NEAR(sum, 1, 1e-12);
  const auto overall = test::run_cavity("features " + model),
             one = test::run_cavity("features " + model + " --class y");
  EXPECT_EQ(overall.out.substr(0, overall.out.find('\n')), "feature,inclusion,class,weight,sd,difference,t,q");
  EXPECT_EQ(one.out.substr(0, one.out.find('\n')), "feature,inclusion,weight,sd,difference,t,q");
  const auto wrong = test::run_cavity("features " + model + " --class w");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_NE(wrong.err.find("'x', 'y', 'z'"), std::string::npos) << wrong.err;
}

TEST_F(ManyClassesCli, ReportPage) {
  if (!has_report_page()) GTEST_SKIP() << "this build has no report page";
  const std::string page = folder.path("three.html");
  const auto run = test::run_cavity("fit " + data + " --density 0.5 --noise 0.05 -q --report " + page);
  ASSERT_EQ(run.code, 0) << run.err;
  const std::string text = test::read_file(page), start = "id=\"report-data\">";
  const std::size_t at = text.find(start) + start.size();
  const Json shown = Json::parse(text.substr(at, text.find("</script>", at) - at));
  EXPECT_EQ(shown["kind"], "fit");
  EXPECT_EQ(shown["confusion"].size(), 3U);
  EXPECT_EQ(shown["sample_table"]["loo_probability"].size(), 36U);
}

TEST_F(ManyClassesCli, CompareSkipsBaselinesAndSaysSo) {
  const auto run = test::run_cavity("compare " + data + " --methods sbc-ep,fda --splits 1 --noise 0.05");
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.err.find("skipped, since made for two: fda"), std::string::npos) << run.err;
}

TEST_F(ManyClassesCli, SharesOfEveryClass) {
  const auto three = test::run_cavity("fit " + data + " --density 0.5 --noise 0.05 --class-prior 0.2,0.3,0.5 --json");
  EXPECT_EQ(three.code, 0) << three.err;
  EXPECT_EQ(Json::parse(three.out)["class_prior"], (std::vector<double>{0.2, 0.3, 0.5}));
  EXPECT_EQ(test::run_cavity("fit " + data + " --density 0.5 --noise 0.05 --class-prior 0.2").code, 2);
}

}  // namespace
}  // namespace cavity
