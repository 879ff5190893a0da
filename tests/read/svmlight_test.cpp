#include <gtest/gtest.h>

#include <cmath>

#include "cavity/errors.hpp"
#include "cavity/read.hpp"
#include "support/errors.hpp"
#include "support/temp_files.hpp"

namespace cavity {
namespace {

using test::expect_error;
using Names = std::vector<std::string>;

class Svmlight : public testing::Test {
 protected:
  Dataset read(const std::string& text, const ReadOptions& options = {}) {
    return read_dataset(dir_.write("t.csv", text), options);  // the name says nothing
  }
  void refuse(const std::string& text, std::initializer_list<std::string> parts) {
    expect_error<InputError>([&] { read(text); }, parts);
  }
  test::TempDir dir_;
};

TEST_F(Svmlight, AbsentIsZero) {
  const Dataset d = read("# made by hand\n+1 qid:3 1:0.5 3:2 # first\r\n\n-1\n1\t2:nan\n");
  EXPECT_EQ(d.feature_names, (Names{"f1", "f2", "f3"}));
  EXPECT_EQ(d.samples(), 3U);
  EXPECT_EQ(std::vector<float>(d.features.dense().values.begin(), d.features.dense().values.begin() + 7),
            (std::vector<float>{0.5F, 0, 2, 0, 0, 0, 0}));
  EXPECT_TRUE(std::isnan(d.features.dense().values[7]));
  EXPECT_EQ(d.classes, (std::vector<std::uint32_t>{1, 0, 1}));
  EXPECT_EQ(d.notes.at(0), "format: svmlight");
}

TEST_F(Svmlight, LabelsAloneMayComeFirst) { EXPECT_EQ(read("1\n-1\n1 2:5\n").features.cols(), 2U); }

TEST_F(Svmlight, IndexZeroIsAnnounced) {
  const Dataset d = read("1 0:7 1:1\n-1 1:3\n");
  EXPECT_EQ(d.feature_names, (Names{"f0", "f1"}));
  EXPECT_EQ(d.features.dense().values, (std::vector<float>{7, 1, 0, 3}));
  EXPECT_NE(d.notes.at(1).find("from 0"), std::string::npos);
}

TEST_F(Svmlight, NamesWhatIsWrong) {
  refuse("1 1:1\n-1 3:1 2:1\n", {"line 2, column 8", "'2:1'", "increase"});
  refuse("1 1:1\n-1 3:1 3:1\n", {"line 2", "increase"});
  refuse("1 1:1\n-1 2:abc\n", {"line 2, column 4", "'2:abc'", "no number"});
  refuse("1 1:1\n-1 2:\n", {"line 2", "no number"});
  refuse("1 1:1\n-1 2:inf\n", {"line 2", "infinite"});
  refuse("1 1:1\n-1 x:2\n", {"line 2", "not index:value"});
  refuse("1 1:1\n-1 -2:2\n", {"line 2", "not index:value"});
  refuse("1 1:1\n-1 7\n", {"line 2", "not index:value"});
  refuse(std::string("1 1:1\n-1 1:\0\n", 13), {"line 2", "NUL"});
  refuse("1\n-1 qid:1\n", {"no features"});
}

TEST_F(Svmlight, AbsurdIndicesAskForNoMemory) {
  refuse("1 1:1\n-1 1000000000000:1\n", {"line 2", "1000000000000", "above"});
  refuse("1 1:1\n-1 99999999999999999999999:1\n", {"line 2", "above"});
  std::string wide;
  for (int i = 0; i < 1000; ++i) wide += i % 2 == 0 ? "1 2000000000:1\n" : "-1 1:1\n";
  refuse(wide, {"1000 samples x 2000000000 features", "GB"});
}

TEST_F(Svmlight, RefusesOptionsOfTables) {
  const auto with = [&](const ReadOptions& options) { return [&, options] { read("1 1:1\n-1 1:2\n", options); }; };
  expect_error<UsageError>(with({.label = "y"}), {"no named columns"});
  expect_error<UsageError>(with({.sample_id = "id"}), {"no named columns"});
  expect_error<UsageError>(with({.labels_file = "l"}), {"its own"});
}

}  // namespace
}  // namespace cavity
