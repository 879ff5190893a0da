#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "cavity/errors.hpp"
#include "cavity/read.hpp"
#include "support/errors.hpp"
#include "support/temp_files.hpp"

namespace cavity {
namespace {

using test::expect_error;
using test::npy;
using test::raw;

class Npy : public testing::Test {
 protected:
  Dataset read(const std::string& bytes, ReadOptions options = {.labels_required = false}) {
    return read_dataset(dir_.write("t.csv", bytes), options);
  }
  template <class T>
  void expect_values(const std::string& type, const std::vector<T>& values) {
    for (int version = 1; version <= 3; ++version) {
      const Dataset d = read(npy(type, "(2, 3)", raw(values), false, version));
      EXPECT_EQ(d.features.rows(), 2U);
      EXPECT_EQ(d.feature_names, (std::vector<std::string>{"x1", "x2", "x3"}));
      for (std::size_t i = 0; i < 6; ++i)
        EXPECT_EQ(d.features.dense().values[i], static_cast<float>(values[i])) << type;
    }
  }
  void refuse(const std::string& bytes, std::initializer_list<std::string> parts) {
    expect_error<InputError>([&] { read(bytes); }, parts);
  }
  test::TempDir dir_;
};

TEST_F(Npy, ReadsEveryNumericType) {
  expect_values<float>("<f4", {1, -2.5F, 3, 4, 5, 6});
  expect_values<double>("<f8", {1, -2.5, 1e-3, 4, 5, 6});
  expect_values<std::int8_t>("|i1", {1, -2, 3, 4, 5, 127});
  expect_values<std::int16_t>("<i2", {1, -2, 3, 4, 5, 32767});
  expect_values<std::int32_t>("<i4", {1, -2, 3, 4, 5, 70000});
  expect_values<std::int64_t>("<i8", {1, -2, 3, 4, 5, 5000000000});
  expect_values<std::uint8_t>("|u1", {1, 2, 3, 4, 5, 255});
  expect_values<std::uint16_t>("<u2", {1, 2, 3, 4, 5, 65535});
  expect_values<std::uint32_t>("<u4", {1, 2, 3, 4, 5, 4000000000});
  expect_values<std::uint64_t>("<u8", {1, 2, 3, 4, 5, 5000000000});
  expect_values<std::uint8_t>("|b1", {1, 0, 1, 0, 0, 1});
}

TEST_F(Npy, ReadsFortranOrder) {
  const std::size_t rows = 70, cols = 131;  // around the tile
  std::vector<double> values(rows * cols);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
  const Dataset d = read(npy("<f8", "(70, 131)", raw(values), true));
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < cols; ++c) EXPECT_EQ(d.features.dense().row(r)[c], static_cast<float>(c * rows + r));
  }
}

TEST_F(Npy, ReadsCompressedAndLarge) {
  std::vector<float> values(1100 * 2000);  // 8.8 MB: more than one strip
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 4093);
  const std::string bytes = npy("<f4", "(1100, 2000)", raw(values));
  EXPECT_EQ(read(bytes).features.dense().values, values);
  EXPECT_EQ(read(test::gzip(bytes)).features.dense().values, values);
  EXPECT_EQ(read(test::zstd(bytes)).features.dense().values, values);
}

/// 17 MB of float32, enough to be used where it stands.
std::vector<float> many_values() {
  std::vector<float> values(2125 * 2000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 4093);
  return values;
}

std::vector<float> copied(const FeatureMatrix& m) { return {m.data(), m.data() + m.rows * m.cols}; }

TEST_F(Npy, LargeFloatsAreUsedWhereTheyStand) {
  const std::vector<float> values = many_values();
  const std::string bytes = npy("<f4", "(2125, 2000)", raw(values));
  for (const auto& content : {bytes, test::zstd(bytes)}) {
    Dataset d = read(content);
    EXPECT_TRUE(d.features.dense().values.empty());
    EXPECT_NE(d.features.dense().keeper, nullptr);
    std::filesystem::remove(dir_.path("t.csv"));  // as replacing it does: the bytes stay
    FeatureMatrix copy = d.features.dense();
    d = {};
    EXPECT_EQ(copied(copy), values);
    copy.own();
    EXPECT_EQ(copy.keeper, nullptr);
    EXPECT_EQ(copy.values, values);
  }
}

TEST_F(Npy, OtherLargeArraysAreConverted) {
  const std::vector<float> values = many_values();
  EXPECT_EQ(
      read(npy("<f8", "(2125, 2000)", raw(std::vector<double>(values.begin(), values.end())))).features.dense().values,
      values);
  std::string crooked = npy("<f4", "(2125, 2000)", raw(values));
  crooked.insert(crooked.find('}') + 1, " ");  // the values start at an odd byte
  ++crooked[8];
  EXPECT_EQ(read(crooked).features.dense().values, values);
  const Dataset columns = read(npy("<f4", "(2125, 2000)", raw(values), true));
  EXPECT_EQ(columns.features.dense().values[1], values[2125]);
}

TEST_F(Npy, LargeArraysAreCheckedAllTheSame) {
  std::vector<float> values = many_values();
  refuse(npy("<f4", "(2126, 2000)", raw(values)), {"does not fit", "truncated"});
  values[2000 * 2000 + 6] = std::numeric_limits<float>::infinity();
  refuse(npy("<f4", "(2125, 2000)", raw(values)), {"row 2001, column 7 (x7)"});
}

TEST_F(Npy, ChecksSizesBeforeMemory) {
  refuse(npy("<f4", "(1000000000000, 1000000000000)", ""), {"does not fit", "truncated"});
  refuse(npy("<f4", "(1000000000000, 0)", ""), {"no features"});
  refuse(npy("<f4", "(0, 5)", ""), {"no samples"});
  refuse(npy("<f4", "(99999999999999999999999999, 2)", ""), {"shape"});
  refuse(npy("<f4", "(2, 3)", raw<float>({1, 2, 3})), {"(2, 3)", "12 bytes"});
  refuse(npy("<f4", "(2, 3)", raw<float>({1, 2, 3, 4, 5, 6, 7})), {"28 bytes"});
}

TEST_F(Npy, RefusesWhatItCannotRead) {
  const std::string data = raw<float>({1, 2, 3, 4});
  refuse(npy(">f4", "(2, 2)", data), {"big-endian", "astype('<f4')"});
  refuse(npy("<f2", "(2, 2)", data), {"'<f2'", "not supported"});
  refuse(npy("|S4", "(2, 2)", data), {"not supported"});
  refuse(npy("<f4", "(4,)", data), {"2-D"});
  refuse(npy("<f4", "(1, 2, 2)", data), {"2-D"});
  refuse(npy("<f4", "()", data), {"2-D"});
  refuse(npy("<f4", "[2, 2]", data), {"shape"});
  refuse(npy("<f4", "(2, 2)", data, false, 4), {"version 4"});
  refuse(npy("<f4", "(2, 2)", data).substr(0, 40), {"truncated header"});
  refuse(std::string("\x93NUMPY\x01\x00", 8), {"truncated header"});
  refuse(std::string("\x93NUMPY\x01\x00\x04\x00{}  ", 14), {"no descr"});
}

TEST_F(Npy, InfinityIsAnErrorAndNanIsMissing) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(std::isnan(read(npy("<f4", "(1, 2)", raw<float>({1, nan}))).features.dense().values[1]));
  refuse(npy("<f4", "(2, 2)", raw<float>({1, 2, 3, -std::numeric_limits<float>::infinity()})),
         {"row 2, column 2 (x2)"});
  refuse(npy("<f8", "(1, 2)", raw<double>({1, 1e300})), {"row 1, column 2"});
}

TEST_F(Npy, LabelsComeFromTheirOwnFile) {
  const std::string bytes = npy("<f4", "(3, 1)", raw<float>({1, 2, 3}));
  const auto with = [&](const std::string& labels) {
    return read(bytes, {.labels_file = dir_.write("labels.txt", labels)});
  };
  EXPECT_EQ(with("t\nn\nt\n").classes, (std::vector<std::uint32_t>{1, 0, 1}));
  EXPECT_EQ(with("kind\r\n\"t\"\r\nn\r\nt\r\n\r\n").classes, (std::vector<std::uint32_t>{1, 0, 1}));
  EXPECT_EQ(with(test::gzip("0\n1\n1")).classes, (std::vector<std::uint32_t>{0, 1, 1}));
  expect_error<InputError>([&] { with("t\nn\n"); }, {"labels.txt", "2 labels for 3 samples"});
  expect_error<InputError>([&] { with("t\nn\nt\nn\nt\n"); }, {"5 labels for 3 samples"});
  expect_error<InputError>([&] { with("t\n\nt\n"); }, {"labels.txt, line 2", "missing"});
  expect_error<InputError>([&] { with("t\nt\nt\n"); }, {"labels.txt", "1 class"});
  expect_error<UsageError>([&] { read(bytes, {}); }, {"file of their own"});
  expect_error<UsageError>([&] { read(bytes, {.covariates = {"age"}, .labels_required = false}); },
                           {"no named columns"});
  expect_error<IoError>([&] { read(bytes, {.labels_file = dir_.path("absent")}); }, {"absent", "No such file"});
}

}  // namespace
}  // namespace cavity
