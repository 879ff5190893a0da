#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cmath>

#include "cavity/errors.hpp"
#include "cavity/read.hpp"
#include "support/errors.hpp"
#include "support/temp_files.hpp"
#include "table/table.hpp"

namespace cavity {
namespace {

using test::expect_error;

class MatrixMarket : public testing::Test {
 protected:
  Dataset read(const std::string& text, const std::string& labels = "a\nb\na\n", ReadOptions options = {}) {
    options.labels_file = dir_.write("labels", labels);
    return read_dataset(dir_.write("t", text), options);
  }
  void refuse(const std::string& text, std::initializer_list<std::string> parts) {
    expect_error<InputError>([&] { read(text); }, parts);
  }
  test::TempDir dir_;
};

const std::string banner = "%%MatrixMarket matrix coordinate real general\n";

TEST_F(MatrixMarket, ReadsEntriesInAnyOrder) {
  const Dataset d = read(banner + "% by hand\n\n3 2 3\n3 2 -1e1\n1 1 0.5\r\n2 2 nan\n");
  EXPECT_EQ(d.features.rows(), 3U);
  EXPECT_EQ(d.features.cols(), 2U);
  EXPECT_EQ(d.features.dense().values[0], 0.5F);
  EXPECT_EQ(d.features.dense().values[5], -10.0F);
  EXPECT_TRUE(std::isnan(d.features.dense().values[3]));
  EXPECT_EQ(d.classes, (std::vector<std::uint32_t>{0, 1, 0}));
  EXPECT_EQ(d.feature_names, (std::vector<std::string>{"x1", "x2"}));
}

TEST_F(MatrixMarket, PatternsAreOnesAndCompressionIsSeenThrough) {
  const std::string text = "%%MatrixMarket matrix coordinate pattern general\n3 2 2\n1 2\n3 1\n";
  EXPECT_EQ(read(text).features.dense().values, (std::vector<float>{0, 1, 0, 0, 1, 0}));
  EXPECT_EQ(read(test::gzip(text)).features.dense().values, (std::vector<float>{0, 1, 0, 0, 1, 0}));
}

TEST_F(MatrixMarket, GenesByCellsAreTurnedWhereOnlyThatFitsTheLabels) {
  const Dataset d = read(banner + "2 3 2\n1 3 7\n2 1 5\n");
  EXPECT_EQ(d.features.rows(), 3U);
  EXPECT_EQ(d.features.dense().values, (std::vector<float>{0, 5, 0, 0, 7, 0}));
}

TEST_F(MatrixMarket, StaysSparseWhereThatPays) {
  std::string text = banner + "3 100 2\n1 50 1\n2 99 3\n";
  const Dataset d = read(text, "a\nb\na\n", {.compact = true});
  ASSERT_FALSE(d.features.is_dense());
  EXPECT_EQ(d.features.cols(), 100U);
  const std::vector<std::uint32_t> which = {49, 98};
  EXPECT_EQ(d.features.table().dense(which).values, (std::vector<float>{1, 0, 0, 3, 0, 0}));
}

TEST_F(MatrixMarket, WhatIsWrongIsNamed) {
  refuse(banner + "3 2 1\n4 1 1\n", {"line 3", "column 1", "'4'", "row from 1 to 3"});
  refuse(banner + "3 2 1\n1 3 1\n", {"line 3", "column 3", "'3'", "column from 1 to 2"});
  refuse(banner + "3 2 1\n1 1 x\n", {"line 3", "column 5", "'x'", "no number"});
  refuse(banner + "3 2 1\n1 1 1e99\n", {"line 3", "too large"});
  refuse(banner + "3 2 1\n1 1 1 1\n", {"line 3", "one word too many"});
  refuse(banner + "3 2 2\n1 1 1\n", {"1 values", "says 2", "cut short"});
  refuse(banner + "3 2 1\n1 1 1\n2 1 1\n", {"2 values", "says 1", "damaged"});
  refuse(banner + "3 2 2\n1 1 1\n1 1 2\n", {"row 1, column 1", "twice"});
  refuse(banner + "3 0 0\n", {"line 2", "number of columns"});
  refuse(banner, {"sizes is missing"});
  refuse("%%MatrixMarket matrix array real general\n3 2\n1\n", {"'array'", ".npy"});
  refuse("%%MatrixMarket matrix coordinate complex general\n", {"'complex'"});
  refuse("%%MatrixMarket matrix coordinate real symmetric\n", {"'symmetric'"});
  refuse(banner + "3 2147483647 0\n", {"GB"});
  expect_error<InputError>(
      [&] { read_dataset(dir_.write("t", banner + "2147483647 2 0\n"), {.labels_required = false, .compact = true}); },
      {"2147483647 samples", "GB"});
  expect_error<UsageError>([&] { read_dataset(dir_.write("t", banner + "3 2 0\n")); }, {"`labels`"});
}

// A header of a few bytes can ask for names of two thousand million samples.
TEST_F(MatrixMarket, MoreSamplesThanMemoryAreRefused) {
  rlimit saved{};
  ::getrlimit(RLIMIT_RSS, &saved);  // the system ignores this limit, the readers do not
  rlimit small = saved;
  small.rlim_cur = 1 << 20;
  ::setrlimit(RLIMIT_RSS, &small);
  for (const bool compact : {false, true}) {
    const ReadOptions options{.labels_required = false, .compact = compact};
    expect_error<InputError>([&] { read_dataset(dir_.write("t", banner + "100000 30 1\n1 1 1\n"), options); },
                             {"100000 samples", "GB can be used"});
  }
  ::setrlimit(RLIMIT_RSS, &saved);
}

}  // namespace
}  // namespace cavity
