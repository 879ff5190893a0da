// Opening, detecting and decompressing, and the real data.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "cavity/errors.hpp"
#include "cavity/read.hpp"
#include "file/decompress.hpp"
#include "file/messages.hpp"
#include "support/errors.hpp"
#include "support/temp_files.hpp"

namespace cavity {
namespace {

using test::expect_error;
using test::gzip;
using test::zstd;

const std::string table = "label,a,b\nt,1,2\nn,3,4\n";

class Files : public testing::Test {
 protected:
  Dataset read(const std::string& bytes) { return read_dataset(dir_.write("t.bin", bytes)); }
  void refuse(const std::string& bytes, std::initializer_list<std::string> parts) {
    expect_error<InputError>([&] { read(bytes); }, parts);
  }
  test::TempDir dir_;
};

TEST_F(Files, ContentDecidesNotTheSuffix) {
  const std::vector<float> expected{1, 2, 3, 4};
  EXPECT_EQ(read(table).features.dense().values, expected);
  EXPECT_EQ(read(gzip(table)).features.dense().values, expected);
  EXPECT_EQ(read(zstd(table)).features.dense().values, expected);
  EXPECT_EQ(read(gzip("1 1:1 2:2\n-1 1:3 2:4\n")).features.dense().values, expected);
}

TEST_F(Files, ConcatenatedMembersAreOneFile) {
  EXPECT_EQ(read(gzip(table) + gzip("t,5,6\n")).samples(), 3U);
  EXPECT_EQ(read(gzip(table) + std::string(512, '\0')).samples(), 2U);
  EXPECT_EQ(read(zstd(table) + zstd("t,5,6\n")).samples(), 3U);
}

TEST_F(Files, ReadsStandardInput) {
  const std::string path = dir_.write("in", gzip(table));
  const int saved = ::dup(STDIN_FILENO);
  const int file = ::open(path.c_str(), O_RDONLY);
  ASSERT_GE(::dup2(file, STDIN_FILENO), 0);
  const Dataset d = read_dataset("-");
  ::dup2(saved, STDIN_FILENO);
  ::close(saved);
  ::close(file);
  EXPECT_EQ(d.samples(), 2U);
}

TEST_F(Files, SystemErrorsSayWhy) {
  expect_error<IoError>([&] { read_dataset(dir_.path("absent.csv")); }, {"absent.csv", "No such file"});
  expect_error<IoError>([&] { read_dataset(dir_.path("")); }, {"directory"});
  const std::string secret = dir_.write("secret.csv", table);
  std::filesystem::permissions(secret, std::filesystem::perms::none);
  if (::access(secret.c_str(), R_OK) != 0) {  // root reads everything
    expect_error<IoError>([&] { read_dataset(secret); }, {"secret.csv", "Permission denied"});
  }
}

TEST_F(Files, DamagedCompressionIsNamed) {
  std::string big = "label,a,b\n";
  for (int i = 0; i < 5000; ++i)
    big += (i % 2 ? "t," : "n,") + std::to_string(i * 7919) + "," + std::to_string(i) + "\n";
  for (const std::size_t keep : {2U, 9U, 12U, 1000U}) refuse(gzip(big).substr(0, keep), {"gzip", "truncated"});
  refuse(gzip(big).substr(0, gzip(big).size() - 3), {"gzip", "truncated"});
  for (const std::size_t keep : {4U, 7U, 1000U}) refuse(zstd(big).substr(0, keep), {"zstd", "truncated"});
  std::string wrong_sum = gzip(big);
  wrong_sum[wrong_sum.size() - 6] = static_cast<char>(wrong_sum[wrong_sum.size() - 6] ^ 1);
  refuse(wrong_sum, {"corrupt gzip", "incorrect data check"});
  std::string garbled = zstd(big);
  for (std::size_t i = 20; i < 60; ++i) garbled[i] = static_cast<char>(~garbled[i]);
  refuse(garbled, {"zstd"});
  refuse(gzip(table) + "tail", {"corrupt gzip", "after its end"});
  refuse(gzip(""), {"empty"});
  refuse(gzip(gzip(table)), {"compressed twice"});
}

TEST_F(Files, BombsAreRefusedEarly) {
  const std::string zeros = gzip(std::string(3 << 20, '\0'));
  refuse(zeros, {"NUL"});
  std::string text;
  while (text.size() < 4 << 20) text += "0,0,0,0,0,0,0\n";
  const ExpansionLimits by_ratio{.free_bytes = 1 << 20, .ratio = 100, .total_bytes = std::size_t{1} << 40};
  const ExpansionLimits by_size{.free_bytes = 1 << 20, .ratio = 1 << 20, .total_bytes = 2 << 20};
  expect_error<InputError>([&] { decompress_gzip(gzip(text), "b.gz", by_ratio); }, {"b.gz", "over 100-fold"});
  expect_error<InputError>([&] { decompress_zstd(zstd(text), "b.zst", by_ratio); }, {"b.zst", "over 100-fold"});
  expect_error<InputError>([&] { decompress_zstd(zstd(text), "b.zst", by_size); }, {"memory limit"});
}

TEST_F(Files, KnownButForeignFormatsAreNamed) {
  refuse(std::string("\x6c\x1b\x01\x00", 4), {"PLINK .bed", ".bim and .fam"});
  refuse(gzip("PAR1\x15"), {"Parquet"});
  refuse("%PDF-1.4", {"PDF"});
}

TEST(Messages, ShowValuesSafely) {
  EXPECT_EQ(shown("Gr\xc3\xb6\xc3\x9f"
                  "e"),
            "'Gr\xc3\xb6\xc3\x9f"
            "e'");
  EXPECT_EQ(shown("a\x1b[31m\xff\n"), R"('a\x1b[31m\xff\x0a')");
  EXPECT_EQ(plain("a\x1b[31m\xff\n\xc2\x9b\x7f"), R"(a\x1b[31m\xff\x0a\xc2\x9b\x7f)");
  EXPECT_EQ(plain("Gr\xc3\xb6\xc3\x9f"
                  "e",
                  4),
            "Gr\xc3\xb6\xc3\x9f");
  EXPECT_EQ(plain("l\xe2\x80\xae\xe2\x81\xa6r"), R"(l\xe2\x80\xae\xe2\x81\xa6r)");
  EXPECT_EQ(plain("\xe2\x80\x93\xe2\x82\xac"), "\xe2\x80\x93\xe2\x82\xac");  // a dash and a currency
  EXPECT_EQ(plain_lines("a\tb\n\x1b"), "a\tb\n\\x1b");
  EXPECT_EQ(nearest_names("agee", {"label", "age", "Age", "sex"}), "; did you mean 'age' or 'Age'?");
  EXPECT_EQ(nearest_names("zzzzzz", {"a", "b"}), "; the columns are 'a', 'b'");
}

TEST(RealData, ReadsTheColonStudy) {
  const char* folder = std::getenv("CAVITY_DATA");
  const std::string path = std::string(folder != nullptr ? folder : CAVITY_DATA_DIR) + "/colon.csv.gz";
  if (!std::filesystem::exists(path)) {
    GTEST_SKIP() << path << " is not there; set CAVITY_DATA to the folder that holds colon.csv.gz";
  }
  const Dataset d = read_dataset(path, {.positive = "t"});
  EXPECT_EQ(d.samples(), 62U);
  EXPECT_EQ(d.features.cols(), 2000U);
  EXPECT_EQ(std::count(d.classes.begin(), d.classes.end(), 1), 40);
  EXPECT_EQ(d.feature_names.front(), "X1");
  EXPECT_EQ(d.features.dense().values.front(), 8589.42F);
}

}  // namespace
}  // namespace cavity
