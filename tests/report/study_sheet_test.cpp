// The sheet of TRIPOD+AI and the model card: what the model file knows, and nothing else, is written out.
#include "cavity/study_sheet.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/random.hpp"
#include "cavity/adapt.hpp"
#include "cavity/fit.hpp"
#include "cavity/report.hpp"
#include "table/matrix_size.hpp"

namespace cavity {
namespace {

Model fitted(std::size_t classes) {
  Dataset data;
  Random random(5);
  FeatureMatrix values(36, 20);
  for (float& x : values.values) x = static_cast<float>(random.normal());
  for (std::size_t mu = 0; mu < 36; ++mu) {
    data.classes.push_back(static_cast<std::uint32_t>(mu % classes));
    values.row(mu)[mu % classes] += 2;
  }
  data.features = std::move(values);
  data.sample_names = numbered_names("s", 1, 36);
  data.feature_names = numbered_names("g", 1, 20);
  data.class_names = {"well|fine", "ill", "worse"};
  data.class_names.resize(classes);
  data.label_name = "state";
  FitOptions options;
  options.grid.density = {0.5};
  options.grid.noise = {0.05};
  options.threads = 1;
  Fit made = fit(std::move(data), options);
  made.model.summary_json = fit_json(made, {.loo = true, .features = 0, .seed = 17});
  return std::move(made.model);
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t out = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++out;
  return out;
}

TEST(StudySheet, HasEveryItemOnceInOrder) {
  const std::string sheet = tripod_sheet(fitted(2));
  std::size_t last = 0;
  for (const char* item : {"1",   "2",   "3a",  "3b", "3c", "4",   "5a",  "5b",  "6a",  "6b",  "6c",  "7",   "8a",
                           "8b",  "8c",  "9a",  "9b", "9c", "10",  "11",  "12a", "12b", "12c", "12d", "12e", "12f",
                           "12g", "13",  "14",  "15", "16", "17",  "18a", "18b", "18c", "18d", "18e", "18f", "19",
                           "20a", "20b", "20c", "21", "22", "23a", "23b", "24",  "25",  "26",  "27a", "27b", "27c"}) {
    const std::string row = std::string("\n| ") + item + " | ";
    EXPECT_EQ(count_of(sheet, row), 1U) << item;
    EXPECT_GT(sheet.find(row), last) << item;
    last = sheet.find(row);
  }
}

TEST(StudySheet, NumbersAreThoseOfTheirTopics) {
  const std::string sheet = tripod_sheet(fitted(2));
  for (const char* row :
       {"| 3c | health inequalities |", "| 7 | data preparation |", "| 8c | blinding |", "| 10 | sample size |",
        "| 11 | missing data |", "| 12f | model updating |", "| 13 | class imbalance |", "| 14 | fairness |",
        "| 15 | model output |", "| 17 | ethics |", "| 18e | data |", "| 18f | code |", "| 19 | patients and public |",
        "| 22 | model specification |", "| 23a | performance |"})
    EXPECT_EQ(count_of(sheet, row), 1U) << row;
}

TEST(StudySheet, EveryRowHasThreeCellsWhateverTheNames) {
  const std::string sheet = tripod_sheet(fitted(2));
  std::size_t rows = 0;
  for (std::size_t at = sheet.find("\n| "); at != std::string::npos; at = sheet.find("\n| ", at + 1), ++rows) {
    const std::string row = sheet.substr(at + 1, sheet.find('\n', at + 1) - at - 1);
    EXPECT_EQ(count_of(row, "|") - count_of(row, "\\|"), 4U) << row;
  }
  EXPECT_EQ(rows, 52U + 6U);
}

TEST(StudySheet, FiguresAreThoseOfTheFit) {
  const Model model = fitted(3);
  const auto fit = nlohmann::json::parse(model.summary_json);
  const std::string sheet = tripod_sheet(model), card = model_card(model);
  char error[32];
  std::snprintf(error, sizeof(error), "error %.1f %%", 100 * fit["loo_error"].get<double>());
  for (const std::string& text : {sheet, card})
    for (const std::string& part : {std::string(error), std::string("36 samples with a label"), std::string("seed 17"),
                                    std::string("12 ill"), std::string("worse: sensitivity")})
      EXPECT_NE(text.find(part), std::string::npos) << part;
  EXPECT_EQ(sheet.find("not known"), std::string::npos);
}

TEST(StudySheet, WhatTheFileDoesNotKnowIsMarked) {
  const std::string sheet = tripod_sheet(fitted(2));
  for (const char* topic : {"ethics", "funding", "blinding", "dates"}) {
    const std::size_t at = sheet.find(std::string(" | ") + topic + " | ");
    ASSERT_NE(at, std::string::npos) << topic;
    EXPECT_NE(sheet.substr(at, sheet.find('\n', at) - at).find("**TO BE FILLED IN**"), std::string::npos) << topic;
  }
}

TEST(StudySheet, AnAdaptationIsTold) {
  const Model model = adapt_to_class_prior(fitted(2), {0.9, 0.1}).model;
  EXPECT_NE(tripod_sheet(model).find("Adapted to other shares of the classes: log odds by 'ill' -2.20"),
            std::string::npos);
  EXPECT_NE(model_card(model).find("## Adapted"), std::string::npos);
}

}  // namespace
}  // namespace cavity
