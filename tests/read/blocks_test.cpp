// Several tables of the same samples: joined by id, names told apart, whoever lacks one is NaN there.
#include "cavity/blocks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cavity/errors.hpp"
#include "support/errors.hpp"
#include "support/temp_files.hpp"

namespace cavity {
namespace {

using test::expect_error;
using Names = std::vector<std::string>;

class Blocks : public testing::Test {
 protected:
  BlockFile file(const std::string& name, const std::string& bytes) { return {name, dir_.write(name + ".csv", bytes)}; }
  static bool noted(const Dataset& data, const std::string& part) {
    return std::ranges::any_of(data.notes,
                               [&](const std::string& note) { return note.find(part) != std::string::npos; });
  }
  const std::string rna = "id,label,g1,g2\np1,t,1,4\np2,n,2,5\np3,t,3,6\n",
                    lying = "protein,p3,p1,p9\nq1,30,10,90\ng2,31,11,91\n",
                    sheet = "id,state\np9,n\np3,t\np1,t\np2,n\n";
  test::TempDir dir_;
};

TEST_F(Blocks, AreJoinedByIdInAnyOrderAndOrientation) {
  const Dataset data = read_blocks({file("rna", rna), file("protein", lying)});
  EXPECT_EQ(data.sample_names, (Names{"p1", "p2", "p3"}));
  EXPECT_EQ(data.feature_names, (Names{"g1", "rna:g2", "q1", "protein:g2"}));
  ASSERT_EQ(data.blocks.size(), 2U);
  EXPECT_EQ(data.blocks[1].name, "protein");
  EXPECT_EQ(data.blocks[1].features, 2U);
  const FeatureMatrix& x = data.features.dense();
  EXPECT_EQ(x.row(0)[2], 10);
  EXPECT_EQ(x.row(2)[3], 31);
  EXPECT_TRUE(std::isnan(x.row(1)[2]) && std::isnan(x.row(1)[3]));
  EXPECT_EQ(x.row(1)[1], 5);
  EXPECT_TRUE(noted(data, "protein: columns left out"));
  EXPECT_TRUE(noted(data, "1 sample without it: 'p2'"));
}

TEST_F(Blocks, ASheetSaysWhoTakesPartThoughTheFirstTableLacksThem) {
  const std::string bare = "id,g1,g2\np1,1,4\np2,2,5\np3,3,6\n";
  const Dataset data = read_blocks({file("rna", bare), file("protein", lying)},
                                   {.label = "state", .sample_sheet = dir_.write("sheet.csv", sheet)});
  EXPECT_EQ(data.sample_names, (Names{"p1", "p2", "p3", "p9"}));
  EXPECT_EQ(data.classes, (std::vector<std::uint32_t>{1, 0, 1, 0}));
  EXPECT_TRUE(std::isnan(data.features.dense().row(3)[0]));
  EXPECT_EQ(data.features.dense().row(3)[2], 90);
}

TEST_F(Blocks, OneIsTheTableItself) {
  const Dataset data = read_blocks({file("rna", rna)}), plain = read_dataset(dir_.path("rna.csv"));
  EXPECT_TRUE(data.blocks.empty());
  EXPECT_EQ(data.feature_names, plain.feature_names);
  EXPECT_EQ(data.classes, plain.classes);
}

TEST_F(Blocks, OfAPredictionTakeTheModelsNames) {
  BlockFile first = file("rna", "id,g2,new\np1,4,0\n"), second = file("protein", "id,g2,new\np2,11,0\n");
  first.features = {"g1", "rna:g2"};
  second.features = {"q1", "protein:g2"};
  const Dataset data = read_blocks(
      {first, second},
      {.labels_required = false, .expected_features = {"g1", "rna:g2", "q1", "protein:g2"}, .remembered_id = "id"});
  EXPECT_EQ(data.feature_names, (Names{"rna:g2", "protein:g2"}));
  EXPECT_EQ(data.sample_names, (Names{"p1", "p2"}));
  EXPECT_TRUE(std::isnan(data.features.dense().row(1)[0]));
  EXPECT_EQ(data.features.dense().row(1)[1], 11);
}

TEST_F(Blocks, ThatCannotBeJoinedAreRefusedInWords) {
  const BlockFile first = file("rna", rna);
  expect_error<InputError>(
      [&] {
        read_blocks({first, file("b", "id,q1\nP1,1\nP2,2\n")});
      },
      {"none of its samples is one of", "'P1'", "upper and lower case"});
  expect_error<InputError>([&] { read_blocks({first, file("b", "id,q1\np1,1\np1,2\n")}); }, {"'p1' comes twice"});
  expect_error<UsageError>([&] { read_blocks({first, first}); }, {"two blocks are called 'rna'"});
  expect_error<UsageError>([&] { read_blocks({first, {"a:b", first.path}}); }, {"cannot be called 'a:b'"});
}

TEST_F(Blocks, WithoutIdsAreJoinedByRow) {
  const Dataset data = read_blocks({file("a", "label,g1\nt,1\nn,2\n"), file("b", "q1,q2\n5,6\n7,8\n")});
  EXPECT_EQ(data.features.dense().row(1)[2], 8);
  EXPECT_TRUE(noted(data, "row k of each"));
  expect_error<InputError>(
      [&] {
        read_blocks({file("a", "label,g1\nt,1\nn,2\n"), file("c", "q1,q2\n5,6\n7,8\n9,9\n")});
      },
      {"neither has ids"});
}

TEST(BlockName, IsThatOfTheFile) {
  EXPECT_EQ(block_name_of("data/rna.tsv.gz"), "rna");
  EXPECT_EQ(block_name_of("-"), "first");
}

}  // namespace
}  // namespace cavity
