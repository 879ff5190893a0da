// `cavity stability` through the binary: what it prints and writes, and what it refuses; `fit --group` in words.
#include <gtest/gtest.h>

#include "support/csv_tables.hpp"
#include "support/run_cavity.hpp"

namespace cavity::test {
namespace {

class StabilityCli : public testing::Test {
 protected:
  TempDir folder;
  const std::string data = folder.write("d.csv", separable_table(60, 40).csv());
  const std::string cell = " --density 0.1 --noise 0.05 ";
};

TEST_F(StabilityCli, PrintsShareBesideInclusion) {
  const auto out = run_json("stability " + data + cell + "--pairs 5 --selected 3 -o " + folder.path("s.csv"));
  EXPECT_EQ(out["halves"], 10);
  EXPECT_NEAR(out["mean_selected"].get<double>(), 3, 1e-9);
  EXPECT_NEAR(out["most_expected_false"].get<double>(), 9 / (40 * 0.2), 1e-9);
  const auto& first = out["top_features"][0];
  EXPECT_EQ(first["name"], out["stable"][0]);
  EXPECT_EQ(first["share"], 1.0);
  const std::string csv = read_file(folder.path("s.csv"));
  EXPECT_TRUE(csv.starts_with("feature,inclusion,mean,sd,share\n" + first["name"].get<std::string>() + ","));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 41);
}

TEST_F(StabilityCli, SaysWhatTheBoundAssumes) {
  const Outcome outcome = run_cavity("stability " + data + cell + "--pairs 3 --threshold 0.9");
  expect_ok(outcome, "stability");
  for (const char* part :
       {"6 halves in complementary pairs", "at 90 % of the halves", "no more often than a feature drawn"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << outcome.out;
}

TEST_F(StabilityCli, TheAverageNeedsNoHalves) {
  const auto out = run_json("stability " + data + cell + "--solver gamp --analytic --fdr 0.2");
  EXPECT_EQ(out["halves"], 0);
  EXPECT_GT(out["mean_selected"].get<double>(), 0.5);
}

TEST_F(StabilityCli, RefusesWhatItCannotDo) {
  expect_refusal("stability " + data + cell + "--threshold 0.4", 2, {"--threshold"});
  expect_refusal("stability " + data + cell + "--fdr 3", 2, {"--fdr"});
  expect_refusal("stability " + data + cell + "--analytic", 2, {"--analytic", "--solver gamp"});
  expect_refusal("stability " + data + cell + "--whiten", 2, {"--whiten"});
  expect_refusal("stability " + data + " --method fda", 2, {"--method sbc"});
}

TEST_F(StabilityCli, FitSaysThatGroupsAreLeftOut) {
  Table table = separable_table(60, 40);
  std::size_t row = 0;
  table.add_column("patient", [&](const auto&) { return "p" + std::to_string(row++ / 2); });
  const std::string grouped = folder.write("g.csv", table.csv());
  const Outcome outcome =
      run_cavity("fit " + grouped + cell + "--group patient --check-loo 4 --loo " + folder.path("l.csv"));
  expect_ok(outcome, "fit");
  for (const char* part : {"groups: 30 of 60 samples, the largest of 2 samples", "leave-one-group-out error",
                           "checked by 4 refits without a group (8 samples)"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << outcome.out;
  EXPECT_TRUE(read_file(folder.path("l.csv")).starts_with("sample,truth,probability,label,reliable,group\n"));
  expect_refusal("fit " + grouped + cell + "--group patient --solver amp", 2, {"--group", "--solver ep"});
  expect_refusal("fit " + grouped + cell + "--group whom", 2, {"whom"});
}

}  // namespace
}  // namespace cavity::test
