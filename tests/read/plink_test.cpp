#include "read/plink.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "cavity/errors.hpp"
#include "cavity/read.hpp"
#include "support/errors.hpp"
#include "support/temp_files.hpp"

namespace cavity {
namespace {

using Names = std::vector<std::string>;
using test::expect_error;

const std::string start = "\x6c\x1b\x01";

class PlinkReader : public testing::Test {
 protected:
  // 5 samples, 2 variants: 2 bytes a variant.
  Plink read() const {
    dir_.write("g.bed", bed);
    dir_.write("g.bim", bim);
    dir_.write("g.fam", fam);
    return read_plink(plink_files(dir_.path("g")));
  }
  void refuse(std::initializer_list<std::string> parts) const {
    expect_error<InputError>([&] { read(); }, parts);
  }
  test::TempDir dir_;
  std::string bed = start + "a\1c\2";
  std::string bim = "1\trs1\t0\t100\tA\tG\n1 rs2 0 200 C T\r\n";
  std::string fam = "F1 a 0 0 1 1\nF1 b 0 0 2 2\nF2 c 0 0 0 -9\nF2 d 0 0 0 NA\nF3 e 0 0 0 2\n";
};

TEST_F(PlinkReader, FamiliesAreGroups) {
  fam = "F1 a 0 0 1 1\nF1 b 0 0 2 2\n0 c 0 0 0 -9\n0 d 0 0 0 1\nF3 e 0 0 0 2\n";
  read();
  for (const char* name : {"FID", "fid", "1"})
    EXPECT_EQ(read_dataset(dir_.path("g.bed"), {.group = name}).groups, (Names{"F1", "F1", "", "F3"})) << name;
  expect_error<UsageError>([&] { read_dataset(dir_.path("g.bed"), {.group = "patient"}); },
                           {"`group=FID`", "'patient'"});
}

TEST_F(PlinkReader, ReadsNamesPhenotypesAndSizes) {
  const Plink p = read();
  EXPECT_EQ(p.samples, 5U);
  EXPECT_EQ(p.variants, 2U);
  EXPECT_EQ(p.bytes_per_variant, 2U);
  EXPECT_EQ(p.variant_names, (Names{"rs1", "rs2"}));
  EXPECT_EQ(p.sample_names, (Names{"a", "b", "c", "d", "e"}));
  EXPECT_EQ(p.phenotypes, (Names{"1", "2", "", "", "2"}));
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(p.packed), 4), "a\1c\2");
}

TEST_F(PlinkReader, FindsTheFilesFromAnyName) {
  for (const std::string path : {"x/g", "x/g.bed", "x/g.bim", "x/g.fam"}) {
    const PlinkFiles files = plink_files(path);
    EXPECT_EQ(files.bed, "x/g.bed");
    EXPECT_EQ(files.bim, "x/g.bim");
    EXPECT_EQ(files.fam, "x/g.fam");
  }
  EXPECT_EQ(plink_files("a.b").bim, "a.b.bim");
}

TEST_F(PlinkReader, RepeatedNamesTakeMore) {
  bim = "1 . 0 100 A G\n2 . 0 100 A G\n1 rs 0 100 A T\n1 rs 0 100 A G\n";
  bed = start + "a\1c\2e\3g\1";
  fam = "F1 a 0 0 1 1\nF2 a 0 0 2 2\n\nF1 b 0 0 1 0\nF1 c 0 0 1 nan\nF1 d 0 0 1 1.0\n";
  const Plink p = read();
  EXPECT_EQ(p.variant_names, (Names{"1:100:A:G", "2:100:A:G", "1:100:A:T", "1:100:A:G_2"}));
  EXPECT_EQ(p.sample_names, (Names{"F1:a", "F2:a", "F1:b", "F1:c", "F1:d"}));
  EXPECT_EQ(p.phenotypes, (Names{"1", "2", "", "", "1.0"}));
}

TEST_F(PlinkReader, NamesMadeUpMeetNoOther) {
  bim = "1 1:5:A:G 0 9 A G\n1 . 0 5 A G\n";
  EXPECT_EQ(read().variant_names, (Names{"1:5:A:G", "1:5:A:G_2"}));
}

// Hours, were each name sought from the first number on.
TEST_F(PlinkReader, ManyVariantsAtOnePlaceTakeLinearTime) {
  constexpr std::size_t variants = 300000;
  bim.clear();
  for (std::size_t l = 0; l < variants; ++l) bim += "1 . 0 5 A G\n";
  bed = start + std::string(2 * variants, '\1');
  const Plink p = read();
  EXPECT_EQ(p.variant_names.front(), "1:5:A:G");
  EXPECT_EQ(p.variant_names[1], "1:5:A:G_2");
  EXPECT_EQ(p.variant_names.back(), "1:5:A:G_300000");
}

TEST_F(PlinkReader, RefusesABedThatIsNone) {
  bed = "abcdefg";
  refuse({"g.bed", "starts with 'abc'", "make-bed"});
  bed = "";
  refuse({"g.bed", "empty"});
  bed = "\x6c\x1b";
  refuse({"g.bed", "no calls"});
  bed = std::string("\x6c\x1b\0abcd", 7);
  refuse({"g.bed", "sample-major", "make-bed"});
  bed =
      "\x6c\x1b\x02"
      "abcd";
  refuse({"g.bed", "third byte"});
}

TEST_F(PlinkReader, RefusesSizesThatContradict) {
  bed = start + "abc";
  refuse({"g.bed", "cut short by 1 byte", "5 samples", "g.fam", "2 variants", "g.bim", "need 7 bytes", "has 6",
          "neither"});
  bed = start + "ab";
  refuse({"cut short by 2 bytes", "would fit 1 variants"});
  bed = start + "abcdef";
  refuse({"too long by 2 bytes", "would fit 3 variants"});
  bim = "1 a 0 1 A G\n1 b 0 2 A G\n1 c 0 3 A G\n";
  bed = start + "abcdefghi";
  refuse({"too long by 3 bytes", "would fit 9 to 12 samples"});
}

TEST_F(PlinkReader, RefusesCallsBeyondTheLastSample) {
  bed = start + "a\1c\4";  // of a sixth sample
  refuse({"g.bed", "variant 2", "beyond the last of the 5 samples", "g.fam", "lack a line"});
}

TEST_F(PlinkReader, RefusesLinesWithTooFewColumns) {
  fam = "F1 a 0 0 1 1\nF1 b 0 0 2\n";
  refuse({"g.fam, line 2", "5 columns", "six", "phenotype", "'F1 b 0 0 2'"});
  fam = "\n\nF1\n";
  refuse({"g.fam, line 3", "1 column "});
  fam = "";
  refuse({"g.fam", "no samples"});
  fam = "F1 a 0 0 1 1\n";
  bim = "1 rs1 0 100 A\n";
  refuse({"g.bim, line 1", "5 columns", "A1, A2"});
  bim = " \n";
  refuse({"g.bim", "no variants"});
  bim = std::string("1 rs1 0 \0 A G\n", 14);
  refuse({"g.bim, line 1", "NUL"});
}

TEST_F(PlinkReader, RefusesSamplesThatCannotBeTold) {
  fam = "F1 a 0 0 1 1\nF1 a 0 0 2 2\n";
  refuse({"g.fam, line 2", "'F1'", "'a'"});
}

TEST_F(PlinkReader, RefusesAQuantity) {
  fam = "F1 a 0 0 1 1.5\n\nF1 b 0 0 2 2.5\nF1 c 0 0 1 1.50\nF1 d 0 0 2 7\nF1 e 0 0 2 8\n";
  refuse({"g.fam, line 5, column 6", "'7'", "file of labels"});
}

TEST_F(PlinkReader, SaysWhichFileIsAbsent) {
  read();
  std::filesystem::remove(dir_.path("g.bim"));
  expect_error<IoError>([&] { read_plink(plink_files(dir_.path("g.bed"))); }, {"g.bim", "No such file"});
}

}  // namespace
}  // namespace cavity
