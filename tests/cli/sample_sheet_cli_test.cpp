// A table in either orientation with a sample sheet in any order gives the numbers of the plain table.
#include <gtest/gtest.h>

#include "support/csv_tables.hpp"
#include "support/run_cavity.hpp"

namespace cavity::test {
namespace {

using Json = nlohmann::ordered_json;

/// The table lying on its side, samples called s1, s2, ..., without the label.
std::string turned(const Table& table) {
  std::string out = "gene";
  for (std::size_t i = 0; i < table.rows.size(); ++i) out += fmt::format("\ts{}", i + 1);
  for (std::size_t l = 1; l < table.header.size(); ++l) {
    out += "\n" + table.header[l];
    for (const auto& row : table.rows) out += "\t" + row[l];
  }
  return out + "\n";
}

/// Last sample first, with an age and a sex that say nothing.
std::string sheet_of(const Table& table) {
  std::string out = "patient\tstate\tage\tsex\n";
  for (std::size_t i = table.rows.size(); i-- > 0;)
    out += fmt::format("s{}\t{}\t{}\t{}\n", i + 1, table.rows[i][0], 40 + 7 * i % 31, i % 3 == 0 ? "f" : "m");
  return out;
}

class SheetCli : public testing::Test {
 protected:
  SheetCli() : table(separable_table(24, 60)) {
    plain = folder.write("plain.csv", table.csv());
    lying = folder.write("lying.tsv", turned(table));
    sheet = folder.write("sheet.tsv", sheet_of(table));
  }
  TempDir folder;
  Table table;
  std::string plain, lying, sheet;
};

Json answer(Json fit) {
  for (const char* other : {"notes", "resources", "loo_sample"}) fit.erase(other);
  return fit;
}

TEST_F(SheetCli, TheVeryNumbersOfThePlainTable) {
  const std::string options = " --density 0.1,0.3 --noise 0.05 --threads 1 --loo";
  const Json expected = run_json("fit " + plain + options);
  const Json fit = run_json("fit " + lying + " --samples " + sheet + " --label state" + options);
  EXPECT_EQ(answer(fit), answer(expected));
  EXPECT_NE(fit["notes"].dump().find("features in rows: 60 rows are features, 24 columns samples"), std::string::npos);
  const Json forced = run_json("fit " + lying + " --transpose --samples " + sheet + " --label state" + options);
  EXPECT_EQ(answer(forced), answer(expected));
}

TEST_F(SheetCli, PredictJoinsTheSameWayAndKeepsTheIds) {
  const std::string model = folder.path("m.cavity");
  expect_ok(run_cavity("fit " + lying + " --samples " + sheet + " --label state --covariates age,sex --density 0.1 " +
                       "--noise 0.05 -q -o " + model),
            "fit");
  const Json all = run_json("predict " + model + " " + lying + " --samples " + sheet)["samples"];
  ASSERT_EQ(all.size(), 24U);
  EXPECT_EQ(all[0]["sample"], "s1");
  EXPECT_EQ(all[0]["truth"], table.rows[0][0]);
  // Another first column: the model remembers which held the ids. One truth is unknown, one sample has no line.
  const std::string later = folder.write("later.csv", "n,patient,age,sex,state\n1,s3,40,f,?\n2,s1,50,m,ill\n");
  const Outcome some = run_cavity("predict " + model + " " + lying + " --samples " + later);
  expect_ok(some, "predict");
  EXPECT_NE(some.out.find("sample,probability,label,truth\ns1,"), std::string::npos) << some.out;
  EXPECT_NE(some.out.find("\ns3,"), std::string::npos);
  EXPECT_NE(some.err.find("sample sheet: 2 samples found by 'patient'"), std::string::npos) << some.err;
  EXPECT_NE(some.err.find("not in the sample sheet: 's2', 's4'"), std::string::npos) << some.err;
  EXPECT_EQ(run_cavity("predict -q " + model + " " + lying + " --samples " + later).err, "");
  EXPECT_NE(some.err.find("of 1 samples whose label is known"), std::string::npos) << some.err;
  expect_refusal("predict " + model + " " + lying, 3, {"no covariate row 'age'", "--samples"});
}

TEST_F(SheetCli, WhatToTryIsSaid) {
  expect_refusal("fit " + lying, 2, {"60 features in rows, 24 samples in columns", "--samples sheet.tsv", "--label"});
  expect_refusal("fit " + lying + " --samples " + sheet, 2, {"'state' ('ill', 'well'), 'sex' ('f', 'm')"});
  expect_refusal("fit " + lying + " --transpose --no-transpose", 2, {"excludes"});
}

}  // namespace
}  // namespace cavity::test
