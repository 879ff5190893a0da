// What people quote: in the summary, in the JSON, sample by sample in a file, and for a population of other shares.
#include <gtest/gtest.h>

#include "support/csv_tables.hpp"
#include "support/run_cavity.hpp"

namespace cavity::test {
namespace {

using Json = nlohmann::ordered_json;
const std::string one_cell = " --density 0.1 --noise 0.05 ";

TEST(QuotedCli, SummaryAndJsonHaveThem) {
  const TempDir folder;
  const std::string data = folder.write("d.csv", separable_table(40, 20).csv());
  const Outcome text = run_cavity("fit " + data + one_cell);
  for (const char* part :
       {"95 % interval of the error", "sensitivity", "specificity", "balanced accuracy", "AUC", "Brier"})
    EXPECT_NE(text.out.find(part), std::string::npos) << part << " is not in\n" << text.out;
  const Json fit = run_json("fit " + data + one_cell);
  const auto& c = fit["confusion"];
  EXPECT_EQ(fit["classes"][1]["name"], "well");
  EXPECT_EQ(c[1][0].get<int>() + c[1][1].get<int>(), fit["classes"][1]["count"].get<int>());
  EXPECT_LE(fit["loo_error_interval"][0], fit["loo_error"]);
  EXPECT_GE(fit["loo_error_interval"][1], fit["loo_error"]);
  EXPECT_LE(question(fit)["auc_interval"][0], question(fit)["auc"]);
  EXPECT_NEAR(fit["balanced_accuracy"].get<double>(),
              0.5 * (question(fit)["sensitivity"].get<double>() + question(fit)["specificity"].get<double>()), 1e-12);
}

TEST(QuotedCli, NoErrorIsNotCertainty) {
  const TempDir folder;
  Table table = separable_table(40, 3);
  for (auto& row : table.rows) row[1] = row[0] == "ill" ? "5" : "-5";
  const Outcome text = run_cavity("fit " + folder.write("d.csv", table.csv()) + " --density 0.5 --noise 0.05");
  EXPECT_NE(text.out.find("leave-one-out error 0.0 %, at most "), std::string::npos) << text.out;
  EXPECT_EQ(text.out.find("+- 0.0 %"), std::string::npos);
}

TEST(QuotedCli, LooWritesAFileOrAddsToTheJson) {
  const TempDir folder;
  const std::string data = folder.write("d.csv", separable_table(20, 10).csv()), out = folder.path("loo.csv");
  expect_ok(run_cavity("fit " + data + one_cell + "-q --loo " + out), "fit");
  const std::string csv = read_file(out);
  EXPECT_TRUE(csv.starts_with("sample,truth,probability,label,reliable\n1,")) << csv;
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 21);
  const Json fit = run_json("fit --loo " + data + one_cell);
  EXPECT_EQ(fit["loo_sample"].size(), 20U);
  EXPECT_EQ(fit["loo_truth"].size(), 20U);
  expect_refusal("fit " + data + " --loo", 2, {"--loo FILE", "--json"});
  expect_refusal("fit", 2, {"Name the data"});
}

TEST(QuotedCli, APriorMovesProbabilitiesAndFigures) {
  const TempDir folder;
  const std::string data = folder.write("d.csv", separable_table(60, 10).csv()), model = folder.path("m.cavity");
  const std::string options = one_cell + "--loo ";
  const Json plain = run_json("fit " + data + options),
             rare = run_json("fit " + data + options + "--class-prior 0.1 -o " + model);
  EXPECT_DOUBLE_EQ(rare["class_prior"][1].get<double>(), 0.1);
  EXPECT_DOUBLE_EQ(rare["baseline_error"].get<double>(), 0.1);
  EXPECT_NEAR(question(rare)["auc"].get<double>(), question(plain)["auc"].get<double>(), 1e-12);
  EXPECT_LE(question(rare)["sensitivity"], question(plain)["sensitivity"]);
  const double share = plain["classes"][1]["count"].get<double>() / 60, factor = 0.1 / 0.9 * (1 - share) / share;
  for (std::size_t i = 0; i < 60; ++i) {
    const double p = plain["loo_probability"][i][1], q = rare["loo_probability"][i][1];
    EXPECT_NEAR(q / (1 - q), factor * p / (1 - p), 1e-9 * (1 + q / (1 - q)));
  }
  // The error is that of a population in which one in ten is positive.
  const double missed = 1 - question(rare)["sensitivity"].get<double>(),
               alarmed = 1 - question(rare)["specificity"].get<double>();
  EXPECT_NEAR(rare["loo_error"].get<double>(), 0.1 * missed + 0.9 * alarmed, 1e-12);
  const std::string unshifted = folder.path("u.cavity");
  expect_ok(run_cavity("fit " + data + one_cell + "-q -o " + unshifted), "fit");
  const Json shifted = run_json("predict " + model + " " + data)["samples"],
             as_is = run_json("predict " + unshifted + " " + data)["samples"];
  const double p = as_is[0]["probabilities"][1], q = shifted[0]["probabilities"][1];
  EXPECT_NEAR(q / (1 - q), factor * p / (1 - p), 1e-9 * (1 + q / (1 - q)));
  expect_refusal("fit " + data + " --class-prior 1.5", 2, {"--class-prior 1.5", "between 0 and 1"});
  expect_refusal("fit " + data + " --method sbl --class-prior 0.5", 2, {"--class-prior"});
}

}  // namespace
}  // namespace cavity::test
