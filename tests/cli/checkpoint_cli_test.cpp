// A fit that is killed and resumed writes the model, to the byte, of the fit that was not.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/random.hpp"
#include "support/csv_tables.hpp"
#include "support/processes.hpp"
#include "support/run_cavity.hpp"

namespace cavity::test {
namespace {

class CheckpointCli : public testing::Test {
 protected:
  CheckpointCli() { folder.write("data.csv", separable_table(60, 300).csv()); }
  std::string at(const std::string& name) const { return folder.path(name); }
  std::string fit(const std::string& rest) const { return "fit -q " + at("data.csv") + " " + rest; }
  std::string kept() const { return fit("--checkpoint " + at("c") + " --checkpoint-minutes 0 -o " + at("m.cavity")); }
  TempDir folder;
};

TEST_F(CheckpointCli, AKilledFitIsResumed) {
  expect_ok(run_cavity(fit("-o " + at("whole.cavity"))), "whole");
  const pid_t child = start_process(CAVITY_BINARY " " + kept());
  ASSERT_TRUE(wait_until([&] { return std::filesystem::exists(at("c")); }));
  ::kill(child, SIGKILL);
  const int status = ending_of(child).value();
  ASSERT_TRUE(WIFSIGNALED(status)) << "it ended before it was killed";
  EXPECT_FALSE(std::filesystem::exists(at("m.cavity")));
  expect_refusal(kept(), 2, {"is there already", "--resume"});
  const auto json = run_json(kept() + " --resume");
  EXPECT_GE(json["resources"]["resumed_cells"], 1);
  EXPECT_LT(json["resources"]["resumed_cells"], 28);
  EXPECT_TRUE(read_file(at("m.cavity")) == read_file(at("whole.cavity")));
  EXPECT_FALSE(std::filesystem::exists(at("c")));
}

TEST_F(CheckpointCli, KilledAgainAndAgainItGetsThere) {
  expect_ok(run_cavity(fit("-o " + at("whole.cavity"))), "whole");
  Random random(1);
  for (int kills = 0; kills < 6 && !std::filesystem::exists(at("m.cavity")); ++kills) {
    const pid_t child = start_process(CAVITY_BINARY " " + kept() + " --resume");
    std::this_thread::sleep_for(std::chrono::duration<double>(random.uniform()));
    ::kill(child, SIGKILL);
    ending_of(child);
  }
  if (!std::filesystem::exists(at("m.cavity"))) expect_ok(run_cavity(kept() + " --resume"), "resumed");
  EXPECT_TRUE(read_file(at("m.cavity")) == read_file(at("whole.cavity")));
}

TEST_F(CheckpointCli, WhatCannotBeResumedIsRefused) {
  const pid_t child = start_process(CAVITY_BINARY " " + kept());
  ASSERT_TRUE(wait_until([&] { return std::filesystem::exists(at("c")); }));
  ::kill(child, SIGKILL);
  ending_of(child);
  expect_refusal(kept() + " --resume --density 0.5", 2, {"another fit", "density", "remove"});
  const std::string table = read_file(at("data.csv"));
  folder.write("data.csv", separable_table(60, 300, 2).csv());
  expect_refusal(kept() + " --resume", 3, {"another fit", "values"});
  folder.write("data.csv", table);
  std::string bytes = read_file(at("c"));
  folder.write("c", bytes.substr(0, bytes.size() / 2));
  expect_refusal(kept() + " --resume", 3, {"the checkpoint is damaged", "cut short", "remove it to start again"});
  EXPECT_FALSE(std::filesystem::exists(at("m.cavity")));
}

TEST_F(CheckpointCli, OptionsThatMakeNoSense) {
  expect_refusal(fit("--resume"), 2, {"--checkpoint"});
  expect_refusal(fit("--checkpoint -"), 2, {"standard output"});
  expect_refusal(fit("--checkpoint-minutes -1"), 2, {"--checkpoint-minutes"});
  expect_refusal(fit("--checkpoint " + at("data.csv")), 2, {"of its own"});
  expect_refusal(fit("--checkpoint " + at("m") + " -o " + at("./m")), 2, {"of its own"});
  expect_refusal(fit("--checkpoint " + at("no/c")), 5, {"no/c"});
  expect_refusal(fit("--method fda --checkpoint " + at("c")), 2, {"--checkpoint", "sbc"});
}

TEST_F(CheckpointCli, AFullDiskLeavesTheLastCheckpoint) {
  const Outcome outcome = run_shell("ulimit -f 4; cavity " + kept());
  EXPECT_EQ(outcome.code, 5) << outcome.err;
  EXPECT_NE(outcome.err.find("File too large"), std::string::npos) << outcome.err;
  EXPECT_EQ(folder.names(), std::vector<std::string>{"data.csv"});
}

}  // namespace
}  // namespace cavity::test
