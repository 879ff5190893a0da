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
  options.class_prior = shares;
  options.threads = 1;
  return fit(std::move(data), options);
}

Json page_of(const Fit& made) { return report_data(made, {"f", "c", {}}); }

std::set<std::string> keys(const Json& object) {
  std::set<std::string> out;
  for (const auto& [name, value] : object.items()) out.insert(name);
  return out;
}

TEST(ManyClassesReport, OneShapeForAnyNumber) {
  FitOptions options;
  options.grid.density = {0.1};
  options.grid.noise = {0.05};
  options.threads = 1;
  const Fit two = fit(simulate({.samples = 60, .features = 40, .teacher = 0.1, .seed = 5}).data, options);
  const Fit three = three_classes(4);
  const FitJsonOptions all{.loo = true, .features = 5, .resources = true, .page = true};
  const Json a = Json::parse(fit_json(two, all)), b = Json::parse(fit_json(three, all));
  EXPECT_EQ(keys(a), keys(b));
  EXPECT_EQ(keys(a["questions"][0]), keys(b["questions"][2]));
  EXPECT_EQ(keys(a["calibration"]), keys(b["calibration"]));
  const Json page = page_of(two), other = page_of(three);
  EXPECT_EQ(keys(page), keys(other));
  EXPECT_EQ(keys(page["feature_table"]), keys(other["feature_table"]));
  EXPECT_EQ(keys(page["drawn"]), keys(other["drawn"]));
  EXPECT_EQ(keys(page["drawn"]["questions"][0]), keys(other["drawn"]["questions"][2]));
  for (const Json& made : {page, other})
    for (const char* part : {"questions", "contributions"}) EXPECT_EQ(made[part].size(), made["questions"].size());
  EXPECT_EQ(a["confusion"].size(), 2U);
  EXPECT_EQ(b["confusion"].size(), 3U);
  EXPECT_EQ(a["loo_probability"][0].size(), 2U);
}

TEST(ManyClassesReport, WhatIsDrawnIsOfTheLeftOutProbabilities) {
  const Fit made = three_classes(1);
  const Json drawn = page_of(made)["drawn"];
  std::size_t right = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    right += made.loo.confusion[4 * k];
    const Json &bins = drawn["questions"][k]["calibration"], &roc = drawn["questions"][k]["roc"];
    const auto samples = bins["samples"].get<std::vector<std::size_t>>();
    const auto hits = bins["hits"].get<std::vector<std::size_t>>();
    EXPECT_EQ(std::accumulate(samples.begin(), samples.end(), std::size_t{0}), 60U);
    EXPECT_EQ(std::accumulate(hits.begin(), hits.end(), std::size_t{0}), 20U);
    const auto x = roc["false_positive"].get<std::vector<double>>(),
               y = roc["true_positive"].get<std::vector<double>>();
    double area = 0;
    for (std::size_t i = 1; i < x.size(); ++i) area += 0.5 * (x[i] - x[i - 1]) * (y[i] + y[i - 1]);
    EXPECT_NEAR(area, made.questions[k].accuracy.auc, 1e-12);
    EXPECT_TRUE(roc["threshold"][0].is_null());
  }
  const auto hits = drawn["called"]["hits"].get<std::vector<std::size_t>>();
  EXPECT_EQ(std::accumulate(hits.begin(), hits.end(), std::size_t{0}), right);
}

TEST(ManyClassesReport, FeaturesAreRankedAndKnowTheirClass) {
  const Fit made = three_classes(4);
  const Json page = page_of(made), &table = page["feature_table"];
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

TEST(ManyClassesReport, GuessingIsBeatenOnlyWhereThereIsSomethingToFind) {
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
