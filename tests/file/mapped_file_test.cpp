#include "file/mapped_file.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "cavity/errors.hpp"
#include "support/errors.hpp"
#include "support/temp_files.hpp"

namespace cavity {
namespace {

TEST(MappedFile, HoldsTheBytesOfTheFile) {
  const test::TempDir dir;
  std::string bytes(100'000, 'x');
  bytes[77'777] = '\0';
  const MappedFile file(dir.write("f", bytes));
  EXPECT_EQ(file.bytes(), bytes);
  EXPECT_EQ(file.size(), bytes.size());
  file.advise_repeated();
  const char* const begin = file.bytes().data();
  for (const std::size_t first : {0U, 1U, 5000U, 49'999U}) {
    file.release(begin + first, begin + 50'000);  // pages given back are read again
    EXPECT_EQ(file.bytes(), bytes);
  }
  EXPECT_EQ(MappedFile(dir.write("empty", "")).bytes(), "");
}

TEST(MappedFile, OutlivesItsNameAndMoves) {
  const test::TempDir dir;
  MappedFile first(dir.write("f", "abc"));
  std::filesystem::remove(dir.path("f"));
  const MappedFile second(std::move(first));
  EXPECT_EQ(second.bytes(), "abc");
}

TEST(MappedFile, SaysWhyItCannot) {
  const test::TempDir dir;
  test::expect_error<IoError>([&] { MappedFile(dir.path("absent")); }, {"absent", "No such file"});
  test::expect_error<IoError>([&] { MappedFile(dir.path("")); }, {"directory"});
  test::expect_error<IoError>([&] { MappedFile("/dev/null"); }, {"/dev/null"});
}

}  // namespace
}  // namespace cavity
