// What is left behind when a command is killed at any moment, when the disk is full, and when its output goes nowhere:
// the old file or the new one, whole. CAVITY_KILLS sets how often each command is killed.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "base/random.hpp"
#include "cavity/fit.hpp"
#include "cavity/model_file.hpp"
#include "support/csv_tables.hpp"
#include "support/processes.hpp"
#include "support/run_cavity.hpp"

namespace cavity::test {
namespace {

using Clock = std::chrono::steady_clock;

int kills() {
  const char* asked = std::getenv("CAVITY_KILLS");
  return asked ? std::atoi(asked) : 10;
}

pid_t start(const std::string& arguments) { return start_process(CAVITY_BINARY " " + arguments); }

/// Runs the command to its end once, then kills it `kills()` times at moments spread over that time; `prepare` comes
/// before each run and `check` after it. Returns how many runs were alive when the kill came.
int kill_repeatedly(const std::string& command, const std::function<void()>& prepare,
                    const std::function<void()>& check) {
  prepare();
  const auto begin = Clock::now();
  int status = 0;
  ::waitpid(start(command), &status, 0);
  EXPECT_EQ(status, 0) << command;
  const double duration = std::chrono::duration<double>(Clock::now() - begin).count();
  Random random(static_cast<std::uint64_t>(kills()));
  int alive = 0;
  for (int i = 0; i < kills() && !testing::Test::HasFailure(); ++i) {
    prepare();
    const pid_t child = start(command);
    std::this_thread::sleep_for(std::chrono::duration<double>(1.05 * duration * random.uniform()));
    ::kill(child, SIGKILL);
    ::waitpid(child, &status, 0);
    alive += WIFSIGNALED(status) ? 1 : 0;
    check();
  }
  return alive;
}

class InterruptedFiles : public testing::Test {
 protected:
  InterruptedFiles() { folder.write("data.csv", separable_table(30, 40).csv()); }
  std::string at(const std::string& name) const { return folder.path(name); }
  TempDir folder;
};

TEST_F(InterruptedFiles, AKilledFitLeavesTheOldModelOrTheNewOne) {
  expect_ok(run_cavity("fit -q --density 0.1 --noise 0.05 " + at("data.csv") + " -o " + at("old.cavity")), "old");
  const std::string command = "fit -q " + at("data.csv") + " -o " + at("m.cavity");
  expect_ok(run_cavity(command), "new");
  const std::string old = read_file(at("old.cavity")), fresh = read_file(at("m.cavity"));
  ASSERT_NE(old, fresh);
  const int alive = kill_repeatedly(
      command, [&] { folder.write("m.cavity", old); },
      [&] {
        const std::string now = read_file(at("m.cavity"));
        EXPECT_TRUE(now == old || now == fresh) << now.size() << " bytes";
        EXPECT_NO_THROW(load_model(at("m.cavity")));
      });
  EXPECT_GT(alive, 0);
}

TEST_F(InterruptedFiles, AKilledComparisonLeavesWholeSplitsAndIsResumed) {
  const std::string csv = at("splits.csv");
  const std::string command = "compare " + at("data.csv") + " --methods fda,fda-shrunk --splits 200 --train 20 -o ";
  expect_ok(run_cavity(command + at("whole.csv")), "whole");
  const std::string whole = read_file(at("whole.csv"));
  kill_repeatedly(
      command + csv, [&] { std::filesystem::remove(csv); },
      [&] {
        if (!std::filesystem::exists(csv)) return;  // killed before the first split
        expect_ok(run_cavity(command + csv + " --resume"), "resumed");
        EXPECT_EQ(read_file(csv), whole);
      });
}

TEST_F(InterruptedFiles, AKilledReproductionLeavesWholeFiles) {
  const std::string command = "reproduce fig3 --quick -q --out " + at("out");
  expect_ok(run_cavity(command), command);
  std::map<std::string, std::string> whole;
  for (const auto& entry : std::filesystem::directory_iterator(at("out")))
    whole[entry.path().filename().string()] = read_file(entry.path().string());
  ASSERT_GE(whole.size(), 2U);  // and the page, where the build has one
  kill_repeatedly(
      command, [&] { std::filesystem::remove_all(at("out")); },
      [&] {
        for (const auto& [name, content] : whole) {
          const std::string path = at("out/" + name);
          EXPECT_TRUE(!std::filesystem::exists(path) || read_file(path) == content) << name;
        }
      });
}

// No room for the file: the reason, exit code 5, the old file, and no other.
TEST_F(InterruptedFiles, AFullDiskLeavesTheOldFile) {
  const std::string fit = "cavity fit -q --density 0.1 --noise 0.05 " + at("data.csv") + " -o ";
  const std::string limited = "ulimit -f 4; ";  // blocks of 512 bytes: far less than a model
  folder.write("m.cavity", "old");
  const Outcome outcome = run_shell(limited + fit + at("m.cavity"));
  EXPECT_EQ(outcome.code, 5) << outcome.err;
  EXPECT_NE(outcome.err.find("m.cavity: File too large"), std::string::npos) << outcome.err;
  EXPECT_EQ(read_file(at("m.cavity")), "old");
  EXPECT_EQ(run_shell(limited + "cavity simulate --samples 50 --features 50 -o " + at("x.csv")).code, 5);
  EXPECT_EQ(
      run_shell(limited +
                "cavity theory sweep --vary ratio --from 0.5 --to 2 --count 40 --noise 0.05 --teacher 0.1 --svg " +
                at("x.svg"))
          .code,
      5);
  EXPECT_EQ(folder.names().size(), 2U);  // the data and the old model
}

TEST_F(InterruptedFiles, AFullFileSystemLeavesTheOldFile) {
  const std::string disk = at("disk");
  std::filesystem::create_directory(disk);
  const std::string script = folder.write(
      "script", "mount -t tmpfs -o size=16k tmpfs " + disk + " || exit 99\nprintf old >" + disk + "/m.cavity\n" +
                    CAVITY_BINARY " fit -q --density 0.1 --noise 0.05 " + at("data.csv") + " -o " + disk +
                    "/m.cavity\ncode=$?\ncat " + disk + "/m.cavity\nls -A " + disk + "\nexit $code\n");
  const Outcome outcome = run_shell("unshare -rm sh " + script);
  if (outcome.code == 99 || outcome.err.find("unshare") != std::string::npos)
    GTEST_SKIP() << "no file system may be mounted here: " << outcome.err;
  EXPECT_EQ(outcome.code, 5) << outcome.err;
  EXPECT_NE(outcome.err.find("No space left on device"), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.out, "oldm.cavity\n");
}

}  // namespace
}  // namespace cavity::test
