// What little compressed data may ask for.
#include <gtest/gtest.h>

#include "cavity/errors.hpp"
#include "cavity/read.hpp"
#include "file/memory_budget.hpp"
#include "support/errors.hpp"
#include "support/temp_files.hpp"

namespace cavity {
namespace {

using test::expect_error;

TEST(MemoryBudget, CountsLinesColumnsAndValues) {
  const std::size_t one = bytes_to_read("a"), column = bytes_to_read("a,b") - one - 2;
  EXPECT_EQ(bytes_to_read("a\tb;c d") - one - 6, 3 * column);  // whatever separates
  const std::size_t line = bytes_to_read("a,b\nc,d") - bytes_to_read("a,b") - 4;
  EXPECT_EQ(bytes_to_read("a,b\nc,d\ne,f") - bytes_to_read("a,b\nc,d") - 4, line);
  EXPECT_LT(bytes_to_read("a,b\nc"), bytes_to_read("a,b\nc,d"));
}

TEST(MemoryBudget, ManyColumnsOrLinesOfFewBytesAreRefusedInNumbers) {
  const std::string commas(3'000'000, ','), lines(3'000'000, '\n');
  for (const std::string& text : {commas, lines}) {
    expect_error<InputError>([&] { check_unpacked(text, 3000, 0, "t.gz"); },
                             {"t.gz: 3000 compressed bytes", "MB of memory", "`memory="});
    EXPECT_NO_THROW(check_unpacked(text, 3000, 1'000'000'000, "t.gz"));  // allowed
    EXPECT_NO_THROW(check_unpacked(text, 1'000'000, 0, "t.gz"));         // as long as real tables are
  }
  EXPECT_NO_THROW(check_unpacked(commas.substr(0, 100'000), 100, 0, "t.gz"));
}

// Commas that were there are told from what was made of them: the plain file is read.
TEST(MemoryBudget, ThePlainFileIsTaken) {
  test::TempDir folder;
  const std::string text = "label" + std::string(1'500'000, ',') + "\nt" + std::string(1'500'000, ',') + "\n";
  expect_error<InputError>([&] { read_dataset(folder.write("t.gz", test::gzip(text))); }, {"columns", "decompress"});
  expect_error<InputError>([&] { read_dataset(folder.write("t.csv", text)); }, {"1 class"});
}

}  // namespace
}  // namespace cavity
