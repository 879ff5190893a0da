// The command as a user meets it: the binary, its output, its exit codes, and what a kill leaves behind.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <thread>

#include "support/temp_files.hpp"

namespace {

using cavity::test::TempDir;

struct Outcome {
  int code;
  std::string out;
};

Outcome run(const std::string& arguments, const std::string& redirect = "2>/dev/null") {
  FILE* pipe = popen((std::string(CAVITY_BINARY) + " " + arguments + " " + redirect).c_str(), "r");
  std::string out;
  std::array<char, 4096> buffer;
  for (std::size_t n; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) out.append(buffer.data(), n);
  return {WEXITSTATUS(pclose(pipe)), out};
}

std::string make_table(const TempDir& folder) {
  const std::string path = folder.path("toy.csv");
  EXPECT_EQ(run("simulate --samples 60 --features 40 --teacher 0.1 --noise 0.05 --seed 2 -o " + path).code, 0);
  return path;
}

std::size_t lines(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST(CompareCli, PrintsTableTestsAndHistograms) {
  const TempDir folder;
  const std::string table = make_table(folder);
  const std::string csv = folder.path("splits.csv");
  const Outcome text = run("compare " + table + " --methods sbc,fda --noise 0.1 --splits 5 --train 40 -o " + csv);
  EXPECT_EQ(text.code, 0);
  for (const char* word : {"error %", "sign test", "Welch", "density of the chosen cell"})
    EXPECT_NE(text.out.find(word), std::string::npos) << word << "\n" << text.out;
  EXPECT_EQ(lines(cavity::test::read_file(csv)), 2u + 5 * 2);
  const auto json = nlohmann::json::parse(
      run("compare " + table + " --methods sbc,fda --noise 0.1 --splits 5 --train 40 --json").out);
  EXPECT_EQ(json["methods"][0]["method"], "sbc");
  EXPECT_EQ(json["methods"][0]["noise"][0]["value"], 0.1);
  EXPECT_EQ(json["tests"][0]["second"], "fda");
}

TEST(CompareCli, WritesAPageWithEverySplit) {
  const TempDir folder;
  const std::string table = make_table(folder), page = folder.path("page.html");
  const Outcome made =
      run("compare " + table + " --methods fda,fda-shrunk --splits 5 --train 40 --report " + page, "2>&1");
  if (made.code == 2 && made.out.find("no report page") != std::string::npos) GTEST_SKIP() << made.out;
  ASSERT_EQ(made.code, 0) << made.out;
  const std::string html = cavity::test::read_file(page);
  const std::string mark = "id=\"report-data\">";
  const std::size_t at = html.find(mark) + mark.size();
  const auto data = nlohmann::json::parse(html.substr(at, html.find("</script>", at) - at));
  EXPECT_EQ(data["kind"], "compare");
  EXPECT_EQ(data["splits"]["error"].size(), 10u);
  EXPECT_EQ(data["train"], 40);
  EXPECT_EQ(data["classes"][0]["samples"].get<int>() + data["classes"][1]["samples"].get<int>(), 60);
  double mean = 0;
  for (std::size_t i = 0; i < 10; i += 2) mean += data["splits"]["error"][i].get<double>() / 5;
  EXPECT_NEAR(data["methods"][0]["error"], mean, 1e-12);
  // Both sides of the sign test count the split that they share: p + p' = 1 + C(n, wins) / 2^n.
  const auto& test = data["tests"][0];
  const double wins = test["wins"], losses = test["losses"], n = wins + losses;
  const double shared = std::exp(std::lgamma(n + 1) - std::lgamma(wins + 1) - std::lgamma(losses + 1)) / std::exp2(n);
  EXPECT_NEAR(test["sign_test_p"].get<double>() + test["sign_test_p_worse"].get<double>(), 1 + shared, 1e-12);
}

TEST(CompareCli, RefusesAPageItCannotWriteBeforeTheWork) {
  const TempDir folder;
  const Outcome made = run("compare " + make_table(folder) + " --splits 100000 --report /no/such/folder/page.html");
  EXPECT_TRUE(made.code == 5 || made.code == 2) << made.code;  // 2: a build without the page
}

// Starts the command and kills it once the file has some splits.
void run_and_kill(const std::string& table, const std::string& csv) {
  const pid_t child = fork();
  if (child == 0) {
    const int null = open("/dev/null", O_WRONLY);
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    execl(CAVITY_BINARY, "cavity", "compare", table.c_str(), "--methods", "fda,fda-shrunk", "--splits", "3000",
          "--threads", "2", "-o", csv.c_str(), nullptr);
    _exit(127);
  }
  for (int i = 0; i < 3000 && lines(cavity::test::read_file(csv)) < 20; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

TEST(CompareCli, AKilledRunLeavesAValidFileAndIsResumed) {
  const TempDir folder;
  const std::string table = make_table(folder), csv = folder.path("splits.csv"), whole = folder.path("whole.csv");
  run_and_kill(table, csv);
  const std::string before = cavity::test::read_file(csv);
  ASSERT_GE(lines(before), 20u);
  EXPECT_EQ(before.back(), '\n');
  const std::string options = "compare " + table + " --methods fda,fda-shrunk --splits 60 ";
  EXPECT_EQ(run(options + "-o " + csv).code, 2);  // not without being told
  EXPECT_EQ(run(options + "--seed 9 --resume -o " + csv).code, 2);
  ASSERT_EQ(run(options + "--resume -o " + csv).code, 0);
  const std::string after = cavity::test::read_file(csv);
  ASSERT_EQ(run("compare " + table + " --methods fda,fda-shrunk --splits 60 -o " + whole).code, 0);
  std::string expected = cavity::test::read_file(whole);
  // The killed run may have got further than 60 splits; the first 60 agree to the byte.
  expected.erase(0, expected.find('\n') + 1);
  EXPECT_NE(after.find(expected), std::string::npos);
}

TEST(CompareCli, AClassWithThreeSamplesWorks) {
  const TempDir folder;
  std::string text = "label,a,b,c\n";
  for (int i = 0; i < 40; ++i)
    text += (i < 3 ? "rare," : "common,") + std::to_string(i < 3 ? 5 + i : i % 7) + "," + std::to_string(i * i % 11) +
            "," + std::to_string(i * 3 % 13) + "\n";
  const std::string table = folder.write("rare.csv", text);
  for (const char* more : {"", " --stratified"}) {
    const Outcome outcome =
        run("compare " + table + " --methods sbc,sbl,fda --noise 0.1 --splits 4 --train 25" + more + " --json");
    EXPECT_EQ(outcome.code, 0);
    const nlohmann::json answer = nlohmann::json::parse(outcome.out);
    for (const auto& method : answer["methods"]) EXPECT_EQ(method["splits"], 4);
  }
}

TEST(CompareCli, AnEmptyClassIsAClearError) {
  const TempDir folder;
  std::string text = "label,a,b\n";
  for (int i = 0; i < 3000; ++i) text += std::string(i == 0 ? "rare," : "common,") + std::to_string(i % 7) + ",1\n";
  const std::string table = folder.write("rare.csv", text);
  const Outcome refusal = run("compare " + table + " --methods fda --splits 1 --train 2", "2>&1 >/dev/null");
  EXPECT_EQ(refusal.code, 2);
  EXPECT_NE(refusal.out.find("'rare'"), std::string::npos) << refusal.out;
  EXPECT_NE(refusal.out.find("--stratified"), std::string::npos);
}

TEST(CompareCli, NonsenseGetsASentenceAndExitCodeTwo) {
  const TempDir folder;
  const std::string table = make_table(folder);
  for (const char* arguments : {"--methods svm", "--methods fda,fda", "--methods ''", "--splits 0", "--train 60",
                                "--train 1", "--resume", "--noise 0.7 --methods sbc --splits 1", "--colour red"}) {
    const Outcome refusal = run("compare " + table + " " + arguments, "2>&1 >/dev/null");
    EXPECT_EQ(refusal.code, 2) << arguments << "\n" << refusal.out;
    EXPECT_GT(refusal.out.size(), 15u);
  }
}

TEST(BaselineCli, BaselinesAreFittedSavedAndAsked) {
  const TempDir folder;
  const std::string table = make_table(folder), model = folder.path("m.cavity");
  for (const char* method : {"sbl", "fda", "fda-shrunk"}) {
    const Outcome fit = run("fit " + table + " --json --method " + method + " -o " + model);
    ASSERT_EQ(fit.code, 0) << method;
    const auto json = nlohmann::json::parse(fit.out);
    EXPECT_EQ(json["solver"], method);
    EXPECT_EQ(json["folds"], 10);
    EXPECT_EQ(lines(run("predict " + model + " " + table).out), 61u);
    EXPECT_EQ(lines(run("features " + model).out), 41u);
    EXPECT_NE(run("fit " + table + " --method " + method).out.find("cross-validated"), std::string::npos);
  }
  EXPECT_EQ(run("fit " + table + " --method svm").code, 2);
  EXPECT_EQ(run("fit " + table + " --method fda --density 0.1").code, 2);
}

TEST(ReproduceCli, RefusesTheUnknownAndSaysHowToGetTheData) {
  EXPECT_EQ(run("reproduce fig9").code, 2);
  const TempDir folder;
  setenv("CAVITY_DATA", folder.path("nowhere").c_str(), 1);
  const Outcome refusal = run("reproduce table1 --quick --out " + folder.path("out"), "2>&1 >/dev/null");
  unsetenv("CAVITY_DATA");
  EXPECT_EQ(refusal.code, 3);
  EXPECT_NE(refusal.out.find("datamicroarray"), std::string::npos);
}

}  // namespace
