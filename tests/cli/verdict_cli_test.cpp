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

// Of what chance leaves over nothing is made, by whatever command.
TEST_F(VerdictCli, WhereNothingIsShownNoCommandTalks) {
  fit(false);
  const std::string doubt = "the features are not shown to tell the classes apart";
  EXPECT_EQ(summary.out.find("straight boundary is enough"), std::string::npos) << summary.out;
  EXPECT_EQ(summary.out.find("credible sets"), std::string::npos) << summary.out;
  const Outcome sets = features("--sets");
  EXPECT_EQ(sets.out, "set,probability,filled,feature,share,weight\n");
  EXPECT_NE(sets.err.find(doubt), std::string::npos) << sets.err;
  EXPECT_NE(sets.err.find("no credible sets are given"), std::string::npos) << sets.err;
  const std::string model = folder.path("m");
  for (const std::string& command :
       {"predict " + model + " " + data, "validate " + model + " " + data, "score " + model}) {
    const Outcome out = run_cavity(command);
    expect_ok(out, command);
    EXPECT_NE(out.err.find(doubt), std::string::npos) << command << out.err;
    EXPECT_EQ(run_cavity(command + (command.starts_with("validate") ? " --json -q" : " -q")).err.find(doubt),
              std::string::npos);
  }
  const Outcome panel = run_cavity("panel --threads 1 --folds 3 --most 3 " + data);
  EXPECT_EQ(panel.out.find("not shown to be better than guessing: " + doubt), 0U) << panel.out;
  EXPECT_EQ(panel.out.find("could stand in"), std::string::npos) << panel.out;
  const Outcome halves = run_cavity("stability --threads 1 --pairs 1 " + data);
  EXPECT_EQ(halves.out.find("not shown to be better than guessing: " + doubt), 0U) << halves.out;
  const auto json = nlohmann::json::parse(run_cavity("stability -q --threads 1 --pairs 1 --json " + data).out);
  EXPECT_EQ(json["verdict"]["better"], false);
}

// With covariates the features are held against them.
TEST_F(VerdictCli, FeaturesAreToAddToTheCovariates) {
  for (const bool signal : {false, true}) {
    fit(signal);
    const Outcome out = run_cavity("fit --threads 1 --covariates x20 " + data + " -o " + folder.path("m"));
    expect_ok(out, "fit with a covariate");
    EXPECT_EQ(
        out.out.find(signal ? "better than the covariates alone: the features tell the classes apart beyond them, p = "
                            : "not shown to be better than the covariates alone: the features are not shown to tell "
                              "the classes apart beyond them, p = "),
        0U)
        << out.out;
    EXPECT_EQ(out.out.find("it is not shown that the features take away any of it") == std::string::npos, signal)
        << out.out;
    const std::string doubt = "not shown to tell the classes apart beyond the covariates (p = ";
    EXPECT_EQ(features("").err.find(doubt) == std::string::npos, signal);
    const auto json = nlohmann::json::parse(run_cavity("fit -q --json --threads 1 --covariates x20 " + data).out);
    const auto& nothing = json["calibration"]["nothing"];
    EXPECT_EQ(nothing.is_null(), signal) << nothing;
    if (signal) continue;
    EXPECT_EQ(nothing["covariate_weights"].size(), 2U) << nothing;
    EXPECT_EQ(nothing["covariate_weights"][0].size(), 2U) << nothing;
  }
}

TEST_F(VerdictCli, WhereSomethingIsShownTheyDo) {
  fit(true);
  EXPECT_NE(summary.out.find("boundary"), std::string::npos) << summary.out;
  const Outcome predicted = run_cavity("predict " + folder.path("m") + " " + data);
  EXPECT_EQ(predicted.err.find("not shown"), std::string::npos) << predicted.err;
  const Outcome panel = run_cavity("panel --threads 1 --folds 3 --most 3 " + data);
  EXPECT_EQ(panel.out.find("better than guessing: the features tell the classes apart"), 0U) << panel.out;
  EXPECT_NE(panel.out.find("could stand in"), std::string::npos) << panel.out;
  const Outcome halves = run_cavity("stability --threads 1 --pairs 1 " + data);
  EXPECT_EQ(halves.out.find("better than guessing: the features tell the classes apart"), 0U) << halves.out;
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
