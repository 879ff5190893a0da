// What a validation calls more than chance.
#include "fit/validation_findings.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace cavity {
namespace {

/// Two classes whose second comes more often than stated by `log_odds`.
Validation more_often(double log_odds) {
  Validation out;
  out.class_names = {"well", "ill"};
  out.classes.resize(1);
  out.classes[0].name = "ill";
  out.classes[0].in_the_large = {log_odds, 0.1, {log_odds - 0.196, log_odds + 0.196}};
  out.classes[0].slope = {1, 0.1, {0.8, 1.2}};
  out.promised = Promise{};
  out.promised->class_counts = {50, 50};
  out.promised->error_interval = {0, 1};
  return out;
}

/// 100 training samples of which the second class was stated at p and 1 - p in turns.
TrainedOn trained(double p) {
  TrainedOn out{100, {}};
  for (int i = 0; i < 100; ++i) {
    const double second = i % 2 == 0 ? p : 1 - p;
    out.left_out.insert(out.left_out.end(), {1 - second, second});
  }
  return out;
}

bool named(const std::vector<Finding>& findings, const std::string& name) {
  return std::ranges::any_of(findings, [&](const Finding& f) { return f.name == name; });
}

TEST(ValidationFindings, WhatTheFitsOwnSamplesMakeOfAnInterceptIsChance) {
  // 1/sqrt(100 p (1 - p)): 0.2 at one half, 0.71 at .02, beside the new samples' 0.1.
  EXPECT_TRUE(named(findings_of(more_often(0.5), trained(0.5)), "other-frequency"));
  EXPECT_FALSE(named(findings_of(more_often(0.4), trained(0.5)), "other-frequency"));
  EXPECT_FALSE(named(findings_of(more_often(1.3), trained(0.02)), "other-frequency"));
  EXPECT_TRUE(named(findings_of(more_often(-1.5), trained(0.02)), "other-frequency"));
}

TEST(ValidationFindings, AShareThatHasMovedTheSameWayTellsTheSiteFromTheFit) {
  Validation now = more_often(1.3);
  now.all.class_counts = {40, 160};
  EXPECT_TRUE(named(findings_of(now, trained(0.02)), "other-frequency"));
  TrainedOn adapted = trained(0.02);
  adapted.own_shares = false;
  EXPECT_FALSE(named(findings_of(now, adapted), "other-frequency"));
  now.all.class_counts = {160, 40};  // the other way
  EXPECT_FALSE(named(findings_of(now, trained(0.02)), "other-frequency"));
  now.all.class_counts = {0, 200};  // all of them
  EXPECT_TRUE(named(findings_of(now, trained(0.02)), "other-frequency"));
  now = more_often(0.1);  // what is stated came
  now.all.class_counts = {40, 160};
  EXPECT_FALSE(named(findings_of(now, trained(0.02)), "other-frequency"));
}

TEST(ValidationFindings, WhereItIsNotKnownTheClassesSharesAre) {
  EXPECT_TRUE(named(findings_of(more_often(0.5), {100, {}}), "other-frequency"));
  EXPECT_FALSE(named(findings_of(more_often(0.4), {100, {}}), "other-frequency"));
}

}  // namespace
}  // namespace cavity
