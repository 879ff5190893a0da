// The verdict stands first, and where nothing is shown no list is given by a false rate.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "base/random.hpp"
#include "support/run_cavity.hpp"

namespace cavity::test {
namespace {

/// Columns of numbers that have nothing to do with the label, or of which the first ten follow it.
std::string table(bool signal) {
  Random random(3);
  std::ostringstream out;
  out << "label";
  for (int l = 0; l < 60; ++l) out << ",x" << l;
  for (int i = 0; i < 40; ++i) {
    out << "\n" << (i % 2 == 0 ? "a" : "b");
    for (int l = 0; l < 60; ++l) out << "," << random.normal() + (signal && l < 10 && i % 2 == 1 ? 2 : 0);
  }
  return out.str() + "\n";
}

class VerdictCli : public testing::Test {
 protected:
  void fit(bool signal) {
    data = folder.write("t.csv", table(signal));
    summary = run_cavity("fit --threads 1 " + data + " -o " + folder.path("m"));
    expect_ok(summary, "fit");
  }
  nlohmann::json json() const {
    const Outcome out = run_cavity("fit -q --json --threads 1 " + data);
    return nlohmann::json::parse(out.out);
  }
  Outcome features(const std::string& rest) const { return run_cavity("features " + folder.path("m") + " " + rest); }

  TempDir folder;
  std::string data;
  Outcome summary;
};

TEST_F(VerdictCli, NotShownIsSaidFirstAndListsAreWithheld) {
  fit(false);
  const std::string all = summary.out + summary.err;
  EXPECT_NE(all.find("not shown to be better than guessing"), std::string::npos) << all;
  EXPECT_LT(all.find("not shown to be better than guessing"), all.find("40 samples")) << all;
  const Outcome list = features("--fdr 0.9");
  EXPECT_EQ(list.out, "feature,inclusion,weight,sd,difference,t,q\n");
  EXPECT_NE(list.err.find("not shown to tell the classes apart"), std::string::npos) << list.err;
  const Outcome whole = features("");
  EXPECT_EQ(std::ranges::count(whole.out, '\n'), 61);
  EXPECT_NE(whole.err.find("what chance leaves over"), std::string::npos) << whole.err;
  const nlohmann::json said = json();
  EXPECT_EQ(said["verdict"]["better"], false);
  EXPECT_GE(said["permutation"]["p"].get<double>(), 0.05);
  EXPECT_GT(said["calibration"]["nothing"]["share"].get<double>(), 0);
}

TEST_F(VerdictCli, BetterIsSaidFirst) {
  fit(true);
  const std::string all = summary.out + summary.err;
  EXPECT_LT(all.find("better than guessing: the features tell the classes apart"), all.find("40 samples")) << all;
  EXPECT_EQ(features("").err, "");
  const nlohmann::json said = json();
  EXPECT_EQ(said["verdict"]["better"], true);
  double posterior = 0;
  for (const auto& h : said["questions"][0]["hypotheses"]) posterior += h["posterior"].get<double>();
  EXPECT_NEAR(posterior, 1, 1e-9);
  const auto& points = said["forecast"]["points"];
  ASSERT_EQ(points.size(), 8U);
  EXPECT_EQ(points[3]["samples"], 40);
  EXPECT_EQ(points[3]["error"], said["loo_error"]);
}

TEST_F(VerdictCli, TheMethodsParagraphHasTheNumbersOfTheFit) {
  for (const bool signal : {true, false}) {
    fit(signal);
    const nlohmann::json said = json();
    const Outcome told = run_cavity("fit --methods --threads 1 " + data);
    expect_ok(told, "fit --methods");
    EXPECT_EQ(told.out, said["methods"].get<std::string>() + "\n");
    for (const std::string& part : {fmt::format("error {:.1f} %", 100 * said["loo_error"].get<double>()),
                                    fmt::format("p = {:.2g}", said["permutation"]["p"].get<double>()),
                                    std::string("40 samples (20 a, 20 b)"), std::string("60 features")})
      EXPECT_NE(told.out.find(part), std::string::npos) << part << "\n" << told.out;
    EXPECT_EQ(told.out.find("No feature is therefore reported") == std::string::npos, signal) << told.out;
    EXPECT_EQ(std::ranges::count(told.out, '\n'), 1);
  }
  EXPECT_EQ(run_cavity("fit --methods --json " + data).code, 2);
  EXPECT_EQ(run_cavity("fit --methods --method fda " + data).code, 2);
}

TEST_F(VerdictCli, BesideInclusionStandsWhatEachFeatureSaysAlone) {
  fit(true);
  const std::string list = features("").out;
  EXPECT_TRUE(list.starts_with("feature,inclusion,weight,sd,difference,t,q\n"));
  const auto listed = nlohmann::json::parse(features("--json").out);
  for (const auto& f : listed["features"]) {
    const bool decides = std::stoi(f["name"].get<std::string>().substr(1)) < 10;
    EXPECT_EQ(f["q"].get<double>() < 0.01, decides) << f;
    if (decides) {
      EXPECT_GT(f["t"], 3) << f;
      EXPECT_NEAR(f["difference"].get<double>(), 2, 1.2) << f;
    }
  }
}

}  // namespace
}  // namespace cavity::test
