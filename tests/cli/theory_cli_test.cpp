// The command as a user meets it: the binary, its output and its exit codes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/run_cavity.hpp"

namespace {

using cavity::test::Outcome;
using cavity::test::read_file;
using cavity::test::TempDir;

Outcome run(const std::string& arguments) { return cavity::test::run_cavity("theory " + arguments); }

nlohmann::ordered_json json(const std::string& arguments) { return cavity::test::run_json("theory " + arguments); }

std::size_t lines(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

TEST(TheoryCli, PointHasTheAgreedKeysAndValue) {
  const auto point = json("point --ratio 1 --noise 0.05 --teacher 0.1 --density 0.1");
  std::string keys;
  for (const auto& [key, value] : point.items()) keys += key + " ";
  EXPECT_EQ(
      keys,
      "schema ratio noise teacher density activation teacher_activation teacher_noise overlap power overlap_hat "
      "power_hat precision log_odds error_sbc error_gibbs free_energy stability steps converged bistable informed ");
  EXPECT_NEAR(point["error_sbc"].get<double>(), 0.1756996532, 1e-9);
  EXPECT_NEAR(point["overlap"].get<double>(), point["power"].get<double>(), 1e-12);
  EXPECT_EQ(point["activation"], "step");
}

TEST(TheoryCli, DensityFollowsTheTeacher) {
  EXPECT_EQ(json("point --ratio 1 --noise 0.05 --teacher 0.1"),
            json("point --ratio 1 --noise 0.05 --teacher 0.1 --density 0.1"));
}

TEST(TheoryCli, PointKnowsOtherTeachersAndBothEnds) {
  const auto point = json(
      "point --ratio 1 --noise 0.3 --activation probit --teacher 0.1 --teacher-activation step --teacher-noise 0.05 "
      "--both-ends");
  EXPECT_EQ(point["teacher_activation"], "step");
  EXPECT_FALSE(point["bistable"].get<bool>());
  EXPECT_NEAR(point["informed"]["error_sbc"].get<double>(), point["error_sbc"].get<double>(), 1e-9);
}

TEST(TheoryCli, PathStartsAtZero) {
  const auto path = json("path --ratio 1 --noise 0.05 --teacher 0.2 --density 0.3 --steps 20");
  ASSERT_EQ(path["path"].size(), 21u);
  EXPECT_EQ(path["path"][0]["t"], 0);
  EXPECT_EQ(path["path"][0]["error_sbc"], 0.5);
  EXPECT_LT(path["path"][20]["error_sbc"].get<double>(), 0.3);
  const Outcome csv = run("path --ratio 1 --noise 0.05 --teacher 0.2 --steps 3");
  EXPECT_EQ(csv.out.substr(0, csv.out.find('\n')), "t,overlap,power,error_sbc,error_gibbs");
  EXPECT_EQ(lines(csv.out), 5u);
}

TEST(TheoryCli, SweepPrintsARowForEachValue) {
  EXPECT_EQ(lines(run("sweep --vary density --values 0.05,0.1,0.2 --ratio 1 --noise 0.05 --teacher 0.1").out), 4u);
  const auto sweep = json("sweep --vary ratio --from 0.1 --to 10 --count 5 --log --noise 0.05 --teacher 0.1");
  ASSERT_EQ(sweep["points"].size(), 5u);
  EXPECT_NEAR(sweep["points"][2]["ratio"].get<double>(), 1, 1e-12);
  EXPECT_NEAR(sweep["points"][2]["error_sbc"].get<double>(), 0.1756996532, 1e-9);
  EXPECT_EQ(sweep["points"][4]["ratio"], 10.0);
  const auto teachers = json("sweep --vary teacher --values 0.1,0.2 --ratio 1 --noise 0.05");
  EXPECT_EQ(teachers["points"][1]["density"], 0.2);
}

TEST(TheoryCli, PlanAnswersBothQuestions) {
  const std::string study = "plan --features 20000 --density 0.01 --noise 0.05 ";
  const auto plan = json(study + "--target-error 0.15");
  EXPECT_EQ(plan["samples"], 3536);
  EXPECT_LE(plan["error_sbc"].get<double>(), 0.15);
  EXPECT_GT(plan["curve"].size(), 10u);
  EXPECT_EQ(json(study + "--samples 3536")["error_sbc"], plan["error_sbc"]);
  const std::string help = run("plan --help").out;
  for (const char* word : {"independent", "matched", "OPTIMISTIC", "PESSIMISTIC"})
    EXPECT_NE(help.find(word), std::string::npos) << word;
}

TEST(TheoryCli, PlanDrawsTheCurve) {
  const TempDir folder;
  const std::string file = folder.path("plan.svg");
  const Outcome plan = run("plan --features 20000 --density 0.01 --noise 0.05 --target-error 0.15 --svg " + file);
  EXPECT_EQ(plan.code, 0);
  EXPECT_NE(plan.out.find("3536 samples"), std::string::npos);
  EXPECT_NE(read_file(file).find("<polyline"), std::string::npos);
}

TEST(TheoryCli, AnImpossibleTargetNamesTheBestError) {
  const std::string plan = "plan --features 1000 --density 0.1 --noise 0.05 --target-error 0.03";
  const Outcome refusal = run(plan);
  EXPECT_EQ(refusal.code, 2);
  EXPECT_NE(refusal.err.find("0.05"), std::string::npos);
  const auto document = nlohmann::json::parse(run(plan + " --json").out);
  EXPECT_FALSE(document["reachable"].get<bool>());
  EXPECT_NEAR(document["best_error"].get<double>(), 0.05, 1e-12);
}

TEST(TheoryCli, AMissingFixedPointHasItsOwnExitCode) {
  EXPECT_EQ(run("point --ratio 10 --noise 0 --teacher 0.1 --teacher-noise 0.05").code, 4);
}

TEST(TheoryCli, NonsenseGetsASentenceAndExitCodeTwo) {
  for (const char* arguments : {"",
                                "nonsense",
                                "point",
                                "point --ratio 1 --noise 0.05 --teacher 0.1 --density 0",
                                "point --ratio 1 --noise 0.05 --teacher 0",
                                "point --ratio 1 --noise 0.05 --teacher 0.1 --density 1.1",
                                "point --ratio 1 --noise 0.5 --teacher 0.1",
                                "point --ratio 1 --noise -0.1 --teacher 0.1",
                                "point --ratio -1 --noise 0.05 --teacher 0.1",
                                "point --ratio nan --noise 0.05 --teacher 0.1",
                                "point --ratio 1 --noise 0.05 --teacher 0.1 --activation relu",
                                "point --ratio one --noise 0.05 --teacher 0.1",
                                "point --ratio 1 --noise 0.05 --teacher 0.1 --colour red",
                                "path --ratio 1 --noise 0.05 --teacher 0.1 --steps -1",
                                "sweep --vary ratio --noise 0.05 --teacher 0.1",
                                "sweep --vary ratio --from 1 --to 2 --count 0 --noise 0.05 --teacher 0.1",
                                "sweep --vary ratio --from 0 --to 2 --count 3 --log --noise 0.05 --teacher 0.1",
                                "sweep --vary colour --values 1 --ratio 1 --noise 0.05 --teacher 0.1",
                                "sweep --vary ratio --values 1,2 --ratio 1 --noise 0.05 --teacher 0.1",
                                "plan --features 1000 --density 0.1 --noise 0.05",
                                "plan --features 1000 --density 0.1 --noise 0.05 --target-error 0.6",
                                "plan --features 0 --density 0.1 --noise 0.05 --target-error 0.2",
                                "plan --features 1000 --density 0.1 --noise 0.05 --target-error 0.2 --samples 5"}) {
    const Outcome refusal = run(arguments);
    EXPECT_EQ(refusal.code, 2) << arguments;
    EXPECT_GT(refusal.err.size(), 15u) << arguments;
  }
}

}  // namespace
