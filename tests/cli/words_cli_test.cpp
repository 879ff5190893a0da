// One name for one thing: what was called otherwise before is understood with a note, lists know their classes, and the
// help says what is so.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>

#include "search/grid.hpp"
#include "support/csv_tables.hpp"
#include "support/run_cavity.hpp"

namespace cavity::test {
namespace {

using Json = nlohmann::ordered_json;
const std::string one_cell = " --density 0.1 --noise 0.05 ";

class WordsCli : public ::testing::Test {
 protected:
  TempDir folder;
  std::string data = folder.write("d.csv", separable_table(40, 20).csv());
};

TEST_F(WordsCli, FormerNamesGiveTheSameAndSaySo) {
  const Outcome now = run_cavity("fit " + data + one_cell + "--class-prior 0.3 --value-transform rank --json");
  expect_ok(now, "fit");
  EXPECT_EQ(now.err.find("is called"), std::string::npos) << now.err;
  for (const char* before : {"--prior 0.3 --transform rank", "--prior=0.3 --transform=rank"}) {
    const Outcome out = run_cavity("fit " + data + one_cell + before + " --json");
    EXPECT_EQ(out.out, now.out) << before;
    for (const char* part : {"--prior is called --class-prior", "--transform is called --value-transform"})
      EXPECT_NE(out.err.find(part), std::string::npos) << out.err;
  }
  const std::string fit = "fit " + data + " --density 0.1,0.3 --noise 0.05 --json --select";
  for (const char* before : {" loo-error", "=loo-error"}) {
    const Outcome out = run_cavity(fit + before);
    EXPECT_EQ(out.out, run_cavity(fit + " loo_error").out);
    EXPECT_NE(out.err.find("loo-error is called loo_error"), std::string::npos) << out.err;
  }
}

TEST_F(WordsCli, FormerNamesOfOneCommandAreNotThoseOfAnother) {
  const std::string model = folder.path("m.cavity");
  expect_ok(run_cavity("fit " + data + one_cell + "-q -o " + model), "fit");
  const Outcome before = run_cavity("features --groups " + model);
  EXPECT_EQ(before.out, run_cavity("features --correlated " + model).out);
  EXPECT_NE(before.err.find("--groups is called --correlated"), std::string::npos) << before.err;
  expect_refusal("fit " + data + " --groups", 2, {"unknown option '--groups'"});
  expect_refusal("features " + model + " --prior 0.1", 2, {"unknown option '--prior'"});
}

TEST_F(WordsCli, SharesOfTwoClassesMayBeAList) {
  EXPECT_EQ(run_cavity("fit " + data + one_cell + "--class-prior 0.7,0.3 --json").out,
            run_cavity("fit " + data + one_cell + "--class-prior 0.3 --json").out);
  expect_refusal("fit " + data + one_cell + "--class-prior 0.7,0.2", 2, {"--class-prior"});
}

/// The words of an option's help, on one line; `next` is the option after it.
std::string help_of(const std::string& option, const std::string& next) {
  const std::string all = std::regex_replace(run_cavity("fit --help").out, std::regex("\\s+"), " ");
  const std::size_t at = all.find(" " + option + " TEXT "), end = all.find(" " + next + " TEXT ", at);
  EXPECT_NE(end, std::string::npos) << option << " and " << next << " are not in " << all;
  return all.substr(at, end - at);
}

TEST(HelpCli, NoiseAndWidthNameTheDefaultsThatAreUsed) {
  const auto row = [](const FitOptions& options, Solver solver) { return make_grid(options, 1000, solver); };
  const Grid ep = row({}, Solver::ep), gamp = row({}, Solver::gamp);
  FitOptions step;
  step.activation = ActivationKind::step;
  const std::string noise = help_of("--noise", "--width"), width = help_of("--width", "--grid");
  for (const auto& values : {ep.noise.front(), gamp.noise.front()})
    EXPECT_NE(noise.find(fmt::format("{}", fmt::join(values, ","))), std::string::npos) << noise;
  std::vector<double> rising = row(step, Solver::ep).noise.front();
  std::reverse(rising.begin(), rising.end());
  EXPECT_NE(noise.find(fmt::format("--activation step {}", fmt::join(rising, ","))), std::string::npos) << noise;
  EXPECT_NE(width.find(fmt::format("{}", fmt::join(ep.width.front(), ","))), std::string::npos) << width;
}

/// Four classes of ten, told apart by two features of which one has a twin.
std::string four_classes() {
  Table table = separable_table(40, 12);
  for (std::size_t i = 0; i < table.rows.size(); ++i) table.rows[i][0] += table.rows[i][2][0] == '-' ? "_low" : "_high";
  table.add_column("twin", [](const auto& row) { return row[1]; });
  return table.csv();
}

TEST(FeaturesCli, EveryListKnowsItsClasses) {
  const TempDir folder;
  const std::string model = folder.path("m.cavity");
  expect_ok(run_cavity("fit " + folder.write("d.csv", four_classes()) + " --density 0.3 --noise 0.05 -q -o " + model),
            "fit");
  const Json all = run_json("features " + model)["features"], together = run_json("features --correlated " + model);
  std::map<std::string, Json> by_name;
  for (const Json& feature : all) by_name[feature["name"]] = feature;
  for (const Json& feature : together["features"]) {
    const std::string name = feature["name"], first = name.substr(0, name.find('|'));
    EXPECT_EQ(feature["class"], by_name.at(first)["class"]) << name;
  }
  std::set<std::string> classes;
  for (const Json& feature : together["features"]) classes.insert(feature["class"]);
  EXPECT_GT(classes.size(), 1U);
  for (const std::string one : {"ill_high", "well_low"}) {
    const Json list = run_json("features " + model + " --class " + one)["features"];
    EXPECT_EQ(list.size(), all.size());
    for (const Json& feature : list) EXPECT_EQ(feature["class"], one);
  }
}

TEST(FeaturesCli, SensitivityOfEveryClassIsThatOfItsProbabilities) {
  const TempDir folder;
  const Json fit = run_json("fit " + folder.write("d.csv", four_classes()) +
                            " --density 0.3 --noise 0.05 --value-transform none --loo");
  for (std::size_t k = 0; k < 4; ++k) {
    double called = 0, all = 0;
    for (std::size_t i = 0; i < fit["loo_truth"].size(); ++i) {
      if (fit["loo_truth"][i] != fit["classes"][k]["name"]) continue;
      all += 1;
      called += fit["loo_probability"][i][k].get<double>() >= 0.5 ? 1 : 0;
    }
    EXPECT_GT(called, 0) << k;
    EXPECT_NEAR(fit["questions"][k]["sensitivity"].get<double>(), called / all, 1e-12) << k;
  }
}

TEST(SimulateCli, JsonSaysWhatTheFileHolds) {
  const TempDir folder;
  const std::string file = folder.path("toy.csv");
  const Json made = run_json("simulate --samples 30 --features 50 --teacher 0.1 --classes ill,well -o " + file);
  EXPECT_EQ(made["relevant"], 5);
  EXPECT_EQ(made["classes"][0]["name"], "ill");
  const Json fit = run_json("fit " + file + one_cell);
  EXPECT_EQ(fit["classes"], made["classes"]);
  expect_refusal("simulate --samples 30 --features 50 --json", 2, {"--json", "give -o"});
}

}  // namespace
}  // namespace cavity::test
