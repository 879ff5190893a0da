// Every call for memory and every call of the system may fail: whatever fails, the command ends with what it would have
// said or with exit code 3 or 5 and a message, in time, with the old file or the new one, and nothing beside it.
// Usually some of the calls, spread over each command; all of them with CAVITY_VALIDATE (`make validate`).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "support/csv_tables.hpp"
#include "support/processes.hpp"
#include "support/run_cavity.hpp"

namespace cavity::test {
namespace {

struct Command {
  const char* name;
  std::string arguments;  // DATA: a table, MODEL: a model of it, OUT: where the output goes
};

const std::string one_cell = " --density 0.3 --noise 0.1 --threads 1 -q ";
const Command commands[] = {
    {"fit", "fit DATA -o OUT --threads 1 -q --checkpoint CHECK --density 0.3,0.1 --noise 0.1"},
    {"predict", "predict MODEL DATA"},
    {"predict_stdin", "predict MODEL -"},
    {"compare", "compare DATA -o OUT --splits 2 --methods fda,sbc-ep -q --threads 1"},
    {"stability", "stability DATA -o OUT --pairs 2" + one_cell},
    {"features", "features MODEL --json"},
};

struct Ending {
  int code = -1;  // -1: it hung; above 128: a signal
  std::string out, said, written;
  std::map<std::string, long> counts;
};

class Torture : public testing::TestWithParam<Command> {
 protected:
  void SetUp() override {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(CAVITY_COVERAGE)
    GTEST_SKIP() << "memory is the sanitizer's";
#endif
    folder.write("s.csv.gz", gzip(separable_table(16, 6).csv()));
    expect_ok(run_cavity("fit " + folder.path("s.csv.gz") + " -o " + folder.path("model") + one_cell), "model");
  }

  /// compare makes its table and appends to it; the others replace what is there.
  static bool appends() { return std::string_view(GetParam().name) == "compare"; }

  std::string filled() const {
    std::string words = GetParam().arguments;
    for (const auto& [from, to] :
         {std::pair("DATA", "s.csv.gz"), {"MODEL", "model"}, {"OUT", "out"}, {"CHECK", "check"}})
      for (std::size_t at = 0; (at = words.find(from, at)) != std::string::npos;)
        words.replace(at, std::string_view(from).size(), folder.path(to));
    return words;
  }

  Ending run(const std::string& plan) {
    for (const std::string& name : folder.names())
      if (name != "s.csv.gz" && name != "model") std::filesystem::remove(folder.path(name));
    if (!appends()) folder.write("out", old);
    const std::string words = filled();
    const std::string shell =
        fmt::format("env LD_PRELOAD={} {} CAVITY_FAIL_COUNTS={} {} {}", CAVITY_FAIL_ONCE,
                    plan.empty() ? "" : "CAVITY_FAIL=" + plan, folder.path("counts"), CAVITY_BINARY, words);
    const pid_t child = start_process(shell, folder.path("said"), folder.path("stdout"), folder.path("s.csv.gz"));
    const std::optional<int> status = ending_of(child);
    Ending out;
    if (status) out.code = WIFEXITED(*status) ? WEXITSTATUS(*status) : 128 + WTERMSIG(*status);
    out.out = read_file(folder.path("stdout"));
    out.said = read_file(folder.path("said"));
    out.written = read_file(folder.path("out"));
    std::istringstream counts(read_file(folder.path("counts")));
    std::string kind;
    for (long count; counts >> kind >> count;) out.counts[kind] = count;
    return out;
  }

  void check(const Ending& whole, const Ending& ending, const std::string& plan) {
    const std::string what = fmt::format("{} with {}: {}, said: {}", GetParam().name, plan, ending.code, ending.said);
    EXPECT_TRUE(ending.code == 0 || ending.code == 3 || ending.code == 5) << what;
    const bool wrote = ending.written == whole.written;
    EXPECT_TRUE(wrote || appends() || ending.written == old)
        << what << "\na part is written: " << ending.written.size();
    if (ending.code == 0) {
      EXPECT_TRUE(wrote) << what;
      EXPECT_EQ(ending.out, whole.out) << what;
    } else {
      EXPECT_FALSE(ending.said.empty() && !plan.starts_with("write")) << what;
    }
    constexpr long kept_by_libraries = 16;  // blocks that are made once
    const auto left = ending.counts.find("left");
    const bool told = left != ending.counts.end();  // who ends at once gives nothing back
    EXPECT_TRUE(!told || left->second <= whole.counts.at("left") + kept_by_libraries) << what << "\na leak of blocks";
    for (const std::string& name : folder.names()) EXPECT_FALSE(name.ends_with(".tmp")) << what << "\nleft: " << name;
  }

  static constexpr const char* old = "old";
  TempDir folder;
};

TEST_P(Torture, WhateverFailsItEndsWell) {
  const Ending whole = run("");
  ASSERT_EQ(whole.code, 0) << whole.said;
  ASSERT_GT(whole.counts.at("memory"), 100);
  const bool all = std::getenv("CAVITY_VALIDATE") != nullptr;
  const long some = all ? 1'000'000'000 : 40;
  std::string told;
  for (const char* kind : {"memory", "open", "read", "write", "map", "sync", "rename", "close"}) {
    const long count = whole.counts.at(kind);
    for (const char* lasting : {"", "+"}) {
      const long step = std::max(1L, count / some);
      long points = 0;
      for (long number = 1; number <= count; number += step, ++points) {
        const std::string plan = fmt::format("{}{}:{}", kind, lasting, number);
        check(whole, run(plan), plan);
        if (HasFailure() && !all) return;
      }
      told += fmt::format(" {}{} {} of {},", kind, lasting, points, count);
    }
  }
  std::cout << GetParam().name << ":" << told << "\n";
}

// What a power cut leaves: the old file or the new one. A file has its bytes before it has its name (torn), and the
// name is on the disk, too, before the command says that it is done (unsynced). compare appends to its table, which is
// then resumed to the same bytes.
TEST_P(Torture, ACrashAtAnyWriteLosesNothing) {
  const Ending whole = run("");
  ASSERT_EQ(whole.code, 0) << whole.said;
  EXPECT_EQ(whole.counts.at("torn"), 0);
  EXPECT_EQ(whole.counts.at("unsynced"), 0);
  for (const char* kind : {"open", "write", "sync", "rename", "close"})
    for (long number = 1; number <= whole.counts.at(kind); ++number) {
      const std::string plan = fmt::format("{}!:{}", kind, number);
      const Ending ending = run(plan);
      const std::string what = std::string(GetParam().name) + " with " + plan;
      EXPECT_EQ(ending.code, 128 + SIGKILL) << what;
      if (appends()) {
        expect_ok(run_cavity(filled() + " --resume"), what);
        EXPECT_EQ(read_file(folder.path("out")), whole.written) << what;
      } else {
        EXPECT_TRUE(ending.written == old || ending.written == whole.written) << what;
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Commands, Torture, testing::ValuesIn(commands),
                         [](const auto& chosen) { return std::string(chosen.param.name); });

}  // namespace
}  // namespace cavity::test
