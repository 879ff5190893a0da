// However cavity is started: with closed or full streams, limits on memory and processes, and signals. Every end has a
// documented exit code.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "support/csv_tables.hpp"
#include "support/processes.hpp"
#include "support/run_cavity.hpp"

namespace cavity::test {
namespace {

class SurroundingsCli : public testing::Test {
 protected:
  SurroundingsCli() : data(folder.write("s.csv", separable_table(20, 15).csv())) {}
  std::string at(const std::string& name) const { return folder.path(name); }
  std::string fit(const std::string& rest = "") const {
    return "cavity fit --density 0.1 --noise 0.05 " + data + " -o " + at("m.cavity") + " " + rest;
  }
  TempDir folder;
  std::string data;
};

TEST_F(SurroundingsCli, MessagesThatCannotBeWrittenChangeNothing) {
  expect_ok(run_shell(fit("-q")), "fit");
  const std::string model = read_file(at("m.cavity"));
  for (const char* lost : {"2>/dev/full", "2>&-", ">/dev/null 2>&-"}) {
    std::filesystem::remove(at("m.cavity"));
    expect_ok(run_shell(fit("--checkpoint " + at("part ") + lost)), lost);
    EXPECT_EQ(read_file(at("m.cavity")), model) << lost;
    EXPECT_FALSE(std::filesystem::exists(at("part"))) << lost;
  }
  const std::string compare = "cavity compare --splits 1 --methods fda " + data + " ";
  expect_ok(run_shell(compare + "2>/dev/full"), compare);
}

TEST_F(SurroundingsCli, AClosedStreamIsNoOtherFile) {
  expect_ok(run_shell(fit("-q")), "fit");
  const Outcome in = run_shell("cavity predict " + at("m.cavity") + " - <&-");
  EXPECT_EQ(in.code, 5);
  EXPECT_NE(in.err.find("standard input: Bad file descriptor"), std::string::npos) << in.err;
  const Outcome out = run_shell("cavity predict -q " + at("m.cavity") + " " + data + " >&-");
  EXPECT_EQ(out.code, 5) << out.err;
  EXPECT_EQ(run_shell("cavity predict " + at("m.cavity") + " " + data + " <&- >&- 2>&-").code, 5);
  EXPECT_EQ(run_shell("cavity --help >/dev/full").code, 5);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// Stacks of 4 GB, of which two fit: the third thread cannot start.
TEST_F(SurroundingsCli, ThreadsThatCannotStartAreDoneWithout) {
  expect_ok(run_shell(fit("-q")), "fit");
  const std::string model = read_file(at("m.cavity"));
  const std::string limits = "ulimit -s 4000000; ulimit -v 11000000; ";
  const Outcome limited = run_shell(limits + "timeout 100 " CAVITY_BINARY + fit("-q --threads 8").substr(6));
  EXPECT_EQ(limited.code, 0) << limited.err;
  EXPECT_EQ(read_file(at("m.cavity")), model);
}

TEST_F(SurroundingsCli, LittleMemoryIsAnAnswerOrASentence) {
  for (const int kilobytes : {20000, 22000, 25000, 30000, 40000, 60000}) {
    const Outcome outcome = run_shell(
        fmt::format("ulimit -v {}; timeout 100 {}{}", kilobytes, CAVITY_BINARY, fit("-q --threads 4").substr(6)));
    if (outcome.err.find("shared librar") != std::string::npos) continue;  // not even the program fits
    EXPECT_TRUE(outcome.code == 0 || outcome.code == 5) << kilobytes << ": " << outcome.code << outcome.err;
  }
}
#endif

TEST_F(SurroundingsCli, WhoStopsItFindsNoHalfWrittenFile) {
  const auto temporary = [&] {
    return std::ranges::any_of(folder.names(), [](const std::string& name) { return name.ends_with(".tmp"); });
  };
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const pid_t child = start_process(CAVITY_BINARY " simulate --samples 2000 --features 20000 -o " + at("big.csv"));
    ASSERT_TRUE(wait_until(temporary));
    ::kill(child, signal);
    const std::optional<int> status = ending_of(child);
    ASSERT_TRUE(status);
    EXPECT_TRUE(WIFSIGNALED(*status) && WTERMSIG(*status) == signal) << *status;
    EXPECT_EQ(folder.names(), std::vector<std::string>{"s.csv"});
  }
}

// The reader waits at a pipe for labels while the table, which is mapped, is shortened.
TEST_F(SurroundingsCli, AFileThatIsShortenedWhileItIsReadEndsWithASentence) {
  const std::size_t samples = 40, features = 100'000;
  const std::string table = folder.write(
      "t.npy", npy("<f4", fmt::format("({}, {})", samples, features), raw(std::vector<float>(samples * features, 1))));
  const std::string pipe = at("labels");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  folder.write("m.cavity", "old");
  const pid_t child =
      start_process(CAVITY_BINARY " fit " + table + " --labels " + pipe + " -o " + at("m.cavity"), at("said"));
  const auto mapped = [&] { return read_file(fmt::format("/proc/{}/maps", child)).find("t.npy") != std::string::npos; };
  ASSERT_TRUE(wait_until(mapped));
  std::filesystem::resize_file(table, 4096);
  std::ofstream(pipe) << "t\nn\n"
                      << [] {
                           std::string lines;
                           for (int i = 2; i < 40; ++i) lines += i % 2 ? "n\n" : "t\n";
                           return lines;
                         }();
  const std::optional<int> status = ending_of(child);
  ASSERT_TRUE(status);
  EXPECT_TRUE(WIFEXITED(*status)) << *status;
  EXPECT_EQ(WEXITSTATUS(*status), 5);
  EXPECT_NE(read_file(at("said")).find("has shortened a file"), std::string::npos) << read_file(at("said"));
  EXPECT_EQ(read_file(at("m.cavity")), "old");
}

}  // namespace
}  // namespace cavity::test
