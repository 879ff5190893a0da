// The page's data of a fit of more than two classes.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "cavity/report.hpp"
#include "cavity/simulate.hpp"
#include "report/html_report.hpp"

namespace cavity {
namespace {

using Json = nlohmann::ordered_json;

/// Three classes of 20, each with a feature of its own that says so, among 40; `strength` 0: none says anything.
Fit three_classes(double strength, const std::vector<double>& shares = {}) {
  Dataset data = simulate({.samples = 60, .features = 40, .teacher = 0.1, .seed = 5}).data;
  data.class_names = {"first", "second", "third"};
  data.classes.clear();
  for (std::size_t i = 0; i < 60; ++i) {
    data.classes.push_back(static_cast<std::uint32_t>(i % 3));
    data.features.dense().row(i)[10 + i % 3] += static_cast<float>(strength);
  }
  FitOptions options;
  options.grid.density = {0.1};
  options.grid.noise = {0.05};
  options.class_shares = shares;
  options.threads = 1;
  return fit(std::move(data), options);
}

Json page_of(const Fit& made) { return report_data(made, {"f", "c", {}}); }

TEST(SeveralReport, EveryNumberOfThePageIsInTheJson) {
  const Fit made = spell_options(three_classes(4), OptionStyle::flags);
  const Json page = page_of(made);
  const Json json = Json::parse(fit_json(made, {.loo = true, .features = SIZE_MAX}));
  const std::set<std::string> given = {"kind", "version", "command", "seed", "options", "file", "citation"};
  const std::set<std::string> tables = {"sample_table", "feature_table", "feature_total", "per_class"};
  for (const auto& [name, value] : page.items()) {
    if (given.contains(name) || tables.contains(name)) continue;
    ASSERT_TRUE(json.contains(name)) << name;
    EXPECT_EQ(json[name], value) << name;
  }
  EXPECT_EQ(json["loo_probability"], page["sample_table"]["loo_probability"]);
  EXPECT_EQ(json["loo_truth"], page["sample_table"]["label"]);
  for (std::size_t k = 0; k < 3; ++k)
    for (const auto& [name, value] : page["per_class"][k].items()) EXPECT_EQ(json["per_class"][k][name], value) << name;
}

TEST(SeveralReport, FeaturesAreRankedAndKnowTheirClass) {
  const Fit made = three_classes(4);
  const Json page = page_of(made), &table = page["feature_table"];
  EXPECT_EQ(page["kind"], "several");
  EXPECT_EQ(page["feature_total"], 40);
  const auto inclusion = table["inclusion"].get<std::vector<double>>();
  ASSERT_EQ(inclusion.size(), 40U);
  EXPECT_TRUE(std::is_sorted(inclusion.rbegin(), inclusion.rend()));
  EXPECT_EQ(table["expected_false"].get<std::vector<double>>(), expected_false(inclusion));
  for (std::size_t i = 0; i < 3; ++i) {  // the three that were planted
    const auto of_class = table["class_inclusion"][i].get<std::vector<double>>();
    const auto best = static_cast<std::size_t>(std::max_element(of_class.begin(), of_class.end()) - of_class.begin());
    EXPECT_EQ(table["class"][i], made.model.class_names[best]);
    EXPECT_EQ(of_class[best], inclusion[i]);
    EXPECT_EQ(table["name"][i], made.model.preprocessing.feature_names[10 + best]);
    EXPECT_GT(table["class_weight"][i][best].get<double>(), 0);
  }
}

TEST(SeveralReport, GuessingIsBeatenOnlyWhereThereIsSomethingToFind) {
  const Json good = page_of(three_classes(4))["guessing"], none = page_of(three_classes(0))["guessing"];
  EXPECT_DOUBLE_EQ(good["error"].get<double>(), 2.0 / 3);
  EXPECT_NEAR(good["brier"].get<double>(), 1.0 / 3, 1e-12);
  EXPECT_NEAR(good["log_loss"].get<double>(), std::log(3), 1e-12);
  EXPECT_LT(good["p_value"].get<double>(), 1e-3);
  EXPECT_GT(none["p_value"].get<double>(), 0.05);
  const Fit weighed = three_classes(4, {0.8, 0.1, 0.1});
  const Json guess = page_of(weighed)["guessing"];
  EXPECT_EQ(guess["class"], "first");
  EXPECT_NEAR(guess["error"].get<double>(), 0.2, 1e-12);
  EXPECT_EQ(guess["lost"].get<std::size_t>(), 20 - weighed.loo.confusion[0]);
  EXPECT_EQ(guess["gained"].get<std::size_t>(), weighed.loo.confusion[4] + weighed.loo.confusion[8]);
}

}  // namespace
}  // namespace cavity
