// The baselines as users meet them: fitted, saved, loaded, asked.
#include <gtest/gtest.h>

#include <cmath>

#include "cavity/baselines.hpp"
#include "cavity/errors.hpp"
#include "cavity/model_file.hpp"
#include "cavity/simulate.hpp"
#include "support/errors.hpp"
#include "support/sides.hpp"
#include "support/temp_files.hpp"

namespace cavity {
namespace {

Dataset table(std::uint64_t seed, std::size_t samples = 90) { return simulate({samples, 60, 0.1, 0.05, seed}).data; }

double error(const std::vector<double>& probability, const std::vector<std::int8_t>& labels) {
  double wrong = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) wrong += (probability[i] >= 0.5) != (labels[i] > 0);
  return wrong / static_cast<double>(labels.size());
}

class Baselines : public testing::TestWithParam<Baseline> {};

TEST_P(Baselines, PredictTheSameAfterSavingAndBetterThanChance) {
  const Dataset all = table(1, 400);
  Dataset train = all, test = all;
  train.features.dense().rows = 150;
  train.features.dense().values.resize(150 * all.features.cols());
  train.classes.resize(150);
  train.sample_names.resize(150);
  BaselineOptions options;
  options.method = GetParam();
  const Fit made = fit_baseline(train, options);
  EXPECT_EQ(made.solver().name, to_string(GetParam()));
  EXPECT_EQ(made.questions[0].grid.at(0).status, "converged");
  EXPECT_EQ(made.loo.folds, 10u);
  EXPECT_LT(made.loo.error, 0.45);
  EXPECT_EQ(made.loo.probability.size(), 300u);
  const auto probability = predict(made.model, test).of(1);
  const std::vector<std::int8_t> truth = test::sides(test);
  const double test_error = error({probability.begin() + 150, probability.end()}, {truth.begin() + 150, truth.end()});
  EXPECT_LT(test_error, 0.4);
  EXPECT_NEAR(made.loo.error, test_error, 0.12);
  test::TempDir folder;
  save_model(made.model, folder.path("m.cavity"));
  EXPECT_EQ(predict(load_model(folder.path("m.cavity")), test).of(1), probability);
}
INSTANTIATE_TEST_SUITE_P(All, Baselines, testing::Values(Baseline::sbl, Baseline::fda, Baseline::fda_shrunk));

TEST(BaselineFit, SblAveragesOverItsPosteriorAndTheLabelIsThatOfTheMean) {
  BaselineOptions options;
  options.folds = 0;
  Fit made = fit_baseline(table(2), options);
  EXPECT_TRUE(std::isnan(made.loo.error));
  const auto averaged = predict(made.model, table(3)).of(1);
  Model mode = made.model;
  mode.questions[0].mixture.components[0].feature_precision.clear();
  mode.questions[0].mixture.components[0].sample_precision.clear();
  mode.questions[0].mixture.components[0].common_variance = 0;
  const auto plain = predict(mode, table(3)).of(1);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    EXPECT_EQ(averaged[i] >= 0.5, plain[i] >= 0.5);
    EXPECT_LE(std::abs(averaged[i] - 0.5), std::abs(plain[i] - 0.5) + 1e-9);
  }
}

TEST(BaselineFit, RefusesWhatItCannotDo) {
  Dataset one = table(4);
  one.classes.assign(one.samples(), 1);
  test::expect_error<InputError>([&] { fit_baseline(one, {}); }, {"one class"});
  Dataset with_age = table(5);
  with_age.covariates.push_back({"age", std::vector<std::string>(with_age.samples(), "50")});
  BaselineOptions fisher;
  fisher.method = Baseline::fda;
  test::expect_error<UsageError>([&] { fit_baseline(with_age, fisher); }, {"covariates"});
  test::expect_error<UsageError>([] { parse_baseline("svm"); }, {"svm", "sbl"});
}

}  // namespace
}  // namespace cavity
