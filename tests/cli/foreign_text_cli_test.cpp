// Names of files, columns, classes and samples that would drive a terminal: whatever command shows them, nothing of
// that comes through. (CSV on standard output is data, and leaves names as they are; on a terminal not even that.)
#include <gtest/gtest.h>

#include "cavity/report.hpp"
#include "support/csv_tables.hpp"
#include "support/run_cavity.hpp"

namespace cavity::test {
namespace {

/// Control characters of both halves, marks of direction, separators of lines, and bytes that are no UTF-8 at all.
std::string first_that_drives(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto at = [&](std::size_t k) { return i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0U; };
    const bool low = (at(0) < 0x20 && at(0) != '\n' && at(0) != '\t') || at(0) == 0x7f;
    const bool high = at(0) == 0xc2 && at(1) < 0xa0;
    const unsigned code = at(0) == 0xe2 ? (at(1) & 0x3f) << 6 | (at(2) & 0x3f) : 0;
    const bool turns = code == 0x0e || code == 0x0f || (code >= 0x28 && code <= 0x2e) || (code >= 0x66 && code <= 0x69);
    if (low || high || (at(0) == 0xe2 && turns) || at(0) >= 0xf8) return text.substr(i < 30 ? 0 : i - 30, 60);
  }
  return "";
}

const std::string clears = "\x1b[2J", title = "\x1b]0;owned\x07",
                  c1 = "\xc2\x9b"
                       "31m",
                  turned = "\xe2\x80\xae", deleted = "\x7f", broken = "\xff";

class ForeignTextCli : public testing::Test {
 protected:
  ForeignTextCli() {
    Table table = separable_table(40, 30);
    for (auto& name : table.header)
      if (name != "label") name += clears + c1 + turned + deleted;
    for (auto& row : table.rows) row[0] += title + c1 + turned;
    int sample = 0;
    table.add_column("who" + clears, [&](const auto&) { return fmt::format("p{}{}{}", sample++ / 2, title, deleted); });
    table.add_column("age" + turned, [&](const auto&) { return std::to_string(40 + sample++ % 7); });
    data = folder.write("s" + clears + ".csv", table.csv());
    for (auto& row : table.rows) row[0] = row[1][0] == '-' ? "c" + c1 : row[2][0] == '-' ? "b" + title : "a" + clears;
    several = folder.write("three.csv", table.csv());
    model = quoted(folder.path("m" + clears + ".cavity"));
  }
  static std::string quoted(const std::string& text) { return "'" + text + "'"; }

  /// Both streams of a command, or what it says beside its data.
  static void expect_harmless(const std::string& command, int code = 0, bool data_out = false) {
    const Outcome outcome = run_shell("cavity " + command);
    EXPECT_EQ(outcome.code, code) << command << outcome.err;
    EXPECT_EQ(first_that_drives(outcome.err), "") << command;
    EXPECT_EQ(first_that_drives(data_out ? "" : outcome.out), "") << command;
  }

  TempDir folder;
  std::string data, several, model;
};

TEST_F(ForeignTextCli, NothingOfItReachesATerminal) {
  const std::string own = " --covariates " + quoted("age" + turned) + " --group " + quoted("who" + clears) + " ";
  const std::string fit = quoted(data) + own + "--density 0.3,0.1 --noise 0.1 ";
  expect_harmless("fit " + fit + "-o " + model);
  expect_harmless("fit " + fit + "--json --loo");
  if (has_report_page()) expect_harmless("fit " + fit + "--report " + quoted(folder.path(title)));
  expect_harmless("fit " + quoted(several) + own + "--density 0.3 --noise 0.1");
  expect_harmless("predict " + model + " " + quoted(data), 0, true);
  expect_harmless("predict --json " + model + " " + quoted(data));
  for (const char* what : {"", "--fdr 0.2", "--sets", "--correlated"})
    expect_harmless("features " + model + " " + what, 0, true);
  expect_harmless("features --json " + model);
  expect_harmless("score " + model, 0, true);
  expect_harmless("score --json " + model);
  expect_harmless("validate " + model + " " + quoted(data));
  expect_harmless("validate " + model + " " + quoted(data) + " --by " + quoted("who" + clears));
  expect_harmless("adapt " + model + " " + quoted(data) + " -o " + quoted(folder.path("adapted" + c1)));
  expect_harmless("stability " + fit + "--pairs 2");
  expect_harmless("stability " + fit + "--pairs 2 --json");
  expect_harmless("compare " + quoted(data) + own + "--splits 1 --methods sbl");
}

TEST_F(ForeignTextCli, NorWhereItIsRefused) {
  const std::string own = " --covariates " + quoted("age" + turned) + " --group " + quoted("who" + clears) + " ";
  expect_harmless("fit " + quoted(folder.path("none" + clears)), 5);
  expect_harmless("fit " + quoted(data) + " --label " + quoted(title), 2);
  expect_harmless("fit " + quoted(data) + " --density " + quoted(clears), 2);
  expect_harmless("fit " + quoted(data) + " --memory " + quoted(clears), 2);
  expect_harmless("fit " + quoted(data) + own + "--positive " + quoted(broken + c1), 2);
  expect_harmless("fit " + quoted(data) + " -o " + quoted(folder.path("none" + title + "/m")), 5);
  expect_harmless("fit " + quoted(data) + " " + quoted("--x" + clears), 2);
  expect_harmless(quoted(clears), 2);
  expect_harmless("features " + quoted(data), 3);
  expect_harmless("theory " + quoted(title), 2);
}

}  // namespace
}  // namespace cavity::test
