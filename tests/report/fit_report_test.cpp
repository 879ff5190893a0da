// A fit in words and as JSON, and options as their readers type them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "cavity/report.hpp"
#include "cavity/simulate.hpp"
#include "report/html_report.hpp"
#include "report/json_parts.hpp"

namespace cavity {
namespace {

constexpr auto flags = OptionStyle::flags, python = OptionStyle::python;

/// Nothing converges in one update.
Fit hasty_fit() {
  FitOptions options;
  options.grid.density = {0.3};
  options.grid.noise = {0.1};
  options.threads = 1;
  options.solver.max_iterations = 1;
  options.selection.check_loo = 2;
  return fit(simulate({.samples = 20, .features = 30, .teacher = 0.1, .seed = 1}).data, options);
}

TEST(SpellOptions, AsFlagsAndAsParameters) {
  EXPECT_EQ(spell_options("more (`max_iterations`), or `solver=ep`.", flags),
            "more (--max-iterations), or --solver ep.");
  EXPECT_EQ(spell_options("more (`max_iterations`), or `solver=ep`.", python), "more (max_iter), or solver='ep'.");
  EXPECT_EQ(spell_options("`check_loo=20`", python), "check_loo=20");
  EXPECT_EQ(spell_options("`value_transform=none`", flags), "--value-transform none");
}

TEST(SpellOptions, OtherQuotesStay) {
  for (const char* text :
       {"", "plain", "`alon` of R", "`", "a ` b", "``", "`cavity fit DATA -o MODEL` writes", "`solver"})
    EXPECT_EQ(spell_options(text, flags), text);
  EXPECT_EQ(spell_options("`x` `solver` `y", flags), "`x` --solver `y");
}

TEST(FitReport, ARowWhoseWidthIsNotThatOfTheHeadSaysItsOwn) {
  FitOptions options;
  options.grid.density = {0.3, 0.1};
  options.grid.noise = {0.02, 0.1};
  options.grid.width = {0.2};
  Fit made = fit(simulate({.samples = 20, .features = 30, .teacher = 0.1, .seed = 1}).data, options);
  EXPECT_EQ(fit_text(made).find("  width 0"), std::string::npos);
  made.questions.front().grid.back().width = 0.075;  // as sampled rows have it, of the features that they keep
  EXPECT_NE(fit_text(made).find("  width 0.075\n"), std::string::npos) << fit_text(made);
  std::vector<Cell>& grid = made.questions.front().grid;
  std::erase_if(grid, [](const Cell& c) { return c.column == 0; });  // none of this column was solved
  made.questions.front().chosen = 0;
  EXPECT_NE(fit_text(made).find("  width 0.075\n"), std::string::npos) << fit_text(made);
}

TEST(FitReport, FailedRefitsAndOptionsAreShown) {
  const Fit neutral = hasty_fit(), spelled = spell_options(neutral, flags);
  ASSERT_FALSE(spelled.warnings.empty());
  EXPECT_NE(neutral.warnings[0].cure.find("`max_iterations`"), std::string::npos);
  EXPECT_NE(fit_text(spelled).find("(--max-iterations)"), std::string::npos);
  EXPECT_NE(fit_text(spelled).find("refits asked for did not converge and say nothing"), std::string::npos);
  const auto json = nlohmann::json::parse(fit_json(spelled));
  EXPECT_EQ(json["questions"][0]["loo_check"]["failed"], 2);
  EXPECT_EQ(json["questions"][0]["loo_check"]["refits"], 0);
}

TEST(FitReport, ThePageSpellsOptionsAsFlags) {
  const auto page = nlohmann::json(report_data(hasty_fit(), {"f", "c", {}}));
  EXPECT_NE(page["warnings"][0]["cure"].get<std::string>().find("--max-iterations"), std::string::npos);
  const auto inclusion = page["feature_table"]["inclusion"].get<std::vector<double>>();
  EXPECT_EQ(page["feature_table"]["expected_false"].get<std::vector<double>>(), expected_false(inclusion));
}

/// Two covariates, twins that make groups, refits and credible sets: as much as a page can show.
Fit full_fit() {
  Simulation made = simulate({.samples = 60, .features = 200, .teacher = 0.01, .noise = 0.05, .seed = 3});
  Dataset data = std::move(made.data);
  const auto size = [](double a, double b) { return std::abs(a) < std::abs(b); };
  const auto strongest = std::max_element(made.teacher.begin(), made.teacher.end(), size) - made.teacher.begin();
  const std::size_t twin = strongest == 0 ? 1 : 0;
  for (std::size_t i = 0; i < data.samples(); ++i) {
    float* const row = data.features.dense().row(i);
    row[twin] = row[strongest];
  }
  data.covariates.push_back({"age", {}});
  data.covariates.push_back({"sex", {}});
  for (std::size_t i = 0; i < data.samples(); ++i) {
    data.covariates[0].values.push_back(std::to_string(40 + i % 7));
    data.covariates[1].values.push_back(i % 3 == 0 ? "f" : "m");
  }
  FitOptions options;
  options.threads = 1;
  options.selection.check_loo = 2;
  return fit(std::move(data), options);
}

using Json = nlohmann::ordered_json;

/// A column of a list of objects.
Json column_of(const Json& list, const char* name) {
  Json out = Json::array();
  for (const Json& entry : list) out.push_back(entry[name]);
  return out;
}

TEST(FitReport, WhatPushedASampleAddsUpHoweverManyFeaturesAreListed) {
  Fit made = full_fit();
  const auto fields = [](const Json& c) {
    std::vector<double> out;
    for (std::size_t mu = 0; mu < c["rest"].size(); ++mu) {
      out.push_back(c["rest"][mu].get<double>() + c["intercept"].get<double>());
      for (const Json& value : c["values"][mu]) out.back() += value.get<double>();
    }
    return out;
  };
  const Json whole = contributions_json(made)[0];
  EXPECT_EQ(whole["features"].size(), 50U);
  made.data.samples *= 1000;  // as many as leave room for a few features each
  const Json cut = contributions_json(made)[0];
  EXPECT_EQ(cut["features"].size(), 5U);
  const auto all = fields(whole), few = fields(cut);
  ASSERT_EQ(all.size(), few.size());
  for (std::size_t mu = 0; mu < all.size(); ++mu) EXPECT_NEAR(all[mu], few[mu], 1e-5);  // values are floats
}

TEST(FitReport, EveryNumberOfThePageIsInTheJsonByName) {
  const Fit made = spell_options(full_fit(), OptionStyle::flags);
  const Json page = report_data(made, {"f", "c", {}});
  const Json json = Json::parse(fit_json(made, {.loo = true, .features = SIZE_MAX, .page = true}));
  const std::set<std::string> given = {"kind", "version", "command", "seed", "options", "file", "citation"};
  const std::set<std::string> tables = {"sample_table", "feature_table", "feature_total", "questions", "drawn"};
  std::size_t compared = 0;
  for (const auto& [name, value] : page.items()) {
    if (given.contains(name) || tables.contains(name)) continue;
    ASSERT_TRUE(json.contains(name)) << name << " is on the page and not in the JSON";
    EXPECT_EQ(json[name], value) << name;
    ++compared;
  }
  EXPECT_GT(compared, 25U);
  for (const auto& [name, value] : page["questions"][0].items()) EXPECT_EQ(json["questions"][0][name], value) << name;
  EXPECT_EQ(json["features"], page["feature_total"]);
  const auto& samples = page["sample_table"];
  for (const auto& [theirs, ours] : std::map<std::string, std::string>{{"name", "loo_sample"},
                                                                       {"label", "loo_truth"},
                                                                       {"loo_probability", "loo_probability"},
                                                                       {"reliable", "loo_reliable"}})
    EXPECT_EQ(json[ours], samples[theirs]) << theirs;
  for (std::size_t i = 0; i < made.loo.called.size(); ++i)
    EXPECT_EQ(samples["called"][i], made.model.class_names[made.loo.called[i]]);
  EXPECT_EQ(samples.size(), 5U);
  for (const char* column : {"name", "class", "inclusion", "expected_false"})
    EXPECT_EQ(column_of(json["top_features"], column), page["feature_table"][column]) << column;
  for (const auto& [column, name] : {std::pair("weight", "class_weight"), std::pair("sd", "class_sd")})
    for (std::size_t i = 0; i < json["top_features"].size(); ++i)
      EXPECT_EQ(json["top_features"][i][column], page["feature_table"][name][i][0]) << column;
  for (const char* part : {"covariates_alone", "credible_sets", "correlated", "contributions"})
    EXPECT_FALSE(json[part].empty()) << part;
  EXPECT_EQ(json["questions"][0]["covariates"].size(), 2U);
}

}  // namespace
}  // namespace cavity
