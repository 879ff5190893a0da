// More than two classes: each against the rest on one prepared table, joined to one answer.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/random.hpp"
#include "cavity/errors.hpp"
#include "cavity/fit.hpp"
#include "cavity/model_file.hpp"
#include "fit/fit_with_shards.hpp"
#include "support/temp_files.hpp"
#include "support/thread_shards.hpp"
#include "table/dense_table.hpp"
#include "table/matrix_size.hpp"

namespace cavity {
namespace {

/// Class k has its own features raised; `counts` samples of each.
Dataset classes_table(const std::vector<std::size_t>& counts, std::size_t features, std::uint64_t seed = 1) {
  Dataset out;
  Random random(seed);
  std::size_t samples = 0;
  for (const std::size_t count : counts) samples += count;
  FeatureMatrix values(samples, features);
  out.class_names.clear();
  std::size_t row = 0;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    out.class_names.push_back("c" + std::to_string(k));
    for (std::size_t i = 0; i < counts[k]; ++i, ++row) {
      out.classes.push_back(static_cast<std::uint32_t>(k));
      for (std::size_t l = 0; l < features; ++l)
        values.row(row)[l] = static_cast<float>(random.normal() + (l % counts.size() == k && l < 12 ? 1.5 : 0));
    }
  }
  out.features = std::move(values);
  out.sample_names = numbered_names("s", 1, samples);
  out.feature_names = numbered_names("g", 1, features);
  return out;
}

FitOptions quick() {
  FitOptions out;
  out.grid.density = {0.3, 0.1};
  out.grid.noise = {0.05};
  out.threads = 1;
  return out;
}

/// The samples with a column that says the class but for `misses` of them, and one that says nothing.
Dataset with_covariates(Dataset data, std::size_t misses) {
  CovariateColumn site{"site", {}}, age{"age", {}};
  for (std::size_t mu = 0; mu < data.samples(); ++mu) {
    const std::size_t k = mu % 10 < misses ? (data.classes[mu] + 1) % data.class_names.size() : data.classes[mu];
    site.values.push_back("s" + std::to_string(k));
    age.values.push_back(std::to_string(30 + mu * 7 % 40));
  }
  data.covariates = {site, age};
  return data;
}

bool has_warning(const Fit& fit, const std::string& name) {
  return std::any_of(fit.warnings.begin(), fit.warnings.end(), [&](const Warning& w) { return w.name == name; });
}

TEST(SeveralClasses, CovariatesAloneAreJudgedWithoutTheFeatures) {
  const Dataset table = classes_table({20, 15, 25}, 60);
  EXPECT_FALSE(fit(table, quick()).covariates_alone);
  const Fit told = fit(with_covariates(table, 0), quick()), some = fit(with_covariates(table, 3), quick());
  ASSERT_TRUE(told.covariates_alone && some.covariates_alone);
  EXPECT_LT(told.covariates_alone->error, 0.03);
  EXPECT_TRUE(has_warning(told, "covariates-give-it-away"));
  EXPECT_NEAR(some.covariates_alone->error, 0.3, 0.06);
  EXPECT_NEAR(some.covariates_alone->error_gain, some.covariates_alone->error - some.loo.error, 1e-12);
  EXPECT_NEAR(some.covariates_alone->log_loss_gain, some.covariates_alone->log_loss - some.loo.log_loss, 1e-12);
  EXPECT_GT(some.covariates_alone->log_loss_gain_se, 0);
  EXPECT_FALSE(has_warning(some, "covariates-give-it-away"));
}

TEST(SeveralClasses, ProbabilitiesSumToOneAndTellTheClasses) {
  const Dataset data = classes_table({20, 15, 25}, 60);
  const Fit made = fit(data, quick());
  ASSERT_EQ(made.questions.size(), 3U);
  EXPECT_TRUE(made.converged());
  EXPECT_LT(made.loo.error, 0.3);
  EXPECT_LT(made.loo.log_loss, std::log(3.0));
  const Prediction predicted = predict(made.model, data, 1);
  std::size_t diagonal = 0, all = 0, wrong = 0;
  for (std::size_t mu = 0; mu < data.samples(); ++mu) {
    double sum = 0, left_out = 0, top = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      sum += predicted.probabilities[3 * mu + k];
      left_out += made.loo.probability[3 * mu + k];
      top = std::max(top, predicted.probabilities[3 * mu + k]);
    }
    EXPECT_NEAR(sum, 1, 1e-12);
    EXPECT_NEAR(left_out, 1, 1e-12);
    EXPECT_EQ(predicted.at(mu, predicted.label[mu]), top);
    wrong += predicted.label[mu] != data.classes[mu];
  }
  EXPECT_LT(wrong, 6U);
  for (std::size_t k = 0; k < 9; ++k) {
    all += made.loo.confusion[k];
    diagonal += k % 4 == 0 ? made.loo.confusion[k] : 0;
  }
  EXPECT_EQ(all, data.samples());
  EXPECT_NEAR(made.loo.error, 1 - static_cast<double>(diagonal) / static_cast<double>(all), 1e-12);
}

TEST(SeveralClasses, EachIsTheFitOfItsClassAgainstTheRest) {
  Dataset data = classes_table({12, 14, 10, 9}, 50);
  const Fit made = fit(data, quick());
  for (std::size_t k = 0; k < 4; ++k) {
    Dataset two = data;
    two.class_names = {"rest", data.class_names[k]};
    for (std::uint32_t& c : two.classes) c = c == k ? 1 : 0;
    FitOptions options = quick();
    options.selection.recalibrate = false;
    const Fit one = fit(two, options);
    EXPECT_EQ(one.model.questions[0].features.inclusion, made.model.questions[k].features.inclusion);
    EXPECT_EQ(one.model.questions[0].mixture.components.front().mean,
              made.model.questions[k].mixture.components.front().mean);
    ASSERT_EQ(one.questions[0].grid.size(), made.questions[k].grid.size());
    for (std::size_t i = 0; i < one.questions[0].grid.size(); ++i)
      EXPECT_EQ(one.questions[0].grid[i].loo_log_loss, made.questions[k].grid[i].loo_log_loss);
  }
}

TEST(SeveralClasses, ThreadsAndProcessesChangeNothing) {
  const Dataset data = classes_table({12, 14, 10}, 50);
  FitOptions options = quick();
  options.solver.kind = Solver::ep;
  const Fit one = fit(data, options);
  options.threads = 3;
  const Fit three = fit(data, options);
  EXPECT_EQ(one.loo.probability, three.loo.probability);
  EXPECT_EQ(one.model.questions[0].features.weight, three.model.questions[0].features.weight);
  options.threads = 1;
  test::ThreadShards::run(2, [&](const Shards& shards) {
    const Fit dealt = fit(data, options, shards);
    for (std::size_t i = 0; i < one.loo.probability.size(); ++i)
      ASSERT_NEAR(dealt.loo.probability[i], one.loo.probability[i], 1e-6);
  });
}

/// Counts the columns whose moments are asked for, which every preparation does.
class CountedTable final : public DenseTable {
 public:
  CountedTable(FeatureMatrix matrix, std::size_t& count) : DenseTable(std::move(matrix)), count_(count) {}
  ColumnMoments moments(std::size_t first, std::size_t last, ThreadPool& pool) const override {
    count_ += last - first;
    return DenseTable::moments(first, last, pool);
  }

 private:
  std::size_t& count_;
};

TEST(SeveralClasses, PrepareOnceForAll) {
  const Dataset four = classes_table({12, 14, 10, 9}, 50);
  Dataset two = four;
  two.class_names = {"n", "p"};
  for (std::uint32_t& c : two.classes) c = c < 2 ? 1 : 0;
  const auto looks = [](Dataset data) {
    std::size_t count = 0;
    data.features = FeatureTable(std::make_shared<CountedTable>(std::as_const(data.features).dense(), count));
    FitOptions options = quick();
    options.preprocessing.transform = PreprocessingOptions::Choice::none;
    options.keep_variances = false;
    fit(std::move(data), options);
    return count;
  };
  EXPECT_GT(looks(two), 0U);
  EXPECT_EQ(looks(four), looks(two));
}

TEST(SeveralClasses, GroupsAreCountedOverAllClasses) {
  Dataset data = classes_table({16, 16, 16}, 60);
  for (std::size_t mu = 0; mu < data.samples(); ++mu)
    data.groups.push_back(mu % 16 < 10 ? "large" : "g" + std::to_string(mu % 4));
  const Fit made = fit(data, quick());
  const auto text = [&](const std::string& name) {
    std::string out;
    for (const Warning& w : made.warnings) out += w.name == name ? w.text : "";
    return out;
  };
  EXPECT_NE(text("few-groups").find("only 5 groups"), std::string::npos) << text("few-groups");
  EXPECT_NE(text("large-group").find("'large' holds 30 of 48"), std::string::npos) << text("large-group");
}

TEST(SeveralClasses, RareClassesAreWarnedOf) {
  const Fit made = fit(classes_table({15, 15, 1, 2}, 40), quick());
  ASSERT_FALSE(made.warnings.empty());
  const auto rare = std::find_if(made.warnings.begin(), made.warnings.end(),
                                 [](const Warning& w) { return w.name == "few-samples"; });
  ASSERT_NE(rare, made.warnings.end());
  EXPECT_NE(rare->text.find("'c2' (1), 'c3' (2)"), std::string::npos) << rare->text;
}

TEST(SeveralClasses, SharesOfAPopulation) {
  const Dataset data = classes_table({20, 15, 25}, 60);
  FitOptions options = quick();
  const Fit plain = fit(data, options);
  options.class_prior = {0.2, 0.5, 0.3};
  const Fit told = fit(data, options);
  const double factor[] = {0.2 * 60 / 20, 0.5 * 60 / 15, 0.3 * 60 / 25};
  const Prediction before = predict(plain.model, data, 1), after = predict(told.model, data, 1);
  for (std::size_t mu = 0; mu < 60; ++mu) {
    double sum = 0;
    for (std::size_t k = 0; k < 3; ++k) sum += factor[k] * before.probabilities[3 * mu + k];
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_NEAR(after.probabilities[3 * mu + k], factor[k] * before.probabilities[3 * mu + k] / sum, 1e-12);
  }
  options.class_prior = {0.2, 0.5};
  EXPECT_THROW(fit(data, options), UsageError);
  options.class_prior = {0.2, 0.5, 0.4};
  EXPECT_THROW(fit(data, options), UsageError);
}

TEST(SeveralClasses, ModelFileHoldsThem) {
  const Dataset data = classes_table({20, 15, 25}, 60);
  FitOptions options = quick();
  options.class_prior = {0.2, 0.5, 0.3};
  Fit made = fit(data, options);
  made.model.calibration.together = {};
  EXPECT_EQ(model_bytes(made.model)[8], 2);
  made.model.calibration.together = {0.3, 0.01, std::vector<double>(3 * 60, 0.1), {0.5, -0.5, 0.25}};
  const std::string bytes = model_bytes(made.model);
  EXPECT_EQ(bytes[8], 3);
  const Model loaded = model_from_bytes(bytes);
  EXPECT_EQ(loaded.class_names, made.model.class_names);
  EXPECT_EQ(predict(loaded, data, 1).probabilities, predict(made.model, data, 1).probabilities);
  EXPECT_EQ(loaded.questions[0].features.inclusion, made.model.questions[0].features.inclusion);
  EXPECT_EQ(model_bytes(loaded), bytes);
}

TEST(SeveralClasses, ModelWithHalfOfAFitOfAllClassesIsRefused) {
  Model model = fit(classes_table({12, 14, 10}, 50), quick()).model;
  model.calibration.together = {0.3, 0.01, std::vector<double>(3 * 49, 0.1), {0.5, -0.5, 0.25}};
  EXPECT_THROW(model_bytes(model), std::invalid_argument);
  model.calibration.together = {1.5, 0.01, std::vector<double>(3 * 50, 0.1), {0.5, -0.5, 0.25}};
  EXPECT_THROW(model_bytes(model), std::invalid_argument);
}

/// A class between two others along one direction: no line tells it from the rest.
TEST(SeveralClasses, AllAtOnceSeeWhatLiesBetween) {
  Dataset data = classes_table({40, 40, 40}, 4);
  FeatureMatrix values(120, 4);
  Random random(9);
  for (std::size_t mu = 0; mu < 120; ++mu)
    for (std::size_t l = 0; l < 4; ++l)
      values.row(mu)[l] = static_cast<float>(random.normal() + (l == 0 ? 4.0 * data.classes[mu] : 0.0));
  data.features = std::move(values);
  const Fit made = fit(data, quick());
  EXPECT_GT(made.model.calibration.together.share, 0.1);
  EXPECT_LT(made.loo.error, 0.1);
  Model without = made.model;
  without.calibration.together = {};
  EXPECT_NE(predict(made.model, data, 1).probabilities, predict(without, data, 1).probabilities);
}

TEST(SeveralClasses, OthersLookAtWhatServedTheFirst) {
  FitOptions options;
  options.threads = 1;
  const Fit made = fit(classes_table({30, 24, 20, 16}, 200), options);
  std::vector<std::size_t> visited;
  for (const QuestionFit& c : made.questions)
    visited.push_back(static_cast<std::size_t>(
        std::count_if(c.grid.begin(), c.grid.end(), [](const Cell& cell) { return cell.iterations > 0; })));
  EXPECT_EQ(*std::max_element(visited.begin(), visited.end()), visited[0]);
  EXPECT_LT(visited[1] + visited[2] + visited[3], 3 * visited[0]);
  EXPECT_TRUE(made.converged());
}

TEST(SeveralClasses, OverallInclusionIsTheLargest) {
  const Fit made = fit(classes_table({20, 15, 25}, 60), quick());
  const auto ranked = ranked_features(made.model, 60);
  const OverallEstimates overall = overall_features(made.model);
  ASSERT_EQ(ranked.size(), 60U);
  for (std::size_t l = 0; l < 60; ++l) {
    double largest = 0;
    for (const QuestionModel& c : made.model.questions) largest = std::max(largest, c.features.inclusion[l]);
    EXPECT_EQ(overall.inclusion[l], largest);
    EXPECT_EQ(made.model.questions[overall.of_class[l]].features.weight[l], overall.weight[l]);
    EXPECT_LE(ranked[l].inclusion, ranked[l > 0 ? l - 1 : 0].inclusion);
  }
}

TEST(SeveralClasses, GoOnFromTheirCheckpoints) {
  const Dataset data = classes_table({12, 14, 10}, 50);
  const test::TempDir folder;
  FitOptions options = quick();
  options.checkpoint.file = folder.path("c");
  options.checkpoint.minutes = 0;
  const Fit whole = fit(data, options);
  EXPECT_TRUE(std::filesystem::exists(folder.path("c.class3")));
  EXPECT_THROW(fit(data, options), UsageError);
  options.checkpoint.resume = true;
  const Fit again = fit(data, options);
  EXPECT_EQ(again.resources.resumed_cells, 6U);
  EXPECT_EQ(again.loo.probability, whole.loo.probability);
  remove_checkpoint(options.checkpoint);
  EXPECT_FALSE(std::filesystem::exists(folder.path("c.class1")));
}

TEST(SeveralClasses, LeaveOneOutAgreesWithRefits) {
  const Dataset data = classes_table({14, 12, 13}, 40);
  const Fit made = fit(data, quick());
  double log_loss = 0, wrong = 0;
  for (std::size_t left = 0; left < data.samples(); ++left) {
    Dataset others = data, one = data;
    FeatureMatrix kept(data.samples() - 1, 40), out(1, 40);
    others.classes.clear();
    others.sample_names.clear();
    const FeatureMatrix& values = std::as_const(data.features).dense();
    for (std::size_t mu = 0, row = 0; mu < data.samples(); ++mu) {
      if (mu == left) continue;
      std::copy_n(values.row(mu), 40, kept.row(row++));
      others.classes.push_back(data.classes[mu]);
      others.sample_names.push_back(data.sample_names[mu]);
    }
    std::copy_n(values.row(left), 40, out.row(0));
    others.features = std::move(kept);
    one.features = std::move(out);
    const Prediction p = predict(fit(others, quick()).model, one, 1);
    log_loss -= std::log(p.probabilities[data.classes[left]]) / static_cast<double>(data.samples());
    wrong += p.label[0] == data.classes[left] ? 0 : 1 / static_cast<double>(data.samples());
  }
  EXPECT_NEAR(made.loo.log_loss, log_loss, 0.05);
  EXPECT_NEAR(made.loo.error, wrong, 0.06);
}

}  // namespace
}  // namespace cavity
