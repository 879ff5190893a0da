// The same table lying the other way gives the same data set.
#include <gtest/gtest.h>

#include "cavity/errors.hpp"
#include "cavity/read.hpp"
#include "support/errors.hpp"
#include "support/temp_files.hpp"

namespace cavity {
namespace {

using test::expect_error;
using Names = std::vector<std::string>;
using Labels = std::vector<std::uint32_t>;

class FeaturesInRows : public testing::Test {
 protected:
  Dataset read(const std::string& text, const ReadOptions& options = {}) {
    return read_dataset(dir_.write("t.tsv", text), options);
  }
  template <class E>
  void refuse(const std::string& text, std::initializer_list<std::string> parts, const ReadOptions& options = {}) {
    expect_error<E>([&] { read(text, options); }, parts);
  }
  static bool noted(const Dataset& dataset, const std::string& part) {
    return std::any_of(dataset.notes.begin(), dataset.notes.end(),
                       [&](const std::string& note) { return note.find(part) != std::string::npos; });
  }
  void expect_turned(const Dataset& d) {
    EXPECT_EQ(d.feature_names, (Names{"g1", "g2"}));
    EXPECT_EQ(d.sample_names, (Names{"s1", "s2", "s3"}));
    EXPECT_EQ(d.classes, (Labels{1, 0, 1}));
    EXPECT_EQ(d.features.dense().values, (std::vector<float>{1, 4, 2, 5, 3, 6}));
    EXPECT_TRUE(noted(d, "features in rows: 2 rows are features, 3 columns samples"));
  }
  test::TempDir dir_;
};

TEST_F(FeaturesInRows, ARowMayHoldTheGroups) {
  const std::string text = "gene\ts1\ts2\ts3\nlabel\tt\tn\tt\nwho\tA\tB\tNA\ng1\t1\t2\t3\ng2\t4\t5\t6\n";
  const ReadOptions turned{.group = "who", .orientation = Orientation::features_in_rows};
  const Dataset d = read(text, turned);
  expect_turned(d);
  EXPECT_EQ(d.groups, (Names{"A", "B", ""}));
  refuse<UsageError>(text, {"no group row 'whose'"}, {.group = "whose", .orientation = Orientation::features_in_rows});
}

TEST_F(FeaturesInRows, ALabelRowIsFoundWhereverItStands) {
  expect_turned(read("gene\ts1\ts2\ts3\nlabel\tt\tn\tt\ng1\t1\t2\t3\ng2\t4\t5\t6\n"));
  expect_turned(read("gene\ts1\ts2\ts3\ng1\t1\t2\t3\ng2\t4\t5\t6\nlabel\tt\tn\tt\n"));
  expect_turned(read(",s1,s2,s3\ng1,1,2,3\nstate,t,n,t\ng2,4,5,6\n", {.label = "state"}));
  const Dataset numeric = read("gene,s1,s2,s3\nclass,1,0,1\ng1,1,2,3\ng2,4,5,6\n");
  expect_turned(numeric);
  EXPECT_EQ(numeric.class_names[1], "1");
}

TEST_F(FeaturesInRows, RowNamesOfRAreOneNameShort) {
  expect_turned(read("\"s1\"\t\"s2\"\t\"s3\"\n\"label\"\tt\tn\tt\n\"g1\"\t1\t2\t3\n\"g2\"\t4\t5\t6\n"));
  const Dataset rows = read("label,a,b\ns1,t,1,2\ns2,n,3,4\n");
  EXPECT_EQ(rows.sample_names, (Names{"s1", "s2"}));
  EXPECT_EQ(rows.feature_names, (Names{"a", "b"}));
  EXPECT_TRUE(noted(rows, "R's row names"));
  refuse<InputError>("label,a,b\nt,1,2,\nn,3,4,\n", {"line 2: 4 fields, expected 3"});  // a delimiter ends each line
}

TEST_F(FeaturesInRows, CovariateRowsAndTheWordOfTheUser) {
  const std::string text = "id,1,2,3\nsex,f,m,f\n7,1,2,3\n9,4,5,6\ny,t,n,t\n";
  const Dataset d = read(text, {.label = "y", .covariates = {"sex"}, .orientation = Orientation::features_in_rows});
  EXPECT_EQ(d.feature_names, (Names{"7", "9"}));
  EXPECT_EQ(d.sample_names, (Names{"1", "2", "3"}));
  ASSERT_EQ(d.covariates.size(), 1U);
  EXPECT_EQ(d.covariates[0].values, (Names{"f", "m", "f"}));
  refuse<UsageError>(text, {"no covariate row 'age'"},
                     {.label = "y", .covariates = {"age"}, .orientation = Orientation::features_in_rows});
}

TEST_F(FeaturesInRows, WithoutLabelsTheErrorSaysWhatToTry) {
  std::string text = "gene\ts1\ts2\n";
  for (int i = 0; i < 20; ++i) text += "g" + std::to_string(i) + "\t1\t2\n";
  refuse<UsageError>(text, {"20 features in rows, 2 samples in columns", "`samples=sheet.tsv`", "`label`"});
  refuse<UsageError>(text, {"no row is called 'state'", "`samples=sheet.tsv`"},
                     {.label = "state", .orientation = Orientation::features_in_rows});
  refuse<UsageError>(text, {"which column is the label?"}, {.orientation = Orientation::samples_in_rows});
}

TEST_F(FeaturesInRows, ErrorsNameThePlaceInTheFile) {
  refuse<InputError>("gene,s1,s2\nlabel,t,n\ng1,1,2\ng2,3,high\n", {"line 4, column 3 (s2): 'high' is not a number"});
  refuse<InputError>("gene,s1,s2\nlabel,t,n\ng1,1,2\ng2,3\n", {"line 4: 2 fields, expected 3"});
  refuse<InputError>("gene,s1,s2\nlabel,t,n\ng1,1,2\ng1,3,4\n", {"lines 3 and 4 have the same name, 'g1'"});
  refuse<InputError>("gene,s1,s2,s3\nlabel,,NA,\ng1,1,2,3\n", {"line 2: the label is missing"},
                     {.label = "label", .orientation = Orientation::features_in_rows});
}

TEST_F(FeaturesInRows, PredictionGoesByTheModelsFeatures) {
  ReadOptions options{.label = "label", .labels_required = false};
  options.expected_classes = {"n", "t"};
  options.expected_features = {"g1", "g2"};
  const Dataset d = read("id,note,s1,s2\ng2,x,4,5\nother,y,7,8\ng1,z,1,2\n", options);
  EXPECT_EQ(d.feature_names, (Names{"g2", "g1"}));
  EXPECT_EQ(d.sample_names, (Names{"s1", "s2"}));
  EXPECT_TRUE(noted(d, "columns left out, they hold text: 'note'"));
  EXPECT_TRUE(noted(d, "1 row left out, not in the model"));
  EXPECT_EQ(read("g1,g2\n1,2\n", options).features.dense().values, (std::vector<float>{1, 2}));
  options.orientation = Orientation::features_in_rows;
  refuse<InputError>("id,s1\nh,4\n", {"no row is a feature of the model"}, options);
}

TEST_F(FeaturesInRows, TablesOfSamplesStayAsTheyAre) {
  EXPECT_EQ(read("kind,a,b\nt,1,2\nn,3,4\nt,5,6\nn,1,1\nn,2,2\nt,3,4\nn,5,5\n").classes.size(), 7U);
  EXPECT_EQ(read("name,a,class\np1,1,t\np2,3,n\n", {.sample_id = "name"}).sample_names, (Names{"p1", "p2"}));
}

}  // namespace
}  // namespace cavity
