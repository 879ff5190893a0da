// A table and a sample sheet: joined by id in any order, both orientations, and whoever is missing is named.
#include <gtest/gtest.h>

#include <algorithm>

#include "cavity/errors.hpp"
#include "cavity/read.hpp"
#include "support/errors.hpp"
#include "support/temp_files.hpp"

namespace cavity {
namespace {

using test::expect_error;
using Names = std::vector<std::string>;
using Labels = std::vector<std::uint32_t>;

class JoinSamples : public testing::Test {
 protected:
  Dataset read(const std::string& table, const std::string& lines, ReadOptions options) {
    options.sample_sheet = dir_.write("sheet.tsv", lines);
    return read_dataset(dir_.write("t.csv", table), options);
  }
  template <class E>
  void refuse(const std::string& table, const std::string& lines, std::initializer_list<std::string> parts,
              const ReadOptions& options) {
    expect_error<E>([&] { read(table, lines, options); }, parts);
  }
  static bool noted(const Dataset& dataset, const std::string& part) {
    return std::any_of(dataset.notes.begin(), dataset.notes.end(),
                       [&](const std::string& note) { return note.find(part) != std::string::npos; });
  }
  const std::string in_rows = "who,g1,g2\np1,1,4\np2,2,5\np3,3,6\n", in_columns = "gene,p1,p2,p3\ng1,1,2,3\ng2,4,5,6\n",
                    sheet = "id\tage\tstate\tpatient\np3\t30\tt\tA\np1\t50\tt\tB\np2\t40\tn\tA\n";
  const ReadOptions wanted{.label = "state", .group = "patient", .covariates = {"age"}};
  test::TempDir dir_;
};

TEST_F(JoinSamples, GroupsOfATableWithoutColumnsNeedASheet) {
  const std::string table = dir_.write("t.svm", "1 1:0.5\n-1 2:0.5\n1 1:0.2\n");
  expect_error<UsageError>([&] { read_dataset(table, {.group = "patient"}); }, {"no column 'patient'", "`samples`"});
  const ReadOptions with_sheet{.group = "patient",
                               .sample_sheet = dir_.write("s.csv", "id,patient,label\n1,A,t\n2,,n\n3,A,t\n")};
  EXPECT_EQ(read_dataset(table, with_sheet).groups, (Names{"A", "", "A"}));
}

TEST_F(JoinSamples, BothOrientationsGiveTheSame) {
  for (const std::string& table : {in_rows, in_columns, std::string("\"\",g1,g2\np1,1,4\np2,2,5\np3,3,6\n")}) {
    const Dataset d = read(table, sheet, wanted);
    EXPECT_EQ(d.sample_names, (Names{"p1", "p2", "p3"})) << table;
    EXPECT_EQ(d.classes, (Labels{1, 0, 1}));
    EXPECT_EQ(d.groups, (Names{"B", "A", "A"}));
    EXPECT_EQ(d.covariates.at(0).values, (Names{"50", "40", "30"}));
    EXPECT_EQ(d.features.dense().values, (std::vector<float>{1, 4, 2, 5, 3, 6}));
    EXPECT_EQ(d.feature_names, (Names{"g1", "g2"}));
    EXPECT_EQ(d.label_name, "state");
    EXPECT_EQ(d.id_name, "id");
    EXPECT_TRUE(noted(d, "3 samples found by 'id'"));
  }
}

TEST_F(JoinSamples, WhoIsMissingIsSaid) {
  const std::string other = "id,state\np3,t\np9,n\np1,n\np2,\n";
  for (const std::string& table : {in_rows, in_columns}) {
    const Dataset d = read(table, other, {.label = "state"});
    EXPECT_EQ(d.sample_names, (Names{"p1", "p3"})) << table;
    EXPECT_EQ(d.features.dense().values, (std::vector<float>{1, 4, 3, 6}));
    EXPECT_TRUE(noted(d, "1 line of the sample sheet not in the table: 'p9'"));
    EXPECT_TRUE(noted(d, "1 sample left out, their label is missing: 'p2'"));
  }
  EXPECT_TRUE(noted(read(in_rows, "id,state\np3,t\np1,n\n", {.label = "state"}),
                    "1 sample of the table left out, not in the sample sheet: 'p2'"));
  EXPECT_TRUE(noted(read(in_columns, "id,state\np3,t\np1,n\n", {.label = "state"}),
                    "columns left out, not in the sample sheet: 'p2'"));
  refuse<InputError>(in_rows, "id,state\nq1,t\nq2,n\n", {"the sheet has 'q1', 'q2'"}, {.label = "state"});
}

TEST_F(JoinSamples, SparseTablesAreJoinedToo) {
  const Dataset d = read("1 1:2\n-1 2:3\n1 1:1 2:1\n", "id,state\na,t\nb,\nc,n\n", {.label = "state", .compact = true});
  EXPECT_EQ(d.sample_names, (Names{"a", "c"}));
  EXPECT_EQ(d.classes, (Labels{1, 0}));
  Dataset copy = d;
  copy.features.make_dense();
  EXPECT_EQ(copy.features.dense().values, (std::vector<float>{2, 0, 1, 1}));
}

TEST_F(JoinSamples, PositionCountsOnlyWhereThereAreNoIds) {
  const Dataset d = read("g1,g2\n1,4\n2,5\n", "id,state\nb,t\na,n\n", {.label = "state"});
  EXPECT_EQ(d.sample_names, (Names{"b", "a"}));
  EXPECT_EQ(d.classes, (Labels{1, 0}));
  EXPECT_TRUE(noted(d, "the table has no ids"));
  refuse<InputError>("g1,g2\n1,4\n2,5\n", "id,state\nb,t\na,n\nc,n\n", {"3 lines for 2 samples", "no ids"},
                     {.label = "state"});
}

TEST_F(JoinSamples, TheIdColumnCanBeNamed) {
  const std::string other = "state,id,who\nt,x,p3\nn,y,p1\nt,z,p2\n";
  const Dataset d = read(in_rows, other, {.label = "state", .sample_id = "who"});
  EXPECT_EQ(d.classes, (Labels{0, 1, 1}));
  ReadOptions later{.label = "state", .labels_required = false, .remembered_id = "who"};
  later.expected_classes = {"n", "t"};
  later.expected_features = {"g1", "g2"};
  const Dataset fresh = read(in_rows, "state,id,who\nt,x,p3\nq,y,p1\n,z,p2\n", later);
  EXPECT_EQ(fresh.sample_names, (Names{"p1", "p2", "p3"}));
  EXPECT_EQ(fresh.classes, (Labels{2, 2, 1}));
  refuse<UsageError>(in_rows, other, {"no id column 'whom'", "did you mean 'who'"},
                     {.label = "state", .sample_id = "whom"});
}

TEST_F(JoinSamples, WhatTheTableHasTooIsTakenFromTheSheet) {
  const Dataset d = read("who,state,age,g1\np1,n,1,7\np2,n,2,8\n", "who,state,age\np2,n,60\np1,t,50\n",
                         {.label = "state", .covariates = {"age"}});
  EXPECT_EQ(d.feature_names, (Names{"g1"}));
  EXPECT_EQ(d.classes, (Labels{1, 0}));
  EXPECT_TRUE(noted(d, "the sample sheet has it: 'state', 'age'"));
}

TEST_F(JoinSamples, TheLabelMayStandInTheTable) {
  const std::string ages = "id,age\np3,30\np1,50\np2,40\n";
  for (const std::string table : {"who,label,g1\np1,t,7\np2,n,8\np3,n,9\n", "gene,p1,p2,p3\nlabel,t,n,n\ng1,7,8,9\n"})
    for (const std::string label : {"", "label"}) {
      const Dataset d = read(table, ages, {.label = label, .covariates = {"age"}});
      EXPECT_EQ(d.classes, (Labels{1, 0, 0})) << table;
      EXPECT_EQ(d.covariates.at(0).values, (Names{"50", "40", "30"}));
      EXPECT_EQ(d.feature_names, (Names{"g1"}));
    }
  // Text in front of the ids is not taken for the label without being called so.
  refuse<InputError>("batch,id,g1\nx,p1,7\ny,p2,8\nx,p3,9\n", ages, {"(batch): 'x' is not a number"}, {});
  refuse<UsageError>("1 1:2\n-1 2:3\n1 1:1 2:1\n", ages, {"no label column 'state', neither here nor in the table"},
                     {.label = "state"});
  refuse<UsageError>(in_rows, ages, {"no label column '7'"}, {.label = "7"});
}

TEST_F(JoinSamples, WhatIsWrongWithASheetIsNamed) {
  const ReadOptions state{.label = "state"};
  refuse<InputError>(in_rows, "id,state\np1,t\np2,n\np1,n\n", {"lines 2 and 4 have the same id, 'p1'"}, state);
  refuse<InputError>(in_rows, "id,state\np1,t\n,n\n", {"line 3: the sample has no id"}, state);
  refuse<InputError>(in_rows, "id,state\np1,t\np2,n,5\n", {"line 3: 3 fields where the header has 2"}, state);
  refuse<InputError>(in_rows, "id,state\n", {"a header and a line a sample"}, state);
  refuse<InputError>("who,g1\np1,1\np1,2\n", "id,state\np1,t\np2,n\n", {"'p1' comes twice in the table"}, state);
  refuse<InputError>(in_rows, sheet, {"3 classes"}, {.label = "age"});
  refuse<UsageError>(in_rows, sheet, {"which column is the label?", "'state' ('n', 't'), 'patient' ('A', 'B')"}, {});
  refuse<UsageError>(in_rows, sheet, {"no label column 'stat'", "did you mean 'state'"}, {.label = "stat"});
  refuse<UsageError>(in_rows, sheet, {"no covariate column 'sex'"}, {.label = "state", .covariates = {"sex"}});
  for (const std::string& table : {in_rows, in_columns})
    refuse<UsageError>(table, sheet, {"'ag'", "did you mean 'age'"}, {.label = "state", .covariates = {"ag"}});
}

TEST_F(JoinSamples, SeveralClassesMayStandInTheTable) {
  const Dataset d = read("who,label,g1\np1,a,1\np2,b,2\np3,c,3\np4,a,5\np5,b,1\np6,c,2\n",
                         "who,age\np3,30\np1,50\np2,40\np4,1\np6,2\n", {.covariates = {"age"}});
  EXPECT_EQ(d.classes, (std::vector<std::uint32_t>{0, 1, 2, 0, 2}));
  EXPECT_EQ(d.covariates.at(0).values, (Names{"50", "40", "30", "1", "2"}));
}

}  // namespace
}  // namespace cavity
