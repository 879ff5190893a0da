// A fit in words and as JSON, and options as their readers type them.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cavity/report.hpp"
#include "cavity/simulate.hpp"
#include "report/html_report.hpp"

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
  EXPECT_EQ(spell_options("`transform=none`", flags), "--transform none");
}

TEST(SpellOptions, OtherQuotesStay) {
  for (const char* text :
       {"", "plain", "`alon` of R", "`", "a ` b", "``", "`cavity fit DATA -o MODEL` writes", "`solver"})
    EXPECT_EQ(spell_options(text, flags), text);
  EXPECT_EQ(spell_options("`x` `solver` `y", flags), "`x` --solver `y");
}

TEST(FitReport, FailedRefitsAndOptionsAreShown) {
  const Fit neutral = hasty_fit(), spelled = spell_options(neutral, flags);
  ASSERT_FALSE(spelled.warnings.empty());
  EXPECT_NE(neutral.warnings[0].cure.find("`max_iterations`"), std::string::npos);
  EXPECT_NE(fit_text(spelled).find("(--max-iterations)"), std::string::npos);
  EXPECT_NE(fit_text(spelled).find("refits asked for did not converge and say nothing"), std::string::npos);
  const auto json = nlohmann::json::parse(fit_json(spelled));
  EXPECT_EQ(json["loo_check"]["failed"], 2);
  EXPECT_EQ(json["loo_check"]["refits"], 0);
}

TEST(FitReport, ThePageHasTheNamesOfTheJson) {
  const Fit made = hasty_fit();
  const auto json = nlohmann::json::parse(fit_json(made)), page = nlohmann::json(report_data(made, {"f", "c", {}}));
  for (const char* name : {"solver", "solver_reason", "grid", "loo_check", "classes", "loo_error", "samples"})
    EXPECT_EQ(json[name], page[name]) << name;
  EXPECT_NE(page["warnings"][0]["cure"].get<std::string>().find("--max-iterations"), std::string::npos);
  const auto inclusion = page["feature_table"]["inclusion"].get<std::vector<double>>();
  EXPECT_EQ(page["feature_table"]["expected_false"].get<std::vector<double>>(), expected_false(inclusion));
}

}  // namespace
}  // namespace cavity
