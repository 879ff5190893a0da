// fit, predict, features and simulate as a user meets them: what they print, in which form, and that it hangs together.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "support/csv_tables.hpp"
#include "support/run_cavity.hpp"

namespace cavity::test {
namespace {

using Json = nlohmann::ordered_json;

const std::string one_cell = " --density 0.1 --noise 0.05 ";

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> out;
  std::size_t at = 0;
  for (std::size_t end; (end = text.find('\n', at)) != std::string::npos; at = end + 1)
    out.push_back(text.substr(at, end - at));
  return out;
}

std::set<std::string> keys(const Json& object) {
  std::set<std::string> out;
  for (const auto& [key, value] : object.items()) out.insert(key);
  return out;
}

void expect_keys(const Json& object, const std::set<std::string>& wanted) {
  const auto found = keys(object);
  for (const auto& key : wanted) EXPECT_TRUE(found.contains(key)) << key << " is missing";
}

/// A saved model of a separable table, and the table.
class FitCli : public testing::Test {
 protected:
  std::string fit_table(const Table& table, const std::string& options, const std::string& model = "m.cavity") {
    data = folder.write("data.csv", table.csv());
    const std::string path = folder.path(model);
    expect_ok(run_cavity("fit " + data + options + " -q -o " + path), "fit " + options);
    return path;
  }
  TempDir folder;
  std::string data;
};

TEST_F(FitCli, JsonHasTheAgreedKeys) {
  const std::string file = folder.write("data.csv", separable_table(24, 30).csv());
  const Json fit = run_json("fit " + file + " --loo --density 0.2,0.1 --noise 0.05,0.2");
  EXPECT_EQ(fit["schema"], 2);
  EXPECT_EQ(fit["samples"], 24);
  EXPECT_EQ(fit["features"], 30);
  EXPECT_EQ(fit["classes"][0]["count"].get<int>() + fit["classes"][1]["count"].get<int>(), 24);
  EXPECT_EQ(question(fit)["class"], "well");
  EXPECT_EQ(fit["solver"], "ep");
  EXPECT_EQ(fit["activation"], "step");
  ASSERT_EQ(question(fit)["grid"].size(), 4u);
  double weight = 0;
  for (const Json& cell : question(fit)["grid"]) {
    EXPECT_EQ(keys(cell), keys(chosen(fit)));
    weight += cell["weight"].get<double>();
  }
  expect_keys(chosen(fit), {"density", "noise", "loo_error", "loo_log_loss", "converged", "status", "iterations",
                            "residual", "log_evidence", "weight"});
  EXPECT_NEAR(weight, 1, 1e-9);
  ASSERT_EQ(fit["top_features"].size(), 10u);
  EXPECT_EQ(keys(fit["top_features"][0]),
            (std::set<std::string>{"name", "class", "inclusion", "weight", "sd", "bayes_factor", "expected_false",
                                   "difference", "t", "q"}));
  EXPECT_EQ(fit["top_features"][0]["name"], "g1");
  EXPECT_LT(fit["top_features"][0]["weight"].get<double>(), 0);  // g1 > 0 is the negative class
  ASSERT_EQ(fit["loo_probability"].size(), 24u);
  for (const Json& warning : fit["warnings"]) EXPECT_EQ(keys(warning), (std::set<std::string>{"name", "text", "cure"}));
}

TEST_F(FitCli, LooErrorIsThatOfTheProbabilities) {
  const Table table = separable_table(30, 20);
  const std::string file = folder.write("data.csv", table.csv());
  const Json fit = run_json("fit " + file + " --loo" + one_cell);
  double wrong = 0, loss = 0;
  for (std::size_t mu = 0; mu < table.rows.size(); ++mu) {
    const double own = fit["loo_probability"][mu][table.rows[mu][0] == "well" ? 1 : 0].get<double>();
    wrong += own < 0.5;
    loss -= std::log(own);
  }
  EXPECT_NEAR(fit["loo_error"].get<double>(), wrong / 30, 1e-12);
  EXPECT_NEAR(fit["loo_log_loss"].get<double>(), loss / 30, 1e-9);
  EXPECT_FALSE(run_json("fit " + file + one_cell).contains("loo_probability"));
}

TEST_F(FitCli, TheSummarySaysWhatWasReadAndFound) {
  Table table = separable_table(24, 30);
  table.rows[3][5] = "NA";
  table.add_column("flat", [](const auto&) { return "7"; });
  const Outcome fit = run_cavity("fit " + folder.write("data.csv", table.csv()) + " --top 3");
  expect_ok(fit, "fit");
  for (const char* part : {"24 samples", "31 features", "positive class: well", "1 missing value", "1 constant feature",
                           "leave-one-out error", "density", "noise", "solver: ep", "g1 "})
    EXPECT_NE(fit.out.find(part), std::string::npos) << part << " is not in\n" << fit.out;
  EXPECT_EQ(fit.out.find("\x1b["), std::string::npos) << "colours in a file";
  const auto all = lines(fit.out);
  const auto first = std::find_if(all.begin(), all.end(), [](const auto& l) { return l.starts_with("feature "); });
  EXPECT_TRUE(std::distance(first, all.end()) >= 4 && (all.end() - first == 4 || (first + 4)->empty()));
  EXPECT_EQ(run_cavity("fit " + folder.path("data.csv") + " -q").out, "");
  const Outcome faultless = run_cavity("fit " + folder.path("data.csv") + one_cell);
  EXPECT_NE(faultless.out.find("at most"), std::string::npos) << faultless.out;
}

TEST_F(FitCli, PositiveNamesTheClass) {
  const std::string file = folder.write("data.csv", separable_table(24, 20).csv());
  const Json fit = run_json("fit " + file + one_cell + "--positive ill");
  EXPECT_EQ(question(fit)["class"], "ill");
  EXPECT_EQ(fit["top_features"][0]["name"], "g1");
  EXPECT_GT(fit["top_features"][0]["weight"].get<double>(), 0);
}

TEST_F(FitCli, PredictWritesCsvAndJsonWithTheTruthWhereItIsKnown) {
  const Table table = separable_table(24, 20);
  const std::string model = fit_table(table, one_cell);
  const Outcome csv = run_cavity("predict " + model + " " + data);
  expect_ok(csv, "predict");
  const auto rows = lines(csv.out);
  ASSERT_EQ(rows.size(), 25u);
  EXPECT_EQ(rows[0], "sample,probability,label,truth");
  EXPECT_NE(csv.err.find("error "), std::string::npos);
  EXPECT_EQ(run_cavity("predict -q " + model + " " + data).err, "");
  const Json list = run_json("predict " + model + " " + data)["samples"];
  ASSERT_EQ(list.size(), 24u);
  for (std::size_t mu = 0; mu < 24; ++mu) {
    EXPECT_EQ(list[mu]["truth"], table.rows[mu][0]);
    EXPECT_EQ(list[mu]["label"], list[mu]["probabilities"][1].get<double>() >= 0.5 ? "well" : "ill");
    EXPECT_EQ(rows[mu + 1], fmt::format("{},{},{},{}", list[mu]["sample"].get<std::string>(),
                                        list[mu]["probabilities"][1].get<double>(),
                                        list[mu]["label"].get<std::string>(), list[mu]["truth"].get<std::string>()));
  }
}

TEST_F(FitCli, PredictNeedsNoLabelsAndMatchesColumnsByName) {
  const Table table = separable_table(24, 20);
  const std::string model = fit_table(table, one_cell);
  Table turned;
  for (std::size_t l = 20; l >= 1; --l) turned.header.push_back(table.header[l]);
  for (const auto& row : table.rows) turned.rows.emplace_back(row.rbegin(), row.rend() - 1);
  turned.add_column("unknown", [](const auto&) { return "3"; });
  const Json with = run_json("predict " + model + " " + data)["samples"];
  const Json without = run_json("predict " + model + " " + folder.write("turned.csv", turned.csv()))["samples"];
  ASSERT_EQ(without.size(), 24u);
  for (std::size_t mu = 0; mu < 24; ++mu) {
    EXPECT_EQ(without[mu]["probabilities"][1], with[mu]["probabilities"][1]);
    EXPECT_EQ(keys(without[mu]),
              (std::set<std::string>{"sample", "label", "set", "conformity", "probabilities", "truth", "explained"}));
  }
}

TEST_F(FitCli, OneSampleIsPredictedAsAmongMany) {
  const Table table = separable_table(24, 20);
  const std::string model = fit_table(table, one_cell);
  const Table one{table.header, {table.rows[7]}};
  const Json all = run_json("predict " + model + " " + data)["samples"];
  const Json alone = run_json("predict " + model + " " + folder.write("one.csv", one.csv()))["samples"];
  EXPECT_NEAR(alone[0]["probabilities"][1].get<double>(), all[7]["probabilities"][1].get<double>(), 1e-9);
}

TEST_F(FitCli, FeaturesAreRankedAndCutAtAFalseFraction) {
  const std::string model = fit_table(separable_table(40, 20), " --density 0.05 --noise 0.02");
  const Outcome csv = run_cavity("features " + model);
  const auto rows = lines(csv.out);
  ASSERT_EQ(rows.size(), 21u);
  EXPECT_EQ(rows[0], "feature,inclusion,weight,sd,difference,t,q");
  EXPECT_TRUE(rows[1].starts_with("g1,")) << rows[1];
  const Json list = run_json("features " + model)["features"];
  for (std::size_t i = 1; i < list.size(); ++i) EXPECT_LE(list[i]["inclusion"], list[i - 1]["inclusion"]);
  const Json found = run_json("features --fdr 0.3 " + model)["features"];
  ASSERT_GE(found.size(), 1u);
  double false_ones = 0;
  for (const Json& feature : found) false_ones += 1 - feature["inclusion"].get<double>();
  EXPECT_LE(false_ones, 0.3 * static_cast<double>(found.size()));
  const double next = 1 - list[found.size()]["inclusion"].get<double>();
  EXPECT_GT(false_ones + next, 0.3 * static_cast<double>(found.size() + 1));
}

TEST_F(FitCli, ADuplicatedInformativeColumnKeepsTheGroupsInclusion) {
  Table table = separable_table(40, 60);
  const std::string before = fit_table(table, " --density 0.05 --noise 0.02", "before.cavity");
  table.add_column("g1_again", [](const auto& row) { return row[1]; });
  const std::string after = fit_table(table, " --density 0.05 --noise 0.02", "after.cavity");
  const double alone = run_json("features " + before)["features"][0]["inclusion"].get<double>();
  const Json single = run_json("features " + after)["features"],
             grouped = run_json("features --correlated " + after)["features"];
  EXPECT_GT(alone, 0.9);
  EXPECT_EQ(grouped[0]["name"], "g1|g1_again");
  EXPECT_GE(grouped[0]["inclusion"].get<double>(), alone - 0.01);
  EXPECT_NEAR(single[0]["inclusion"].get<double>(), single[1]["inclusion"].get<double>(), 1e-4);
  const Json fit = run_json("fit " + data + " --density 0.05 --noise 0.02");
  EXPECT_EQ(fit["correlated"][0]["features"], (Json{"g1", "g1_again"}));
}

TEST_F(FitCli, StandardInputGzipAndZstdAreTheSameData) {
  const std::string csv = separable_table(24, 20).csv();
  const std::string plain = folder.write("data.csv", csv);
  const std::string packed = folder.write("packed", gzip(csv)), dense = folder.write("dense", zstd(csv));
  const Json fit = run_json("fit " + plain + one_cell);
  EXPECT_EQ(run_json("fit " + packed + one_cell)["top_features"], fit["top_features"]);
  EXPECT_EQ(run_json("fit " + dense + one_cell)["top_features"], fit["top_features"]);
  const Outcome piped = run_shell("cavity fit - --json " + one_cell + " < " + packed);
  expect_ok(piped, "fit -");
  EXPECT_EQ(Json::parse(piped.out)["top_features"], fit["top_features"]);
}

TEST_F(FitCli, TheModelFileRemembersEverything) {
  Table table = separable_table(30, 60);
  table.rows[2][9] = "NA";
  table.add_column("flat", [](const auto&) { return "7"; });
  for (const char* options :
       {" --value-transform rank", " --value-transform asinh --no-unit-variance", " --value-transform none --whiten",
        " --no-variances", " --activation probit --noise 0.3", " --solver amp", " --no-intercept"}) {
    const std::string model = fit_table(table, options + std::string(" --density 0.1,0.05"));
    const Json once = run_json("predict " + model + " " + data)["samples"];
    std::filesystem::copy_file(model, folder.path("moved"), std::filesystem::copy_options::overwrite_existing);
    EXPECT_EQ(run_json("predict " + folder.path("moved") + " " + data)["samples"], once) << options;
    for (const Json& row : once) {
      EXPECT_GT(row["probabilities"][1].get<double>(), 0) << options;
      EXPECT_LT(row["probabilities"][1].get<double>(), 1) << options;
    }
    EXPECT_EQ(run_json("features " + model)["features"].size(), 61u) << options;
  }
}

TEST_F(FitCli, CovariatesAreAlwaysKeptAndNeededForPrediction) {
  Table table = separable_table(40, 20);
  Random random(4);
  table.add_column("age", [&](const auto&) { return fmt::format("{:.0f}", 50 + 10 * random.normal()); });
  table.add_column("sex", [&](const auto&) { return random.bernoulli(0.5) ? "f" : "m"; });
  const std::string model = fit_table(table, one_cell + "--covariates age,sex");
  const Json features = run_json("features " + model)["features"];
  EXPECT_EQ(features.size(), 22u);
  EXPECT_EQ(run_json("predict " + model + " " + data)["samples"].size(), 40u);
  expect_refusal("predict " + model + " " + folder.write("bare.csv", separable_table(5, 20).csv()), 3, {"age"});
  table.rows[0].back() = "other";
  expect_refusal("predict " + model + " " + folder.write("other.csv", table.csv()), 3, {"sex", "other"});
}

TEST_F(FitCli, CheckLooRefitsAndAgrees) {
  const std::string file = folder.write("data.csv", separable_table(30, 60).csv());
  const Json fit = run_json("fit " + file + " --density 0.2 --noise 0.1 --check-loo 10");
  EXPECT_EQ(question(fit)["loo_check"]["refits"], 10);
  EXPECT_LE(question(fit)["loo_check"]["mean_difference"].get<double>(), 0.02);
  EXPECT_GE(question(fit)["loo_check"]["largest_difference"], question(fit)["loo_check"]["mean_difference"]);
  const Outcome text = run_cavity("fit " + file + " --density 0.2 --noise 0.1 --check-loo 10");
  EXPECT_NE(text.out.find("checked by 10 refits"), std::string::npos);
}

TEST_F(FitCli, TheGridCanBeThePapers) {
  const std::string file = folder.write("data.csv", separable_table(24, 60).csv());
  const Json fit = run_json("fit " + file + " --grid paper --select loo_error");
  EXPECT_EQ(question(fit)["grid"].size(), 36u);
  std::set<double> densities, noises;
  for (const Json& cell : question(fit)["grid"]) {
    densities.insert(cell["density"].get<double>());
    noises.insert(cell["noise"].get<double>());
  }
  EXPECT_EQ(densities, (std::set<double>{0.0025, 0.005, 0.01, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8}));
  EXPECT_EQ(noises, (std::set<double>{0.1, 0.2, 0.3, 0.4}));
  for (const Json& cell : question(fit)["grid"])
    EXPECT_TRUE(!cell["converged"].get<bool>() || cell["loo_error"] >= chosen(fit)["loo_error"]);
}

TEST_F(FitCli, ThreadsDoNotChangeTheAnswer) {
  const std::string file = folder.write("data.csv", separable_table(24, 60).csv());
  Json one = run_json("fit --threads 1 --loo " + file), three = run_json("fit --threads 3 --loo " + file);
  EXPECT_EQ(one["resources"]["threads"], 1);
  EXPECT_EQ(three["resources"]["threads"], 3);
  one.erase("resources");
  three.erase("resources");
  EXPECT_EQ(one.dump(), three.dump());
  EXPECT_EQ(one["loo_probability"].size(), 24U);
}

TEST_F(FitCli, AmpLearnsASimulatedTeacher) {
  const std::string train = folder.path("train.csv"), fresh = folder.path("fresh.csv");
  const std::string teacher = "simulate --features 600 --teacher 0.1 --noise 0.05 --seed 3 ";
  expect_ok(run_cavity(teacher + "--samples 600 -o " + train + " --teacher-file " + folder.path("teacher.csv")),
            "train");
  expect_ok(run_cavity(teacher + "--samples 400 --skip 600 -o " + fresh), "fresh");
  const Json fit = run_json("fit " + train + " --solver amp --value-transform none --density 0.1 --noise 0.05 -o " +
                            folder.path("m.cavity"));
  EXPECT_EQ(fit["solver"], "amp");
  EXPECT_TRUE(chosen(fit)["converged"].get<bool>());
  EXPECT_EQ(lines(read_file(folder.path("teacher.csv"))).size(), 601u);
  double wrong = 0;
  const Json predicted = run_json("predict " + folder.path("m.cavity") + " " + fresh)["samples"];
  for (const Json& row : predicted) wrong += row["label"] != row["truth"];
  EXPECT_LT(wrong / 400, 0.25);
  EXPECT_NEAR(fit["loo_error"].get<double>(), wrong / 400, 0.1);
}

TEST_F(FitCli, SimulateContinuesItsStream) {
  const std::string some = "simulate --features 30 --seed 9 --names genes --classes healthy,ill ";
  const auto whole = lines(run_cavity(some + "--samples 12").out),
             rest = lines(run_cavity(some + "--samples 4 --skip 8").out);
  ASSERT_EQ(whole.size(), 13u);
  ASSERT_EQ(rest.size(), 5u);
  EXPECT_EQ(rest[0], whole[0]);
  for (std::size_t i = 1; i <= 4; ++i) EXPECT_EQ(rest[i], whole[8 + i]);
  EXPECT_TRUE(whole[1].starts_with("healthy,") || whole[1].starts_with("ill,")) << whole[1].substr(0, 20);
}

TEST_F(FitCli, EveryCellOfColonHasAStatusAndNumbers) {
  const char* elsewhere = std::getenv("CAVITY_DATA");
  const std::string colon = std::string(elsewhere != nullptr ? elsewhere : CAVITY_DATA_DIR) + "/colon.csv.gz";
  if (!std::filesystem::exists(colon)) GTEST_SKIP() << colon << " is not there";
  const std::string model = folder.path("m.cavity");
  for (const std::string options : {" --loo", " --grid paper --loo"}) {
    const Json fit = run_json("fit " + colon + options + " -o " + model);
    for (const Json& cell : question(fit)["grid"]) {
      const std::set<std::string> statuses = {"converged", "restricted", "stalled", "diverged", "not mixed"};
      EXPECT_TRUE(statuses.contains(cell["status"]));
      if (cell["status"] == "diverged") continue;
      for (const char* key : {"loo_error", "loo_log_loss", "residual", "weight"})
        EXPECT_TRUE(cell[key].is_number()) << key << " at density " << cell["density"] << ", noise " << cell["noise"];
    }
    for (const Json& row : fit["loo_probability"])
      for (const Json& p : row) EXPECT_TRUE(p.is_number());
    EXPECT_LT(fit["loo_error"].get<double>(), 0.2);
    EXPECT_EQ(run_json("predict " + model + " " + colon)["samples"].size(), 62u);
  }
}

TEST_F(FitCli, VersionAndHelpAreNotErrors) {
  const std::string version = run_cavity("--version").out;
  const Json told = run_json("--version");
  EXPECT_EQ(told["version"].get<std::string>() + "\n", version);
  EXPECT_FALSE(told["instructions"].get<std::string>().empty());
  for (const char* library : {"fmt", "hdf5", "highway", "zlib", "zstd"})
    EXPECT_TRUE(told["libraries"][library].is_string()) << library;
  for (const char* command : {"", "fit ", "predict ", "features ", "simulate "}) {
    const Outcome help = run_cavity(command + std::string("--help"));
    EXPECT_EQ(help.code, 0);
    EXPECT_GT(help.out.size(), 100u);
  }
}

}  // namespace
}  // namespace cavity::test
