// Another cohort at the command line: absent features, and a validation.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/csv_tables.hpp"
#include "support/run_cavity.hpp"

namespace cavity::test {
namespace {

using Json = nlohmann::ordered_json;

class AnotherCohortCli : public testing::Test {
 protected:
  /// g1 decides; g2 to g20 say the same, each with some noise of its own.
  static Table cohort(std::size_t samples, std::uint64_t seed) {
    Table table = separable_table(samples, 40, seed);
    Random random(seed, 3);
    for (auto& row : table.rows)
      for (std::size_t l = 2; l <= 20; ++l) row[l] = fmt::format("{:.4f}", std::stod(row[1]) + 0.3 * random.normal());
    return table;
  }
  static void drop(Table& table, std::size_t column) {
    table.header.erase(table.header.begin() + static_cast<std::ptrdiff_t>(column));
    for (auto& row : table.rows) row.erase(row.begin() + static_cast<std::ptrdiff_t>(column));
  }

  void SetUp() override {
    model = folder.path("m.cavity");
    expect_ok(run_cavity("fit " + folder.write("known.csv", cohort(60, 1).csv()) +
                         " --density 0.5,0.2 --noise 0.05 --transform none -q -o " + model),
              "fit");
  }

  TempDir folder;
  std::string model;
};

TEST_F(AnotherCohortCli, AbsentFeaturesAreToldAndSaid) {
  Table fresh = cohort(40, 2);
  const std::string whole = folder.write("whole.csv", fresh.csv());
  drop(fresh, 1);
  const std::string part = folder.write("part.csv", fresh.csv());
  const Outcome told = run_cavity("predict " + model + " " + part);
  expect_ok(told, "predict");
  EXPECT_NE(told.err.find("1 of the model's 40 features have no column ('g1')"), std::string::npos) << told.err;
  const Json all = run_json("predict " + model + " " + whole), made = run_json("predict " + model + " " + part);
  EXPECT_EQ(all["measured"]["explained"], 1.0);
  EXPECT_EQ(made["measured"]["absent"], Json::array({"g1"}));
  EXPECT_GT(made["measured"]["explained"].get<double>(), 0.8);
  EXPECT_LT(made["measured"]["explained"].get<double>(), 1.0);
  EXPECT_EQ(made["samples"][3]["explained"], made["measured"]["explained"]);
  expect_refusal("predict " + model + " " + part + " --least-explained 1", 3, {"--least-explained sets the limit"});
}

TEST_F(AnotherCohortCli, NamesAreMatchedWhenAsked) {
  Table fresh = cohort(10, 2);
  for (std::size_t l = 1; l < fresh.header.size(); ++l) fresh.header[l] = "G" + fresh.header[l].substr(1) + ".7";
  const std::string file = folder.write("fresh.csv", fresh.csv());
  expect_refusal("predict " + model + " " + file, 3, {"no column is a feature of the model", "--match"});
  const Outcome matched = run_cavity("predict " + model + " " + file + " --match");
  expect_ok(matched, "predict --match");
  EXPECT_NE(matched.err.find("40 features found by --match"), std::string::npos) << matched.err;
  EXPECT_EQ(matched.out, run_cavity("predict " + model + " " + folder.write("same.csv", cohort(10, 2).csv())).out);
}

TEST_F(AnotherCohortCli, SetsOfLabelsStandBesideTheLabel) {
  const std::string file = folder.write("fresh.csv", cohort(30, 2).csv());
  const Outcome csv = run_cavity("predict " + model + " " + file + " --confidence 0.9");
  expect_ok(csv, "predict --confidence");
  EXPECT_EQ(csv.out.substr(0, csv.out.find('\n')), "sample,probability,label,set,truth");
  EXPECT_NE(csv.err.find("sets of labels at 90 %: one label in "), std::string::npos) << csv.err;
  const Json made = run_json("predict " + model + " " + file + " --confidence 0.9");
  EXPECT_EQ(made["confidence"], 0.9);
  for (const Json& row : made["samples"]) {
    Json set = Json::array();
    for (std::size_t k = 0; k < 2; ++k)
      if (row["conformity"][k].get<double>() > 1 - 0.9) set.push_back(made["classes"][k]);
    EXPECT_EQ(row["set"], set);
  }
  expect_refusal("predict " + model + " " + file + " --confidence 1.5", 2, {"--confidence", "1.5"});
  expect_refusal("predict " + model + " " + file + " --confidence 0.99", 2, {"60 training samples", "0.983"});
}

TEST_F(AnotherCohortCli, SetsOfLabelsAreRefusedWhereTheyWouldNotHold) {
  Table fresh = cohort(20, 2), known = cohort(60, 1);
  const std::string whole = folder.write("whole.csv", fresh.csv()), other = folder.path("other.cavity");
  expect_ok(run_cavity("adapt " + model + " --class-prior 0.1 -o " + other), "adapt");
  expect_refusal("predict " + other + " " + whole + " --confidence 0.9", 2, {"adapted to another site"});
  drop(fresh, 1);
  expect_refusal("predict " + model + " " + folder.write("part.csv", fresh.csv()) + " --confidence 0.9", 3,
                 {"1 of the model's 40 features"});
  known.add_column("patient", [n = 0](const auto&) mutable { return std::to_string(n++ / 2); });
  expect_ok(run_cavity("fit " + folder.write("groups.csv", known.csv()) +
                       " --group patient --density 0.5 --noise 0.05 --transform none -q -o " + other),
            "fit --group");
  expect_refusal("predict " + other + " " + whole + " --confidence 0.9", 2, {"30 groups"});
}

TEST_F(AnotherCohortCli, ValidateSaysWhatWasPromisedAndWhatCame) {
  Table fresh = cohort(60, 2);
  fresh.add_column("site", [n = 0](const auto&) mutable { return n++ % 2 == 0 ? "north" : "south"; });
  const std::string file = folder.write("fresh.csv", fresh.csv());
  const Outcome text = run_cavity("validate " + model + " " + file + " --by site --threshold 0.2,0.8");
  expect_ok(text, "validate");
  for (const char* part : {"60 samples with a label", "promised", "error", "log loss", "sensitivity", "slope",
                           "net benefit", "north", "south", "outside the span"})
    EXPECT_NE(text.out.find(part), std::string::npos) << part << " is not in\n" << text.out;
  const Json made = run_json("validate " + model + " " + file + " --by site");
  EXPECT_EQ(made["came"]["samples"], 60);
  ASSERT_EQ(made["by"].size(), 2U);
  EXPECT_EQ(made["by"][0]["samples"], 30);
  EXPECT_TRUE(made["promised"]["error"].is_number());
  EXPECT_EQ(made["questions"][0]["decision_curve"].size(), 19U);
  EXPECT_EQ(made["drift"]["sample_outside"].size(), 60U);
}

TEST_F(AnotherCohortCli, ValidateWritesAPageAndNamesWhatDiffers) {
  Table fresh = cohort(60, 2);
  drop(fresh, 3);
  for (auto& row : fresh.rows) row[9] = std::to_string(std::stod(row[9]) + 50);
  const std::string file = folder.write("fresh.csv", fresh.csv()), page = folder.path("page.html");
  const Outcome text = run_cavity("validate " + model + " " + file + " --report " + page);
  if (text.err.find("no report page") != std::string::npos) GTEST_SKIP() << text.err;
  expect_ok(text, "validate --report");
  EXPECT_NE(text.out.find("warning: absent-features: 1 of the model's 40 features"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("warning: features-moved: "), std::string::npos) << text.out;
  const std::string written = read_file(page);
  EXPECT_NE(written.find("\"kind\":\"validate\""), std::string::npos);
  EXPECT_NE(written.find("features-moved"), std::string::npos);
  expect_refusal("validate " + model + " " + file + " --report " + model, 2, {"would replace the model"});
}

TEST_F(AnotherCohortCli, TheSheetAndTheCardAreMarkdown) {
  const Outcome sheet = run_cavity("report --tripod " + model), card = run_cavity("report " + model);
  expect_ok(sheet, "report --tripod");
  expect_ok(card, "report");
  EXPECT_EQ(sheet.out.substr(0, 11), "# TRIPOD+AI");
  EXPECT_NE(card.out.find("## Performance"), std::string::npos) << card.out;
  expect_refusal("report " + folder.path("none.cavity"), 5, {"none.cavity"});
}

TEST_F(AnotherCohortCli, ValidateNeedsLabelsAndThresholds) {
  Table fresh = cohort(10, 2);
  expect_refusal("validate " + model + " " + folder.write("f.csv", fresh.csv()) + " --threshold 1.5", 2, {"1.5"});
  drop(fresh, 0);
  expect_refusal("validate " + model + " " + folder.write("g.csv", fresh.csv()), 3, {"no sample has a label"});
}

TEST_F(AnotherCohortCli, AdaptWritesAModelThatRemembersIt) {
  const std::string site = folder.write("site.csv", cohort(30, 2).csv()), other = folder.path("other.cavity");
  const Outcome text = run_cavity("adapt " + model + " " + site + " --slope -o " + other);
  expect_ok(text, "adapt");
  for (const char* part : {"log odds", "slope", "30 samples", "nothing has changed"})
    EXPECT_NE(text.out.find(part), std::string::npos) << part << " is not in\n" << text.out;
  expect_ok(run_cavity("predict " + other + " " + site), "predict");
  const Json made = run_json("adapt " + model + " --class-prior 0.1 -o " + other);
  EXPECT_EQ(made["samples"], 0);
  EXPECT_EQ(made["class_prior"], Json::array({0.9, 0.1}));
  expect_refusal("adapt " + model + " -o " + other, 2, {"--class-prior"});
  expect_refusal("adapt " + model + " " + site + " --class-prior 0.1 -o " + other, 2, {"one of them"});
  expect_refusal("adapt " + model + " " + site + " -o " + model, 2, {"model"});
}

}  // namespace
}  // namespace cavity::test
