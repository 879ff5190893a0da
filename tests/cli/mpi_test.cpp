// cavity-mpi as mpirun starts it: the same answer for any number of processes, and an end to all when one is lost.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "support/csv_tables.hpp"
#include "support/one_table_in_all_forms.hpp"
#include "support/processes.hpp"
#include "support/run_cavity.hpp"

namespace cavity::test {
namespace {

#ifdef CAVITY_MPI_BINARY
constexpr const char* binary = CAVITY_MPI_BINARY;
#else
constexpr const char* binary = nullptr;
#endif

using Json = nlohmann::ordered_json;

class Mpi : public testing::Test {
 protected:
  void SetUp() override {
    if (!binary) GTEST_SKIP() << "cavity-mpi is not part of this build (CAVITY_MPI)";
    if (run_shell("command -v mpirun").code != 0) GTEST_SKIP() << "mpirun is not installed";
    for (const char* name : {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"}) ::setenv(name, "1", 1);
  }
  static std::string mpirun(int processes, const std::string& program, const std::string& arguments) {
    return "mpirun --oversubscribe -n " + std::to_string(processes) + " " + program + " " + arguments;
  }
  static std::string in(int processes, const std::string& arguments) {
    return mpirun(processes, binary, arguments + " --threads 1");
  }
  std::string at(const std::string& name) const { return folder.path(name); }
  TempDir folder;
};

/// Numbers to `tolerance`, everything else alike. What was used and what the first process has read may differ, and so
/// may the numbers of a cell that did not converge, which take no part in the answer and where roundings grow; and a
/// walk to 1e-11 may end some updates sooner by rounding.
void expect_same(const Json& a, const Json& b, double tolerance, const std::string& where) {
  if (a.is_number() && b.is_number()) {
    const double x = a.get<double>(), y = b.get<double>();
    EXPECT_LE(std::abs(x - y), tolerance * std::max(1.0, std::abs(x))) << where;
  } else if (a.is_object() && a.contains("converged") && a["converged"] == false) {
    EXPECT_EQ(a["converged"], b["converged"]) << where;
    EXPECT_EQ(a["weight"], b["weight"]) << where;
  } else if (a.is_structured() && a.type() == b.type() && a.size() == b.size()) {
    for (const auto& [key, value] : a.items()) {
      if (key == "resources" || key == "notes") continue;
      const Json& other = b.is_object() ? b.at(key) : b.at(std::stoul(key));
      if (key == "iterations") {
        EXPECT_NEAR(value.get<double>(), other.get<double>(), 5) << where;
        continue;
      }
      const bool single = key == "contributions";  // kept in single precision
      expect_same(value, other, single ? std::max(tolerance, 1e-6) : tolerance, where + "/" + key);
    }
  } else {
    EXPECT_EQ(a, b) << where;
  }
}

struct Form {
  const char* name;
  std::string arguments;
};

std::vector<Form> forms(const AllForms& files) {
  return {{"CSV", files.csv},
          {"svmlight", files.svmlight},
          {"genotypes", files.bed},
          {"Fortran order", files.fortran + " --labels " + files.labels_file}};
}

class MpiSolvers : public Mpi, public testing::WithParamInterface<const char*> {};

TEST_P(MpiSolvers, AnyNumberOfProcessesGivesTheSameAnswer) {
  const AllForms files(rare_genotypes(50, 90, true));
  for (const Form& form : forms(files)) {
    Json one, predicted;
    for (const int processes : {1, 2, 4}) {
      const std::string what = std::string(form.name) + " in " + std::to_string(processes);
      const std::string fit = "fit " + form.arguments +
                              " --json --loo --density 0.3,0.1 --noise 0.2,0.05 --tolerance 1e-11 --solver " +
                              GetParam() + " -o " + at("m.cavity");
      const Outcome outcome = run_shell(in(processes, fit));
      expect_ok(outcome, what);
      const Json json = Json::parse(outcome.out, nullptr, false);
      ASSERT_TRUE(json.is_object()) << what << outcome.out;
      EXPECT_EQ(json["resources"]["processes"], processes) << what;
      const Json prediction = run_json("predict --fill-means " + at("m.cavity") + " " + form.arguments)["samples"];
      if (processes == 1) {
        one = json;
        predicted = prediction;
        EXPECT_EQ(prediction.size(), 50U) << what;
      }
      expect_same(one, json, 1e-9, what);
      expect_same(predicted, prediction, 1e-9, what + ", predicted");
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Solvers, MpiSolvers, testing::Values("ep", "amp"),
                         [](const auto& chosen) { return std::string(chosen.param); });

TEST_F(Mpi, MoreProcessesThanFeatures) {
  const std::string table = folder.write("data.csv", separable_table(24, 3).csv());
  for (const char* solver : {"ep", "amp"}) {
    const std::string fit = "fit " + table + " --json --loo --density 0.5 --noise 0.1 --solver " + solver;
    const Outcome one = run_shell(in(1, fit)), five = run_shell(in(5, fit));
    expect_ok(one, solver);
    expect_ok(five, solver);
    expect_same(Json::parse(one.out, nullptr, false), Json::parse(five.out, nullptr, false), 1e-9, solver);
  }
}

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST_F(Mpi, WhatIsWrongIsSaidOnce) {
  const std::string good = folder.write("good.csv", separable_table(20, 15).csv());
  const std::string bad = folder.write("bad.csv", "label,a,b\nt,1,2\nn,1,many\nt,2,3\n");
  folder.write("m.cavity", "old");
  struct Case {
    std::string arguments, part;
    int code;
  };
  for (const Case& c :
       {Case{bad, "'many'", 3}, Case{at("none.csv"), "No such file", 5}, Case{good + " --density 2", "density 2", 2},
        Case{good + " --solver bp", "need one process", 2}, Case{good + " --method fda", "runs in one process", 2},
        Case{good + " --frobnicate", "--frobnicate", 2}, Case{good + " --resume", "--checkpoint", 2}}) {
    const Outcome outcome = run_shell(in(2, "fit " + c.arguments + " -o " + at("m.cavity")));
    EXPECT_EQ(outcome.code, c.code) << c.arguments << outcome.err;
    EXPECT_EQ(occurrences(outcome.err, c.part), 1U) << c.arguments << outcome.err;
    EXPECT_EQ(outcome.out, "") << c.arguments;
  }
  EXPECT_EQ(read_file(at("m.cavity")), "old");
  EXPECT_EQ(folder.names().size(), 3U);
}

TEST_F(Mpi, TheProgramForOneProcessRefusesToBeMany) {
  const std::string table = folder.write("data.csv", separable_table(20, 15).csv());
  const Outcome outcome = run_shell(mpirun(2, CAVITY_BINARY, "fit " + table + " -o " + at("m.cavity")));
  EXPECT_EQ(outcome.code, 2) << outcome.err;
  EXPECT_NE(outcome.err.find("mpirun starts cavity-mpi"), std::string::npos) << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(at("m.cavity")));
}

TEST_F(Mpi, ALostProcessEndsAllAndTheRestIsResumed) {
  const std::string table = folder.write("data.csv", separable_table(60, 300).csv());
  const auto fit = [&](const std::string& model) { return "fit " + table + " -o " + at(model); };
  expect_ok(run_shell(in(2, fit("whole.cavity"))), "whole");
  folder.write("m.cavity", "old");
  const std::string kept = in(2, fit("m.cavity") + " --checkpoint " + at("c") + " --checkpoint-minutes 0");
  for (const std::size_t lost : {0U, 1U}) {  // in the order in which the system names them: either may be the first
    const auto size = [&](const char* part) { return read_file(at(part)).size(); };
    const std::size_t first = size("c.0of2"), second = size("c.1of2");
    const pid_t job = start_process(kept + " --resume", at("said"));
    ASSERT_TRUE(wait_until([&] { return size("c.0of2") > first && size("c.1of2") > second; })) << "no cell was solved";
    const std::vector<pid_t> workers = children_of(job, "cavity-mpi");
    ASSERT_EQ(workers.size(), 2U);
    ::kill(workers[lost], SIGKILL);
    const auto status = ending_of(job);
    ASSERT_TRUE(status.has_value()) << "the others went on";
    EXPECT_FALSE(WIFEXITED(*status) && WEXITSTATUS(*status) == 0);
    EXPECT_NE(read_file(at("said")).find("signal 9"), std::string::npos) << read_file(at("said"));
    EXPECT_EQ(read_file(at("m.cavity")), "old");
    for (const pid_t worker : workers)
      EXPECT_TRUE(wait_until([&] { return ::kill(worker, 0) != 0; })) << "a process is left";
  }
  expect_refusal(fit("m.cavity") + " --checkpoint " + at("c") + " --resume", 2, {"2 processes", "has 1"});
  const Outcome outcome = run_shell(kept + " --resume --json");
  expect_ok(outcome, "resumed");
  EXPECT_GE(Json::parse(outcome.out)["resources"]["resumed_cells"], 2);
  EXPECT_TRUE(read_file(at("m.cavity")) == read_file(at("whole.cavity")));
  // What a killed process was writing may be left, under a name that nobody reads.
  for (const std::string& name : folder.names())
    EXPECT_FALSE(name.starts_with("c.") && !name.ends_with(".tmp")) << name;
}

}  // namespace
}  // namespace cavity::test
