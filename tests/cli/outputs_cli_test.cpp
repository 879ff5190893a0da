// Nothing that a command reads, or has just written, is replaced by what it writes, under whatever name; and what
// cannot be written is refused before the work.
#include <gtest/gtest.h>

#include <filesystem>

#include "support/csv_tables.hpp"
#include "support/run_cavity.hpp"

namespace cavity::test {
namespace {

class OutputsCli : public testing::Test {
 protected:
  OutputsCli() : data(folder.write("s.csv", separable_table(20, 15).csv())), before(read_file(data)) {}
  std::string at(const std::string& name) const { return folder.path(name); }
  std::string fit(const std::string& rest) const {
    return "fit -q --density 0.1 --noise 0.05 --threads 1 " + data + " " + rest;
  }
  void refuse(const std::string& arguments, std::initializer_list<std::string> parts) {
    expect_refusal(arguments, 2, parts);
    EXPECT_EQ(read_file(data), before) << arguments;
  }
  TempDir folder;
  std::string data, before;
};

TEST_F(OutputsCli, AnInputIsNotReplaced) {
  for (const char* option : {"-o", "--loo", "--checkpoint"})
    refuse(fit(option + (" " + data)), {option, data, "would replace the data"});
  const std::string sheet = folder.write("sheet.csv", "id,age\n"), labels = folder.write("labels", "t\n");
  refuse(fit("--samples " + sheet + " -o " + sheet), {"-o", "would replace the sample sheet"});
  refuse(fit("--labels " + labels + " --loo " + labels), {"--loo", "would replace the labels"});
  refuse(fit("--covariate-file " + sheet + " -o " + sheet), {"would replace the covariates"});
  refuse("stability -q " + data + " -o " + data, {"would replace the data"});
  refuse("compare -q --splits 1 --resume " + data + " -o " + data, {"would replace the data"});
  folder.write("t.fam", "");
  refuse("fit -q " + at("t.bed") + " -o " + at("t.fam"), {"would replace the data"});
}

TEST_F(OutputsCli, AnotherNameOfAnInputIsTheSame) {
  std::filesystem::create_symlink(data, at("link.csv"));
  std::filesystem::create_hard_link(data, at("hard.csv"));
  for (const std::string& name :
       {at("link.csv"), at("hard.csv"), at("./s.csv"),
        at("../" + std::filesystem::path(at(".")).parent_path().filename().string() + "/s.csv")})
    refuse(fit("-o " + name), {"would replace the data"});
  const Outcome piped = run_shell("cavity fit -q - -o " + data + " <" + data);
  EXPECT_EQ(piped.code, 2) << piped.err;
  EXPECT_EQ(read_file(data), before);
}

TEST_F(OutputsCli, TwoOutputsAreTwoFiles) {
  refuse(fit("-o " + at("x") + " --loo " + at("x")), {"-o " + at("x"), "--loo " + at("x"), "one file"});
  refuse(fit("-o " + at("x") + " --checkpoint " + at("./x")), {"-o", "--checkpoint", "one file"});
  refuse("simulate --samples 5 --features 5 -o " + at("x") + " --labels " + at("x"), {"-o", "--labels", "one file"});
  refuse("simulate --samples 5 --features 5 -o " + at("x") + " --teacher-file " + at("x"), {"--teacher-file"});
  EXPECT_EQ(folder.names().size(), 1U);
  expect_ok(run_cavity(fit("-o /dev/null --loo /dev/null")), "devices take any number");
}

TEST_F(OutputsCli, ReproducedFilesSpareTheData) {
  std::filesystem::create_directory(at("out"));
  const std::string colon = folder.write("out/table1.csv", before);
  refuse("reproduce table1 -q --quick --data " + colon + " --out " + at("out"), {"--out", "would replace the data"});
  EXPECT_EQ(read_file(colon), before);
}

TEST_F(OutputsCli, ANameThatIsTooLongIsSaidBeforeTheWork) {
  const std::string name = at(std::string(300, 'x'));
  for (const char* option : {"-o ", "--loo ", "--checkpoint "})
    expect_refusal(fit(option + name), 5, {"cannot write", "File name too long"});
  expect_refusal("simulate --samples 5 --features 5 -o " + name, 5, {"File name too long"});
  EXPECT_EQ(folder.names().size(), 1U);
  const std::string longest = at(std::string(255, 'x'));
  expect_ok(run_cavity(fit("-o " + longest)), "the longest name");
  EXPECT_TRUE(std::filesystem::exists(longest));
}

}  // namespace
}  // namespace cavity::test
