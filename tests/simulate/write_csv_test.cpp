#include "simulate/write_csv.hpp"
#include "cavity/read.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <limits>

#include "base/random.hpp"
#include "cavity/errors.hpp"
#include "file/atomic_file.hpp"
#include "support/errors.hpp"
#include "support/temp_files.hpp"

namespace cavity {
namespace {

using test::expect_error;

std::string random_text(Random& random, std::string text = "q") {
  const std::string alphabet = "ab,;\t\"\n\r #\xc3\xa9";
  for (std::uint64_t i = random.below(6); i > 0; --i) text += alphabet[random.below(alphabet.size())];
  return text + "zz";  // never empty, missing or a number
}

float random_float(Random& random) {
  const auto bits = static_cast<std::uint32_t>(random.bits());
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return std::isinf(value) ? 0 : value;  // NaN stays: a missing value
}

Dataset random_dataset(Random& random) {
  Dataset d;
  const std::size_t rows = 2 + random.below(20), cols = 1 + random.below(12);
  d.features = FeatureMatrix(rows, cols);
  for (float& value : d.features.dense().values) value = random_float(random);
  for (float& value : d.features.dense().values)
    value = random.below(4) == 0 ? static_cast<float>(random.below(100)) : value;
  for (std::size_t c = 0; c < cols; ++c) d.feature_names.push_back(random_text(random) + std::to_string(c));
  d.class_names = {random_text(random, "A"), random_text(random, "B")};
  d.classes.assign(rows, 0);
  for (std::size_t r = 1; r < rows; ++r) d.classes[r] = r == 1 || random.below(2) == 0 ? 1 : 0;
  return d;
}

void expect_same(const Dataset& read, const Dataset& written) {
  ASSERT_EQ(read.features.dense().values.size(), written.features.dense().values.size());
  for (std::size_t i = 0; i < read.features.dense().values.size(); ++i) {
    const float a = read.features.dense().values[i], b = written.features.dense().values[i];
    EXPECT_TRUE(a == b || (std::isnan(a) && std::isnan(b))) << a << " " << b;
  }
  EXPECT_EQ(read.feature_names, written.feature_names);
  EXPECT_EQ(read.class_names, written.class_names);
  EXPECT_EQ(read.classes, written.classes);
}

TEST(WriteCsv, RandomTablesComeBackPlainAndCompressed) {
  const test::TempDir dir;
  Random random(11);
  for (int trial = 0; trial < 200; ++trial) {
    const Dataset written = random_dataset(random);
    const std::string path = dir.path("t.csv");
    write_csv(written, path);
    expect_same(read_dataset(path), written);
    const std::string text = test::read_file(path);
    expect_same(read_dataset(dir.write("t.gz", test::gzip(text))), written);
    expect_same(read_dataset(dir.write("t.zst", test::zstd(text))), written);
    if (testing::Test::HasFailure()) FAIL() << "trial " << trial << "\n" << text;
  }
}

TEST(WriteCsv, UnlabelledTablesHaveNoLabelColumn) {
  const test::TempDir dir;
  Dataset d;
  d.features = FeatureMatrix(2, 1);
  d.features.dense().values = {1.5F, std::numeric_limits<float>::quiet_NaN()};
  d.feature_names = {"a"};
  write_csv(d, dir.path("t.csv"));
  EXPECT_EQ(test::read_file(dir.path("t.csv")), "a\n1.5\nNA\n");
  d.feature_names = {"a", "b"};
  expect_error<UsageError>([&] { write_csv(d, dir.path("t.csv")); }, {"2 x 1 features, 2 feature names"});
}

TEST(AtomicFile, ReplacesAndKeepsTheMode) {
  const test::TempDir dir;
  const std::string path = dir.write("f", "old");
  ::chmod(path.c_str(), 0640);
  std::filesystem::create_symlink(path, dir.path("link"));
  write_file_atomically(dir.path("link"), [](std::ostream& out) { out << "new"; });
  EXPECT_EQ(test::read_file(path), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(dir.path("link")));
  EXPECT_EQ(std::filesystem::status(path).permissions(), static_cast<std::filesystem::perms>(0640));
  EXPECT_EQ(dir.names().size(), 2U);
}

TEST(AtomicFile, FailureLeavesTheOldFileAndNothingElse) {
  const test::TempDir dir;
  const std::string path = dir.write("f", "old");
  const auto broken = [](std::ostream& out) {
    out << std::string(200000, 'x');
    throw InputError("half way");
  };
  expect_error<InputError>([&] { write_file_atomically(path, broken); }, {"half way"});
  EXPECT_EQ(test::read_file(path), "old");
  EXPECT_EQ(dir.names().size(), 1U);
}

TEST(AtomicFile, AFullDiskLeavesTheOldFileAndNothingElse) {
  const test::TempDir dir;
  const std::string path = dir.write("f", "old");
  rlimit saved{};
  ::getrlimit(RLIMIT_FSIZE, &saved);
  const rlimit small{100000, saved.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &small);
  expect_error<IoError>(
      [&] { write_file_atomically(path, [](std::ostream& out) { out << std::string(300000, 'x'); }); },
      {"cannot write", "File too large"});
  ::setrlimit(RLIMIT_FSIZE, &saved);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(test::read_file(path), "old");
  EXPECT_EQ(dir.names().size(), 1U);
}

TEST(AtomicFile, SystemErrorsSayWhy) {
  const test::TempDir dir;
  const auto write = [](std::ostream& out) { out << "text"; };
  expect_error<IoError>([&] { write_file_atomically(dir.path("no/such/f"), write); }, {"no/such/f", "No such file"});
  expect_error<IoError>([&] { write_file_atomically(dir.path(""), write); }, {"directory"});
  if (std::filesystem::exists("/dev/full")) {
    expect_error<IoError>([&] { write_file_atomically("/dev/full", write); }, {"No space left"});
  }
}

}  // namespace
}  // namespace cavity
