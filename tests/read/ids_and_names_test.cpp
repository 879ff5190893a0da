// Ids are not genes; names that come twice, and names that do not match.
#include <gtest/gtest.h>

#include <algorithm>

#include "cavity/errors.hpp"
#include "support/errors.hpp"
#include "support/one_table.hpp"

namespace cavity {
namespace {

using test::expect_error;
using test::noted;
using Names = std::vector<std::string>;

class IdsAndNames : public testing::Test {
 protected:
  Dataset read(const std::string& text, const ReadOptions& options = {}) {
    return read_dataset(dir_.write("t.csv", text), options);
  }
  /// Sixteen samples of noise in order of class, and a column `name` that is value(i).
  template <class Value>
  static std::string noise(const std::string& name, const Value& value) {
    Random random(5);
    std::string out = name + ",label,g1,g2\n";
    for (int i = 0; i < 16; ++i)
      out += fmt::format("{},{},{},{}\n", value(i), i < 8 ? "n" : "t", random.normal(), random.normal());
    return out;
  }
  test::TempDir dir_;
};

TEST_F(IdsAndNames, DifferentTextIsAnId) {
  const Dataset d = read("who,label,email,born,a\np1,t,x,1990-01-31,1\np2,n,y,1990-01-31,2\np3,t,z,1991-02-01,5\n");
  EXPECT_EQ(d.sample_names, (Names{"p1", "p2", "p3"}));
  EXPECT_EQ(d.id_name, "who");
  EXPECT_EQ(d.feature_names, (Names{"a"}));
  EXPECT_TRUE(noted(d, "left out, a different text in every row: 'email'"));
  EXPECT_TRUE(noted(d, "left out, dates: 'born'"));
}

TEST_F(IdsAndNames, NumbersOfSamplesAreLeftOut) {
  const auto expect_left_out = [&](const std::string& text, const std::string& why) {
    const Dataset d = read(text);
    EXPECT_EQ(d.feature_names, (Names{"g1", "g2"})) << text;
    EXPECT_EQ(d.features.cols(), 2U);
    EXPECT_TRUE(noted(d, why));
  };
  expect_left_out(noise("x", [](int i) { return i + 1; }), "'x' counts the samples one by one");
  expect_left_out(noise("x", [](int i) { return 300 - i; }), "'x' counts the samples one by one");
  expect_left_out(noise("Patient_ID", [](int i) { return (i * 7) % 16 + 100; }), "'Patient_ID' is called like an id");
  expect_left_out(noise("x", [](int i) { return 1000 + 3 * i + i * i; }), "'x' is sorted as the classes are");
  expect_left_out(noise("x", [](int i) { return 1000 + i / 2; }), "'x' is sorted as the classes are");
}

TEST_F(IdsAndNames, MeasurementsStay) {
  for (const auto& text :
       {noise("age", [](int i) { return 40 + (i * 5) % 11; }), noise("ID1", [](int i) { return (i * 7) % 16; }),
        noise("x", [](int i) { return i + 0.5; }), noise("id", [](int i) { return i % 2; })})
    EXPECT_EQ(read(text).features.cols(), 3U) << text;
  const std::string counted = noise("x", [](int i) { return i + 1; });
  EXPECT_EQ(read(counted, {.keep = {"x"}}).features.cols(), 3U);
  EXPECT_EQ(read(counted, {.drop = {"g1"}, .keep = {"x"}}).feature_names, (Names{"x", "g2"}));
  expect_error<UsageError>([&] { read(counted, {.drop = {"g3"}}); }, {"no dropped column 'g3'", "did you mean"});
}

TEST_F(IdsAndNames, RowsAreLeftOutAlike) {
  std::string text = "gene";
  for (int i = 0; i < 12; ++i) text += "\ts" + std::to_string(i);
  text += "\nlabel";
  for (int i = 0; i < 12; ++i) text += i < 6 ? "\tn" : "\tt";
  for (const std::string row : {"patient", "a", "b"}) {
    text += "\n" + row;
    for (int i = 0; i < 12; ++i)
      text += "\t" + std::to_string(row == "patient" ? 17 + i : (i * 5 + (row == "a" ? 1 : 2)) % 7);
  }
  EXPECT_EQ(read(text + "\n").feature_names, (Names{"a", "b"}));
  EXPECT_EQ(read(text + "\n", {.drop = {"a"}}).feature_names, (Names{"b"}));
}

TEST_F(IdsAndNames, DuplicatesAreCountedAndJoined) {
  const std::string columns = "label,a,b,a,b,a\nt,1,2,3,NA,8\nn,4,5,NA,7,NA\n";
  expect_error<InputError>([&] { read(columns); }, {"columns 2 and 4", "'a'", "3 names in all", "`duplicates=mean`"});
  const auto values = [&](const std::string& text, Duplicates how) {
    return read(text, {.duplicates = how}).features.dense().values;
  };
  EXPECT_EQ(values(columns, Duplicates::mean), (std::vector<float>{4, 2, 4, 6}));
  EXPECT_EQ(values(columns, Duplicates::sum), (std::vector<float>{12, 2, 4, 12}));
  EXPECT_EQ(values(columns, Duplicates::first), (std::vector<float>{1, 2, 4, 5}));
  EXPECT_EQ(read(columns, {.duplicates = Duplicates::suffix}).feature_names, (Names{"a", "b", "a.1", "b.1", "a.2"}));
  const std::string rows = "gene\ts1\ts2\nlabel\tt\tn\na\t1\t4\nb\t2\t5\na\t3\tNA\nb\tNA\t7\na\t8\tNA\n";
  const auto rows_of = [&](Duplicates how) {
    return read(rows, {.orientation = Orientation::features_in_rows, .duplicates = how});
  };
  expect_error<InputError>([&] { rows_of(Duplicates::refuse); }, {"lines 3 and 5", "'a'", "3 names in all"});
  EXPECT_EQ(rows_of(Duplicates::mean).features.dense().values, (std::vector<float>{4, 2, 4, 6}));
  EXPECT_EQ(rows_of(Duplicates::suffix).feature_names, (Names{"a", "b", "a.1", "b.1", "a.2"}));
  expect_error<InputError>([&] { read("label,a,label\nt,1,2\nn,3,4\n", {.duplicates = Duplicates::mean}); },
                           {"same name"});
}

TEST_F(IdsAndNames, WhatStudiesAskIsTheLabelWhereNothingElseIsText) {
  EXPECT_EQ(read("a,Diagnosis,b\n1,t,3\n2,n,4\n5,t,7\n").label_name, "Diagnosis");
  expect_error<UsageError>([&] { read("a,diagnosis,sex\n1,t,m\n2,n,f\n5,t,m\n"); }, {"which column is the label?"});
  expect_error<UsageError>([&] { read("a,status,b\n1,0,3\n2,1,4\n5,1,7\n"); }, {"which column is the label?"});
  const std::string sheet = dir_.write("s.csv", "id,age,outcome\np1,40,t\np2,50,n\np3,60,t\n");
  EXPECT_EQ(read("id,a\np1,1\np2,4\np3,3\n", {.sample_sheet = sheet}).label_name, "outcome");
}

TEST_F(IdsAndNames, IdsThatDoNotMatchAreShownWithWhatWould) {
  const auto refuse = [&](const std::string& table, const std::string& sheet,
                          std::initializer_list<std::string> parts) {
    expect_error<InputError>([&] { read(table, {.label = "state", .sample_sheet = dir_.write("s.tsv", sheet)}); },
                             parts);
  };
  const std::string sheet = "id\tstate\np1\tt\np2\tn\np3\tt\n";
  const auto table = [](const std::string& a, const std::string& b, const std::string& c) {
    std::string out = "gene\t" + a + "\t" + b + "\t" + c + "\n";
    for (int j = 0; j < 9; ++j) out += fmt::format("g{}\t{}.5\t{}\t2\n", j, j, (j * 3) % 5);
    return out;
  };
  refuse(table("P1", "P2", "P3"), sheet, {"'p1', 'p2', 'p3'", "'P1', 'P2', 'P3'", "3 ids would match", "case"});
  refuse(table("/data/p1.bam", "/data/p2.bam", "q"), sheet, {"'/data/p1.bam'", "2 ids would match", ".bam"});
  refuse(table("X1.a", "X2.a", "X3.a"), "id\tstate\n1-a\tt\n2-a\tn\n3-a\tt\n", {"3 ids would match", "X in front"});
  refuse(table("k1", "k2", "k3"), "id\tother\tstate\np1\tk1\tt\np2\tk2\tn\np3\tk3\tt\n",
         {"column 'other'", "`id=other`"});
  refuse(table("k1", "k2", "k3"), sheet, {"name the column of ids"});
}

}  // namespace
}  // namespace cavity
