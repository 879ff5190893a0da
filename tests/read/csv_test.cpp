#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "cavity/errors.hpp"
#include "cavity/read.hpp"
#include "read/csv_rows.hpp"
#include "support/errors.hpp"
#include "support/temp_files.hpp"

namespace cavity {
namespace {

using test::expect_error;
using Names = std::vector<std::string>;

class Csv : public testing::Test {
 protected:
  Dataset read(const std::string& text, const ReadOptions& options = {}) {
    return read_dataset(dir_.write("t.csv", text), options);
  }
  template <class E>
  void refuse(const std::string& text, std::initializer_list<std::string> parts, const ReadOptions& options = {}) {
    expect_error<E>([&] { read(text, options); }, parts);
  }
  static bool noted(const Dataset& dataset, const std::string& part) {
    for (const auto& note : dataset.notes) {
      if (note.find(part) != std::string::npos) return true;
    }
    return false;
  }
  test::TempDir dir_;
};

TEST_F(Csv, ReadsLabelsFeaturesAndNames) {
  const Dataset d = read("label,a,b\nt,1,2.5\nn,-3e2,.5\nt,+4,5.\n");
  EXPECT_EQ(d.feature_names, (Names{"a", "b"}));
  EXPECT_EQ(d.sample_names, (Names{"1", "2", "3"}));
  EXPECT_EQ(d.features.dense().values, (std::vector<float>{1, 2.5F, -300, 0.5F, 4, 5}));
  EXPECT_EQ(d.classes, (std::vector<std::uint32_t>{1, 0, 1}));
  EXPECT_EQ(d.class_names[1], "t");
  EXPECT_EQ(d.label_name, "label");
  EXPECT_TRUE(noted(d, "header: first row"));
  EXPECT_TRUE(noted(d, "positive: 't'"));
}

TEST_F(Csv, KnowsDelimitersLineEndsAndByteOrderMark) {
  for (const std::string text : {"\xef\xbb\xbflabel,a,b\r\nt,1,2\r\nn,3,4\r\n", "label\ta\tb\nt\t1\t2\nn\t3\t4",
                                 "label;a;b\nt;1;2\n\n\nn;3;4\n\n", " label , a , b \n t , 1 ,\t2 \n n , 3 , 4 \n"}) {
    const Dataset d = read(text);
    EXPECT_EQ(d.feature_names, (Names{"a", "b"})) << text;
    EXPECT_EQ(d.features.dense().values, (std::vector<float>{1, 2, 3, 4})) << text;
  }
}

TEST_F(Csv, ReadsQuotedFields) {
  const Dataset d = read("\"label\",\"a,b\",\"c\"\"d\"\n\"x\ny\",\"1\",2\n\"z;\"\"q\"\"\", \"3\" ,NA\n");
  EXPECT_EQ(d.feature_names, (Names{"a,b", "c\"d"}));
  EXPECT_EQ(d.class_names, (std::vector<std::string>{"x\ny", "z;\"q\""}));
  EXPECT_EQ(d.features.dense().values[2], 3);
  refuse<InputError>("label,a\n\"x\ny\",1\nz,bad\n", {"line 4, column 2 (a)"});
}

TEST_F(Csv, QuoteInsideAFieldIsACharacter) {
  const Dataset d = read("label,a\n5\" pipe,1\n6\" pipe,2\n");
  EXPECT_EQ(d.class_names[0], "5\" pipe");
}

TEST_F(Csv, MissingValuesBecomeNan) {
  const Dataset d = read("label,a,b,c,d,e,f,g,h\nt,,NA,NaN,nan,N/A,null,?,\n n,1,2,3,4,5,6,7,8\n");
  for (int i = 0; i < 8; ++i) EXPECT_TRUE(std::isnan(d.features.dense().values[static_cast<std::size_t>(i)])) << i;
}

TEST_F(Csv, DetectsTheHeader) {
  EXPECT_EQ(read("t,1,2\nn,3,4\n").feature_names, (Names{"x1", "x2"}));  // text in every row of column 1
  EXPECT_TRUE(noted(read("t,1,2\nn,3,4\n"), "header: none"));
  EXPECT_EQ(read("t,NA,2\nn,3,4\n").samples(), 2U);  // a missing value is no name
  EXPECT_EQ(read("label,7157,672\nt,1,2\nn,3,4\n").feature_names, (Names{"7157", "672"}));  // names that are numbers
  EXPECT_EQ(read("kind,7157,672\nt,1,2\nn,3,4\n", {.label = "kind"}).samples(), 2U);
  EXPECT_EQ(read("y,a\n0,1\n1,2\n").samples(), 2U);
  EXPECT_EQ(read("y,5\nn,6\n").samples(), 2U);  // yes and no, not a column called y
  EXPECT_EQ(read("target,5\nother,6\ntarget,7\n").samples(), 3U);
  EXPECT_EQ(read("1,5\n0,6\n", {.label = "1"}).feature_names, (Names{"x1"}));
  EXPECT_EQ(read("t,7\nn,8\n", {.header = Header::absent}).samples(), 2U);
  EXPECT_EQ(read("c,7\nt,1\nn,8\n", {.header = Header::present}).feature_names, (Names{"7"}));
}

TEST_F(Csv, NamesFeaturesByPositionWithoutHeader) {
  const Dataset d = read("1,2,a,3\n4,5,b,6\n", {.label = "3"});
  EXPECT_EQ(d.feature_names, (Names{"x1", "x2", "x3"}));
  EXPECT_EQ(d.features.dense().values, (std::vector<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(d.label_name, "3");
}

TEST_F(Csv, FindsTheLabelColumn) {
  EXPECT_EQ(read("a,Class,b\n1,0,2\n3,1,4\n").label_name, "Class");
  EXPECT_EQ(read("kind,a\nt,1\nn,2\n").label_name, "kind");
  EXPECT_EQ(read("a,kind\n1,t\n2,n\n", {.label = "kind"}).label_name, "kind");
  EXPECT_EQ(read("a,kind\n1,t\n2,n\n", {.label = "2"}).label_name, "kind");
  refuse<UsageError>("a,b\n1,0\n2,1\n", {"which column is the label", "'a', 'b'"});
  refuse<UsageError>("a,kind\n1,t\n2,n\n", {"no label column 'kond'", "did you mean 'kind'"}, {.label = "kond"});
  refuse<UsageError>("t,1\nn,2\n", {"no label column '3'", "position from 1 to 2"}, {.label = "3"});
}

TEST_F(Csv, TakesIdsAndCovariatesOutOfTheFeatures) {
  const Dataset d = read("id,label,sex,a\ns1,t,f,1\ns2,n,m,2\n", {.sample_id = "id", .covariates = {"sex"}});
  EXPECT_EQ(d.sample_names, (Names{"s1", "s2"}));
  EXPECT_EQ(d.covariates.at(0).name, "sex");
  EXPECT_EQ(d.covariates.at(0).values, (Names{"f", "m"}));
  EXPECT_EQ(d.feature_names, (Names{"a"}));
  refuse<UsageError>("label,sex,a\nt,f,1\nn,m,2\n", {"no covariate column 'sax'", "did you mean 'sex'"},
                     {.covariates = {"sax"}});
  refuse<UsageError>("label,sex,a\nt,f,1\nn,m,2\n", {"two roles"}, {.sample_id = "sex", .covariates = {"sex"}});
}

TEST_F(Csv, UnnamedFirstColumnHoldsSampleIds) {  // R's row names, pandas' index
  const Dataset d = read("\"\",label,a,\ns1,t,1,5\ns2,n,2,6\n");
  EXPECT_EQ(d.sample_names, (Names{"s1", "s2"}));
  EXPECT_EQ(d.feature_names, (Names{"a", "x4"}));
}

TEST_F(Csv, RefusesRepeatedNames) { refuse<InputError>("label,a,b,a\nt,1,2,3\nn,4,5,6\n", {"columns 2 and 4", "'a'"}); }

TEST_F(Csv, NamesThePlaceOfABadValue) {
  refuse<InputError>("label,a,g7\nt,1,2\nn,3,oops\n", {"t.csv, line 3, column 3 (g7): 'oops' is not a number", "NA"});
  refuse<InputError>("label,a\nt,1\nn,inf\n", {"line 3, column 2 (a)", "'inf' is infinite"});
  refuse<InputError>("label,a\nt,1\nn,1e400\n", {"line 3", "'1e400'"});
  refuse<InputError>("label,a\nt,1\nn,-1e39\n", {"line 3", "too large for a 32-bit float"});
  refuse<InputError>("label;a;b\nt;1.5;2\nn;3,5;4\n", {"line 3", "decimals with a point"});
  refuse<InputError>("label,a\nt,1\nn,x\x01y\n", {R"('x\x01y')"});
  refuse<InputError>("label,a\nt,1\nn," + std::string(100, 'z') + "\n", {"'" + std::string(40, 'z') + "...'"});
  refuse<InputError>("label a\nt 1\nn 2\n", {"separated by a comma"}, {.labels_required = false});
}

TEST_F(Csv, NamesRaggedRowsAndBrokenQuotes) {
  refuse<InputError>("label,a,b\nt,1,2\nn,3\n", {"line 3: 2 fields, expected 3"});
  refuse<InputError>("label,a,b\nt,1,2\n\nn,3,4,5\n", {"line 4: 4 fields, expected 3", "row names"});
  refuse<InputError>("label,a\nt,1\n\"n,2\nt,3\n", {"line 3", "never closed"});
  refuse<InputError>("label,a\nt,1\n\"n\"x,2\n", {"line 3", "after the closing quote"});
}

TEST_F(Csv, WideHeaderOverShortLinesAsksForNoMemory) {
  std::string text = "label";
  for (int i = 0; i < 20000; ++i) text += ",g" + std::to_string(i);
  text += "\n";
  for (int i = 0; i < 200000; ++i) text += "t\n";  // 16 GB if it were believed
  refuse<InputError>(text, {"line 2: 1 field, expected 20001"});
}

TEST_F(Csv, RefusesFilesWithoutData) {
  refuse<InputError>("", {"empty"});
  refuse<InputError>("\n\r\n\n", {"empty"});
  refuse<InputError>("label,a,b\n", {"a header and no samples"});
  refuse<InputError>("label\nt\nn\n", {"no features"});
  refuse<InputError>(std::string("label,a\nt,1\nn,\0\n", 16), {"line 3", "NUL"});
  refuse<InputError>("label,a\rt,1\rn,2\r", {"old Mac"});
  refuse<InputError>("\xff\xfel\0a\0", {"UTF-16"});
  refuse<UsageError>("label,a\nt,1\nn,2\n", {"label column"}, {.labels_file = "l.txt"});
}

TEST_F(Csv, BlocksCoverEveryRowOnce) {
  const std::string text = "a,1\n\n\"b\nb\",2\r\n\r\nc,3\nd,4";
  for (std::size_t size = 1; size < text.size() + 2; ++size) {
    const auto blocks = cut_blocks(text.data(), text.data() + text.size(), ',', 5, size);
    const char* next = text.data();
    std::size_t rows = 0;
    for (const auto& block : blocks) {
      EXPECT_EQ(block.begin, next);
      EXPECT_EQ(block.first_row, rows);
      EXPECT_EQ(block.first_line, 5U + static_cast<std::size_t>(std::count(text.data(), block.begin, '\n')));
      rows += block.rows;
      next = block.end;
    }
    EXPECT_EQ(next, text.data() + text.size());
    EXPECT_EQ(rows, 4U);
  }
}

TEST_F(Csv, LinesAreRightAcrossBlocks) {
  std::string text = "label,a\n";
  for (int i = 0; i < 1500000; ++i) text += i % 2 == 0 ? "t,1\n" : "\nn,2\n";  // 7.5 MB, more than one block
  EXPECT_EQ(read(text).samples(), 1500000U);
  refuse<InputError>(text + "n,bad\n", {"line 2250002, column 2"});
}

/// 13 MB, four blocks; every row has an id, and some values are missing, quoted or long.
std::string long_table() {
  std::string text = "label,id,a,b\n";
  for (int i = 0; i < 400000; ++i) {
    text += i % 3 == 0 ? "t,s" : "n,s";
    text += std::to_string(i) + (i % 7 == 0 ? ",NA,\"" : ",0.1234567890123456789,\"") + std::to_string(i) + "\"\n";
  }
  return text;
}

TEST_F(Csv, ThreadsDoNotChangeWhatIsRead) {
  const std::string text = long_table();
  const Dataset one = read(text, {.sample_id = "id", .threads = 1});
  for (const unsigned threads : {2U, 5U}) {
    const Dataset many = read(text, {.sample_id = "id", .threads = threads});
    const std::size_t bytes = one.features.dense().values.size() * sizeof(float);
    ASSERT_EQ(many.features.dense().values.size(), one.features.dense().values.size());
    EXPECT_EQ(std::memcmp(many.features.dense().data(), one.features.dense().data(), bytes), 0);  // missing values too
    EXPECT_EQ(many.classes, one.classes);
    EXPECT_EQ(many.sample_names, one.sample_names);
    EXPECT_EQ(many.notes, one.notes);
  }
}

TEST_F(Csv, TheFirstOfSeveralErrorsIsReported) {
  const std::string text = long_table();
  const auto broken = [&text](std::initializer_list<std::size_t> places) {
    std::string out = text;
    for (const std::size_t place : places) out[out.find("t,s", place) + 1] = ';';  // a field too few
    return out;
  };
  const std::size_t early = text.size() / 20, late = text.size() * 19 / 20;
  const auto line = [&text](std::size_t place) {
    const auto begin = text.begin(), at = begin + static_cast<std::ptrdiff_t>(text.find("t,s", place));
    return "line " + std::to_string(1 + std::count(begin, at, '\n')) + ": 3 fields";
  };
  for (const unsigned threads : {1U, 2U, 5U}) {
    for (int repeat = 0; repeat < 5; ++repeat) {
      refuse<InputError>(broken({early, text.size() / 2, late}), {line(early)},
                         {.sample_id = "id", .threads = threads});
      refuse<InputError>(broken({late}), {line(late)}, {.sample_id = "id", .threads = threads});
    }
  }
}

}  // namespace
}  // namespace cavity
