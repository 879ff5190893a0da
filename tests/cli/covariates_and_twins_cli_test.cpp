// Repeated samples are found, covariates are answers, lists keep their word, and the score is the classifier.
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include <cmath>

#include "support/csv_tables.hpp"
#include "support/run_cavity.hpp"

namespace cavity::test {
namespace {

using Json = nlohmann::ordered_json;

bool has_warning(const Json& fit, const std::string& name) {
  return std::any_of(fit["warnings"].begin(), fit["warnings"].end(), [&](const Json& w) { return w["name"] == name; });
}

/// Patients without any meaning in their labels, three measurements each.
std::string replicates(std::size_t patients, std::size_t features) {
  Random random(7);
  std::string out = "patient,label";
  for (std::size_t l = 0; l < features; ++l) out += fmt::format(",g{}", l);
  for (std::size_t p = 0; p < patients; ++p) {
    std::vector<double> base;
    for (std::size_t l = 0; l < features; ++l) base.push_back(random.normal());
    const char* label = random.below(2) == 0 ? "a" : "b";
    for (int k = 0; k < 3; ++k) {
      out += fmt::format("\np{},{}", p, label);
      for (const double value : base) out += fmt::format(",{:.3f}", value + 0.3 * random.normal());
    }
  }
  return out + "\n";
}

TEST(TwinsCli, RepeatedSamplesBringAWarning) {
  const TempDir folder;
  const std::string data = folder.write("r.csv", replicates(30, 200)), cell = " --density 0.1 --noise 0.1";
  const Json fit = run_json("fit " + data + " --id patient" + cell);
  EXPECT_LT(fit["loo_error"].get<double>(), 0.1);
  ASSERT_TRUE(has_warning(fit, "near-duplicates")) << fit["warnings"].dump();
  EXPECT_NE(fit["warnings"].dump().find("90 pairs"), std::string::npos);
  EXPECT_NE(fit["warnings"].dump().find("--group"), std::string::npos);
  const Json grouped = run_json("fit " + data + " --group patient" + cell);
  EXPECT_EQ(grouped["features"], 200);
  EXPECT_FALSE(has_warning(grouped, "near-duplicates"));
  EXPECT_GT(grouped["loo_error"].get<double>(), 0.3);
  EXPECT_EQ(grouped["sample_groups"], 30);
  EXPECT_EQ(fit["sample_groups"], 0);
  const Json by_position = run_json("fit " + data + " --group 1" + cell);
  EXPECT_EQ(by_position["loo_error"], grouped["loo_error"]);
  EXPECT_FALSE(
      has_warning(run_json("fit " + folder.write("o.csv", separable_table(60, 100).csv()) + cell), "near-duplicates"));
}

TEST(CovariatesCli, HaveWeightsAndAreSetAgainstTheFeatures) {
  const TempDir folder;
  Table table = separable_table(80, 30);
  std::size_t row = 0;
  table.add_column("age", [&](const auto&) { return std::to_string(40 + 13 * row++ % 37); });
  table.add_column("sex", [](const auto& r) { return r[2][0] == '-' ? "f" : "m"; });
  table.add_column("twin", [](const auto& r) { return r[0] == "ill" ? "1" : "0"; });
  const std::string data = folder.write("d.csv", table.csv()), cell = " --density 0.1 --noise 0.05 ";
  const Json fit = run_json("fit " + data + cell + "--covariates age,sex,twin -o " + folder.path("m.cavity"));
  ASSERT_EQ(question(fit)["covariates"].size(), 3U);
  EXPECT_EQ(question(fit)["covariates"][1]["category"], "m");
  EXPECT_EQ(question(fit)["covariates"][1]["reference"], "f");
  for (const auto& c : question(fit)["covariates"]) EXPECT_GT(c["sd"].get<double>(), 0) << c.dump();
  EXPECT_LT(question(fit)["covariates"][2]["weight"].get<double>(), 0);  // speaks for ill, the negative class
  EXPECT_TRUE(has_warning(fit, "covariates-give-it-away"));
  EXPECT_LT(fit["covariates_alone"]["loo_error"].get<double>(), 0.01);
  const std::string list = run_cavity("features " + folder.path("m.cavity")).out;
  EXPECT_NE(list.find("feature,inclusion,weight,sd,difference,t,q\nage,1,"), std::string::npos) << list.substr(0, 200);
  EXPECT_NE(list.find("\nsex=m,1,"), std::string::npos);
  const std::string plain = folder.write("p.csv", [&] {
    Table t = table;
    for (auto& r : t.rows) r.pop_back();
    t.header.pop_back();
    return t.csv();
  }());
  const Json harmless = run_json("fit " + plain + cell + "--covariates age,sex");
  EXPECT_FALSE(has_warning(harmless, "covariates-give-it-away"));
  const auto& alone = harmless["covariates_alone"];
  EXPECT_GT(alone["error_gain"].get<double>(), 3 * alone["error_gain_se"].get<double>());
  EXPECT_NEAR(alone["loo_error"].get<double>() - alone["error_gain"].get<double>(), harmless["loo_error"].get<double>(),
              1e-9);
  EXPECT_NE(
      run_cavity("fit " + plain + cell + "--covariates age,sex").out.find("covariates alone: leave-one-out error"),
      std::string::npos);
}

TEST(FdrCli, AnEmptyListSaysSo) {
  const TempDir folder;
  Table noise = separable_table(30, 40);
  for (std::size_t i = 0; i < noise.rows.size(); ++i) noise.rows[i][0] = i % 2 ? "a" : "b";
  const std::string one_cell = " --density 0.1 --noise 0.2 -q -o " + folder.path("m");
  expect_ok(run_cavity("fit " + folder.write("n.csv", noise.csv()) + one_cell), "fit");
  const Outcome withheld = run_cavity("features " + folder.path("m") + " --fdr 0.5");
  EXPECT_EQ(withheld.out, "feature,inclusion,weight,sd,difference,t,q\n");
  EXPECT_NE(withheld.err.find("not shown to tell the classes apart"), std::string::npos) << withheld.err;
  EXPECT_NE(withheld.err.find("no list by a false rate is given"), std::string::npos) << withheld.err;

  expect_ok(run_cavity("fit " + folder.write("s.csv", separable_table(40, 40).csv()) + one_cell), "fit");
  const Outcome none = run_cavity("features " + folder.path("m") + " --fdr 0");
  EXPECT_EQ(none.out, "feature,inclusion,weight,sd,difference,t,q\n");
  EXPECT_NE(none.err.find("the best single feature, "), std::string::npos) << none.err;
  const Outcome some = run_cavity("features " + folder.path("m") + " --fdr 0.99");
  EXPECT_NE(some.err.find("are expected to be false"), std::string::npos) << some.err;
}

TEST(FdrCli, GroupsAndCredibleSetsStandBesideSingleFeatures) {
  const TempDir folder;
  Table table = separable_table(60, 80);
  table.add_column("twin", [](const auto& r) { return r[1]; });
  const std::string m = folder.path("m.cavity");
  expect_ok(run_cavity("fit " + folder.write("d.csv", table.csv()) + " -q -o " + m), "fit");
  const Outcome single = run_cavity("features " + m + " --fdr 0.2");
  EXPECT_NE(single.err.find("the best single feature, "), std::string::npos) << single.err;
  EXPECT_NE(single.err.find("as one (--correlated): 1 item, of which"), std::string::npos) << single.err;
  const Outcome grouped = run_cavity("features " + m + " --fdr 0.2 --correlated");
  EXPECT_NE(grouped.out.find("\ng1|twin,"), std::string::npos) << grouped.out;
  const Outcome looser = run_cavity("features " + m + " --fdr 0.3");
  EXPECT_NE(looser.err.find("credible sets (--sets): 1 set, of which"), std::string::npos) << looser.err;
  const std::string sets = run_cavity("features " + m + " --sets").out;
  for (const char* one_of_them : {"g1", "twin"}) EXPECT_NE(sets.find(one_of_them), std::string::npos) << sets;
}

TEST(ScoreCli, IsTheClassifierWhereItIsLinear) {
  const TempDir folder;
  Table table = separable_table(60, 20);
  table.add_column("age", [&](const auto& r) { return r[2][0] == '-' ? "51" : "64"; });
  const std::string data = folder.write("d.csv", table.csv()), m = folder.path("m.cavity");
  for (const std::string options : {"", " --class-prior 0.2", " --covariates age"}) {
    expect_ok(run_cavity("fit " + data + " --value-transform none --density 0.1 --noise 0.05 -q -o " + m + options),
              options);
    const Json score = run_json("score " + m + " " + data);
    EXPECT_GE(score["equal_labels"].get<double>(), 0.9) << options;
    EXPECT_GT(score["correlation"].get<double>(), 0.95) << options;
    EXPECT_EQ(score["transform"], "none");
  }
  const Outcome text = run_cavity("score " + m + " " + data);
  EXPECT_TRUE(text.out.starts_with("term,weight,if_missing\nintercept,")) << text.out.substr(0, 80);
  EXPECT_NE(text.err.find("above 0: well, else ill"), std::string::npos) << text.err;
  expect_ok(run_cavity("fit " + data + " --value-transform rank --density 0.1 --noise 0.05 -q -o " + m), "rank");
  expect_refusal("score " + m, 2, {"not possible", "ranked within each sample", "--value-transform none"});
}

TEST(OptionsCli, AMisspelledOneGetsASuggestion) {
  expect_refusal("fit x.csv --densty 0.1", 2, {"unknown option '--densty'; did you mean '--density'?"});
  expect_refusal("predict m x.csv --zzzzzz", 2, {"unknown option '--zzzzzz'", "cavity predict --help"});
  expect_refusal("theory plan --features 100 --densty 0.1 --noise 0.1", 2,
                 {"unknown option '--densty'; did you mean '--density'?"});
  expect_refusal("plan --features 100", 2, {"did you mean 'cavity theory plan'?"});
}

TEST(OptionsCli, HelpIsGroupedAndSaysEveryDefault) {
  const std::string commands[] = {"fit",       "predict",      "features",    "score",        "compare",    "simulate",
                                  "reproduce", "theory point", "theory path", "theory sweep", "theory plan"};
  for (const std::string& command : commands) {
    std::istringstream help(run_cavity(command + " --help").out);
    std::string line, group, what;
    std::set<std::string> groups;
    while (std::getline(help, line)) {
      if (!line.empty() && line.front() != ' ' && line.back() == ':') group = line;
      if (!line.starts_with("  -")) continue;
      groups.insert(group);
      EXPECT_EQ(group == "Options:", line.starts_with("  -h,--help")) << command << line;
      what = line;
      if (line.find("  ", 2) == std::string::npos && std::getline(help, line)) what += line;
      const bool number = what.find("INT") != std::string::npos || what.find(" FLOAT") != std::string::npos;
      EXPECT_TRUE(!number || what.find("default") != std::string::npos || what.find("REQUIRED") != std::string::npos ||
                  what.find(" ...") != std::string::npos)
          << command << what;
    }
    EXPECT_GE(groups.size(), 3U) << command;
  }
  for (const char* command : {"fit --help", "compare --help"})
    for (const char* part : {"Matrix Market", "PLINK"})
      EXPECT_NE(run_cavity(command).out.find(part), std::string::npos) << command << part;
}

}  // namespace
}  // namespace cavity::test
