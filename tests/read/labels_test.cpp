#include <gtest/gtest.h>

#include "cavity/errors.hpp"
#include "cavity/read.hpp"
#include "support/errors.hpp"
#include "support/temp_files.hpp"

namespace cavity {
namespace {

using test::expect_error;
using Classes = std::vector<std::string>;
using Labels = std::vector<std::uint32_t>;
using Names = std::vector<std::string>;

class LabelColumn : public testing::Test {
 protected:
  Dataset read(const std::string& text, const ReadOptions& options = {}) {
    return read_dataset(dir_.write("t.csv", text), options);
  }
  template <class E>
  void refuse(const std::string& text, std::initializer_list<std::string> parts, const ReadOptions& options = {}) {
    expect_error<E>([&] { read(text, options); }, parts);
  }
  static ReadOptions prediction() {
    return {.label = "kind", .labels_required = false, .expected_classes = {"n", "t"}, .expected_features = {"a", "b"}};
  }
  test::TempDir dir_;
};

TEST_F(LabelColumn, NumbersAreClassesByValue) {
  const Dataset d = read("label,a\n1,1\n1.0,2\n+1,3\n-1,4\n");
  EXPECT_EQ(d.class_names, (Classes{"-1", "1"}));
  EXPECT_EQ(d.classes, (Labels{1, 1, 1, 0}));
}

TEST_F(LabelColumn, PositiveIsTheLastInOrder) {
  EXPECT_EQ(read("label,a\n9,1\n10,2\n").class_names[1], "10");  // as text it would be 9
  EXPECT_EQ(read("label,a\nb,1\na,2\n").class_names[1], "b");
  EXPECT_EQ(read("label,a\nz,1\n2,2\n").class_names[1], "z");
  EXPECT_EQ(read("label,a\nb,1\na,2\n", {.positive = "a"}).classes, (Labels{0, 1}));
  EXPECT_EQ(read("label,a\n0,1\n1,2\n", {.positive = "0.0"}).classes, (Labels{1, 0}));
  refuse<UsageError>("label,a\nb,1\na,2\n", {"'c'", "'a' (1), 'b' (1)"}, {.positive = "c"});
}

TEST_F(LabelColumn, NoClasses) {
  refuse<InputError>("label,a\nx,1\nx,2\n", {"1 class,", "'x' (2)"});
  refuse<InputError>("label,a\nx,1\ny,2\nz,3\nz,4\n", {"3 classes", "'x' (1), 'y' (1), 'z' (2)"});
  std::string many = "label,a\n";
  for (int i = 0; i < 25; ++i) many += "s" + std::to_string(i) + ",0\n";
  refuse<InputError>(many, {"25 classes for 25 samples", "and 15 more"});
  std::string measured = "label,a\n";
  for (int i = 0; i < 25; ++i) measured += std::to_string(i) + ".5,0\n";
  refuse<InputError>(measured, {"25 different numbers for 25 samples", "from '0.5' to '24.5'", "measured quantity"});
}

TEST_F(LabelColumn, SeveralClassesInTheirOrder) {
  const std::string table = "label,a\nb,1\n10,2\n9,3\nb,4\n9,5\n10,6\n";
  const Dataset data = read(table);
  EXPECT_EQ(data.class_names, (std::vector<std::string>{"9", "10", "b"}));
  EXPECT_EQ(data.classes, (std::vector<std::uint32_t>{2, 1, 0, 2, 0, 1}));
  refuse<UsageError>(table, {"'b'", "none is the positive one"}, {.positive = "b"});
}

TEST_F(LabelColumn, SeveralClassesOfAModel) {
  const Dataset data =
      read("label,a\nb,1\nd,2\n,3\nc,4\n",
           {.labels_required = false, .expected_classes = {"a", "b", "c"}, .expected_features = {"a"}});
  EXPECT_EQ(data.classes, (std::vector<std::uint32_t>{1, 3, 3, 2}));
}

TEST_F(LabelColumn, SamplesWithoutALabelAreLeftOut) {
  for (const std::string missing : {"", "NA", "NaN", "?"}) {
    const Dataset d = read("label,a\nt,1\n\nn,2\n" + missing + ",3\n");
    EXPECT_EQ(d.sample_names, (Names{"1", "2"}));
    EXPECT_EQ(d.features.dense().values, (std::vector<float>{1, 2}));
    refuse<InputError>("label,a\n" + missing + ",1\n" + missing + ",2\n", {"line 2", "label is missing"});
  }
}

TEST_F(LabelColumn, PredictionFileMayHaveTheLabelOrNot) {
  const Dataset with = read("a,kind,b\n1,t,2\n3,t,4\n", prediction());
  EXPECT_EQ(with.classes, (Labels{1, 1}));
  EXPECT_EQ(with.class_names, (Classes{"n", "t"}));
  EXPECT_EQ(with.feature_names, (Names{"a", "b"}));
  const Dataset without = read("a,b\n1,2\n3,4\n", prediction());
  EXPECT_TRUE(without.classes.empty());
  EXPECT_EQ(without.features.dense().values, (std::vector<float>{1, 2, 3, 4}));
  const Dataset empty = read("a,kind,b\n1,,2\n3,NA,4\n", prediction());
  EXPECT_TRUE(empty.classes.empty());
  EXPECT_EQ(read("a,kind,b\n1,t,2\n3,,4\n5,n,6\n", prediction()).classes, (Labels{1, 2, 0}));
  const Dataset other = read("a,kind,b\n1,t,2\n3,q,4\n", prediction());
  EXPECT_EQ(other.classes, (Labels{1, 2}));
  EXPECT_NE(other.notes.at(other.notes.size() - 2).find("no class of the model"), std::string::npos);
  EXPECT_TRUE(read("a,kind,b\n1,q,2\n3,,4\n", prediction()).classes.empty());
}

TEST_F(LabelColumn, PredictionNeverTakesAFeatureForTheLabel) {
  ReadOptions options{.labels_required = false, .expected_classes = {"0", "1"}, .expected_features = {"y", "b"}};
  EXPECT_EQ(read("y,b\n1,2\n3,4\n", options).feature_names, (Names{"y", "b"}));
  options.label = "1";  // trained on a file without header, label in column 1
  EXPECT_EQ(read("y,b\n1,2\n3,4\n", options).feature_names, (Names{"y", "b"}));
  options.expected_features = {"x1", "x2"};
  EXPECT_TRUE(read("1,2\n3,4\n", options).classes.empty());
  const Dataset labelled = read("1,2,3\n0,4,5\n", options);
  EXPECT_EQ(labelled.classes, (Labels{1, 0}));
  EXPECT_EQ(labelled.features.dense().values, (std::vector<float>{2, 3, 4, 5}));
}

TEST_F(LabelColumn, PredictionLeavesOutColumnsTheModelDoesNotKnow) {
  const Dataset d = read("name,b,remark,a\np1,2,fine,1\np2,4,\"bad, very\",3\n", prediction());
  EXPECT_EQ(d.feature_names, (Names{"b", "a"}));
  EXPECT_EQ(d.features.dense().values, (std::vector<float>{2, 1, 4, 3}));
  refuse<InputError>("p,q\n1,2\n3,4\n", {"no column is a feature of the model", "'p', 'q'", "'a', 'b'"}, prediction());
}

TEST_F(LabelColumn, ZerosOfAnUnlabelledSvmlightFileAreNoLabels) {
  ReadOptions options{.labels_required = false, .expected_classes = {"-1", "1"}};
  EXPECT_TRUE(read("0 1:2\n0 2:1\n", options).classes.empty());
  EXPECT_EQ(read("+1 1:2\n1 2:1\n", options).classes, (Labels{1, 1}));
}

}  // namespace
}  // namespace cavity
