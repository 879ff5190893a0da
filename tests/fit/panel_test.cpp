// Panels with their price: folds that do not see what they leave out, the same numbers however they are computed, a
// planted truth found, and a model that needs the panel's features alone.
#include "cavity/panel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "base/random.hpp"
#include "cavity/errors.hpp"
#include "cavity/linear_score.hpp"
#include "cavity/model_file.hpp"
#include "cavity/panel_report.hpp"
#include "cavity/read.hpp"
#include "cavity/simulate.hpp"
#include "fit/panel_folds.hpp"
#include "fit/part_of.hpp"
#include "support/errors.hpp"
#include "support/one_table_in_all_forms.hpp"

namespace cavity {
namespace {

PanelOptions quick(std::size_t most = 4) {
  PanelOptions out;
  out.fit.grid.density = {0.1};
  out.fit.grid.noise = {0.05};
  out.fit.threads = 1;
  out.most = most;
  out.folds = 3;
  out.repeats = 1;
  return out;
}

/// Of `features`, the first three decide, each with a share; more than two classes by thresholds of the same sum.
Dataset planted(std::size_t samples, std::size_t features, std::uint32_t classes = 2, std::uint64_t seed = 1) {
  Random random(seed);
  Dataset out;
  FeatureMatrix values(samples, features);
  for (float& x : values.values) x = static_cast<float>(random.normal());
  out.class_names.clear();
  for (std::uint32_t k = 0; k < classes; ++k) out.class_names.push_back("c" + std::to_string(k));
  for (std::size_t mu = 0; mu < samples; ++mu) {
    const float* x = values.row(mu);
    out.sample_names.push_back(std::to_string(mu + 1));
    if (classes == 2)
      out.classes.push_back(x[0] + x[1] - x[2] + 0.3 * random.normal() > 0 ? 1 : 0);
    else
      out.classes.push_back(static_cast<std::uint32_t>(std::max_element(x, x + classes) - x));
  }
  for (std::size_t l = 0; l < features; ++l) out.feature_names.push_back("g" + std::to_string(l));
  out.features = std::move(values);
  return out;
}

void expect_same(const Panel& a, const Panel& b) {
  EXPECT_EQ(a.path, b.path);
  EXPECT_EQ(a.fold_paths, b.fold_paths);
  ASSERT_EQ(a.sizes.size(), b.sizes.size());
  for (std::size_t s = 0; s < a.sizes.size(); ++s) {
    EXPECT_EQ(a.sizes[s].price.log_loss, b.sizes[s].price.log_loss) << s;
    EXPECT_EQ(a.sizes[s].fit.model.questions.front().features.weight,
              b.sizes[s].fit.model.questions.front().features.weight);
  }
}

TEST(Panel, FindsThePlantedFeaturesAndTheirPrice) {
  const Panel found = panel(planted(120, 60), quick());
  ASSERT_GE(found.path.size(), 3U);
  std::vector<std::uint32_t> first(found.path.begin(), found.path.begin() + 3);
  std::ranges::sort(first);
  EXPECT_EQ(first, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_LT(found.sizes[2].price.error + 0.05, found.sizes[0].price.error);
  EXPECT_LT(found.sizes[2].price.log_loss_more, 2 * found.sizes[2].price.log_loss_more_se);
  EXPECT_NEAR(found.sizes[2].price.log_loss - found.whole.log_loss, found.sizes[2].price.log_loss_more, 1e-12);
  EXPECT_GE(found.suggested, 2U);
  EXPECT_LE(found.suggested, 3U);
  ASSERT_EQ(found.members.size(), found.suggested);
  for (const PanelMember& member : found.members) EXPECT_GT(member.share, 0.7);
}

TEST(Panel, OfNoiseCostsACoin) {
  Dataset data = planted(80, 50);
  for (std::size_t mu = 0; mu < 80; ++mu) data.classes[mu] = mu % 2;
  double error = 0;
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    PanelOptions options = quick(2);
    options.fit.solver.seed = seed;
    error += panel(data, options).sizes[1].price.error / 2;
  }
  EXPECT_GT(error, 0.35);
}

TEST(Panel, FoldsDoNotSeeTheLabelsThatTheyLeaveOut) {
  Dataset data = planted(60, 40);
  const PanelOptions options = quick();
  ThreadPool pool(1);
  const PreprocessingOptions how = panel_preprocessing(data, options.fit.preprocessing, pool);
  const PanelChoice choice = panel_choice(options, data.feature_names);
  const std::vector<std::size_t> fold = {0, 3, 8, 21, 22, 40, 59};
  const FoldPanels first = leave_out_fold({data, options_of_a_fold(options.fit, {}), how, choice}, fold);
  for (const std::size_t mu : fold) data.classes[mu] = 1 - data.classes[mu];
  const FoldPanels again = leave_out_fold({data, options_of_a_fold(options.fit, {}), how, choice}, fold);
  EXPECT_EQ(first.path, again.path);
  EXPECT_TRUE((first.whole.array() == again.whole.array()).all());
  for (std::size_t s = 0; s < first.field.size(); ++s)
    EXPECT_TRUE((first.field[s].array() == again.field[s].array()).all()) << s;
}

TEST(Panel, DealsEverySampleOnceAndGroupsTogether) {
  Labelled samples;
  std::vector<std::string> names;
  for (std::size_t mu = 0; mu < 45; ++mu) {
    samples.classes.push_back(mu % 3);
    names.push_back(std::to_string(mu / 2));
  }
  samples.counts = {15, 15, 15};
  samples.class_names = {"a", "b", "c"};
  const SampleGroups groups = gather_groups(names);
  for (const SampleGroups* together : {static_cast<const SampleGroups*>(nullptr), &groups}) {
    std::vector<int> seen(45, 0), fold_of(45, -1);
    const auto folds = deal_panel_folds(samples, together, 7, 0, 1);
    for (std::size_t k = 0; k < folds.size(); ++k)
      for (const std::size_t mu : folds[k]) {
        ++seen[mu];
        fold_of[mu] = static_cast<int>(k);
      }
    EXPECT_EQ(std::ranges::count(seen, 1), 45);
    for (std::size_t mu = 0; together && mu + 1 < 45; mu += 2) EXPECT_EQ(fold_of[mu], fold_of[mu + 1]);
  }
  EXPECT_NE(deal_panel_folds(samples, nullptr, 7, 0, 1), deal_panel_folds(samples, nullptr, 7, 1, 1));
}

TEST(Panel, IsTheSameForAnyThreads) {
  PanelOptions options = quick();
  const Panel one = panel(planted(40, 15), options);
  options.fit.threads = 3;
  expect_same(one, panel(planted(40, 15), options));
}

TEST(Panel, IsAModelThatNeedsItsFeaturesAlone) {
  for (const std::uint32_t classes : {2U, 3U}) {
    const Dataset data = planted(60, 15, classes);
    const Panel found = panel(data, quick());
    const Model model = model_from_bytes(model_bytes(found.sizes[2].fit.model));
    const Prediction all = predict(model, data);
    Dataset few;
    FeatureMatrix values(60, 3);
    for (std::size_t j = 0; j < 3; ++j) {
      const std::size_t from = found.path[2 - j];  // in another order
      few.feature_names.push_back(data.feature_names[from]);
      for (std::size_t mu = 0; mu < 60; ++mu) values.row(mu)[j] = data.features.dense().row(mu)[from];
    }
    few.features = std::move(values);
    EXPECT_EQ(predict(model, few).probabilities, all.probabilities) << classes;
    EXPECT_EQ(model.preprocessing.feature_names.size(), 3U);
    const auto wrong = [&](std::size_t mu) { return all.label[mu] != data.classes[mu]; };
    std::size_t errors = 0;
    for (std::size_t mu = 0; mu < 60; ++mu) errors += wrong(mu);
    EXPECT_LT(errors, 12U) << classes;
  }
}

TEST(Panel, IsOneWeightedSum) {
  for (const auto transform : {PreprocessingOptions::Choice::none, PreprocessingOptions::Choice::feature_asinh}) {
    const Dataset data = planted(60, 15);
    PanelOptions options = quick();
    options.fit.preprocessing.transform = transform;
    const Panel found = panel(data, options);
    const Model model = model_from_bytes(model_bytes(found.sizes[1].fit.model));
    EXPECT_EQ(model.preprocessing.transform,
              transform == PreprocessingOptions::Choice::none ? Transform::none : Transform::feature_asinh);
    const LinearScore score = linear_score(model);
    ASSERT_EQ(score.features.size(), 2U);
    const ScoreAgreement agreement = score_agreement(score, model, data);
    EXPECT_NEAR(agreement.equal_labels, 1, 1e-9);
    EXPECT_NEAR(agreement.correlation, 1, 1e-9);
  }
}

TEST(Panel, PricesOfTheLastSizeAreThoseOfItsFit) {
  PanelOptions options = quick(2);
  options.fit.class_prior = {0.8, 0.2};
  const Panel found = panel(planted(70, 20), options);
  const PanelSize& last = found.sizes.back();
  EXPECT_NEAR(last.price.error, last.fit.loo.error, 1e-12);
  EXPECT_NEAR(last.price.log_loss, last.fit.loo.log_loss, 1e-12);
  EXPECT_NEAR(last.price.accuracy->auc, last.fit.questions.front().accuracy.auc, 1e-12);
  EXPECT_EQ(last.fit.loo.folds, 3U);
  EXPECT_FALSE(last.fit.model.calibration.class_shift.empty());
}

TEST(Panel, TakesCovariatesAndWhatMustBeInIt) {
  Dataset data = planted(80, 25);
  CovariateColumn age{"age", {}};
  for (std::size_t mu = 0; mu < 80; ++mu) age.values.push_back(std::to_string(40 + 10 * data.classes[mu] + mu % 20));
  data.covariates.push_back(age);
  PanelOptions options = quick(3);
  options.must = {"g7"};
  options.never = {"g0"};
  options.price = {{"g1", 100}};
  const Panel found = panel(data, options);
  EXPECT_EQ(found.path.front(), 7U);
  EXPECT_EQ(std::ranges::count(found.path, 0U), 0);
  for (const auto& path : found.fold_paths) EXPECT_EQ(path.front(), 7U);
  EXPECT_NE(found.sizes.front().fit.model.questions.front().covariates.front().weight, 0);
  const double cost = std::ranges::count(found.path, 1U) > 0 ? 102 : 3;
  EXPECT_EQ(found.sizes.back().cost, cost);
}

TEST(Panel, OfEveryFormOfTheTableIsTheSame) {
  const test::AllForms files(test::rare_genotypes(50, 40, false));
  PanelOptions options = quick(2);
  options.folds = 3;
  options.fit.solver.kind = Solver::ep;
  options.fit.preprocessing.transform = PreprocessingOptions::Choice::none;
  options.fit.preprocessing.unit_variance = true;
  options.fit.preprocessing.equal_rows = true;
  const Panel dense = panel(read_dataset(files.csv), options);
  for (const std::string& path : {files.svmlight, files.bed}) {
    const Panel other = panel(read_dataset(path, {.compact = true}), options);
    EXPECT_EQ(other.path, dense.path) << path;
    EXPECT_NEAR(other.sizes.back().price.log_loss, dense.sizes.back().price.log_loss, 1e-3) << path;
  }
}

/// The values of every sample, all multiplied by a factor of its own.
Dataset at_other_levels(Dataset data) {
  FeatureMatrix& values = data.features.dense();
  for (std::size_t mu = 0; mu < values.rows; ++mu)
    for (std::size_t l = 0; l < values.cols; ++l) values.row(mu)[l] *= static_cast<float>(std::exp(0.1 * (mu % 7)));
  return data;
}

Dataset differences(Dataset data, std::initializer_list<std::size_t> reference) {
  FeatureMatrix& values = data.features.dense();
  for (std::size_t mu = 0; mu < values.rows; ++mu) {
    double level = 0;
    for (const std::size_t l : reference) level += values.row(mu)[l] / static_cast<double>(reference.size());
    for (std::size_t l = 0; l < values.cols; ++l) values.row(mu)[l] = static_cast<float>(values.row(mu)[l] - level);
  }
  return data;
}

TEST(Panel, TakesTheMeanOfReferencesOff) {
  for (const std::uint32_t classes : {2U, 3U}) {
    const Dataset data = planted(70, 20, classes);
    PanelOptions options = quick(3);
    options.fit.preprocessing.transform = PreprocessingOptions::Choice::none;
    options.normalise = {"g12", "g8"};
    const Panel found = panel(data, options);
    EXPECT_EQ(found.reference, (std::vector<std::uint32_t>{8, 12}));
    options.never = std::exchange(options.normalise, {});
    const Dataset by_hand = differences(data, {8, 12});
    const Panel same = panel(by_hand, options);
    EXPECT_EQ(found.path, same.path);
    EXPECT_EQ(found.sizes.back().price.log_loss, same.sizes.back().price.log_loss);
    const Model model = model_from_bytes(model_bytes(found.sizes[1].fit.model));
    EXPECT_EQ(model.preprocessing.feature_names.size(), 4U);
    const Prediction mine = predict(model, data), theirs = predict(same.sizes[1].fit.model, by_hand);
    for (std::size_t i = 0; i < mine.probabilities.size(); ++i)
      EXPECT_NEAR(mine.probabilities[i], theirs.probabilities[i], 1e-5) << i;
  }
}

TEST(Panel, OfRatiosDoesNotSeeHowMuchThereIs) {
  Dataset data = planted(70, 60);
  FeatureMatrix& values = data.features.dense();
  for (float& x : values.values) x = std::expm1(8 + x);  // intensities: logarithms are taken
  PanelOptions options = quick(2);
  options.normalise = {"g8"};
  const Panel found = panel(data, options);
  const Model& model = found.sizes.back().fit.model;
  EXPECT_EQ(model.preprocessing.transform, Transform::log1p);
  const Prediction as_it_is = predict(model, data), scaled = predict(model, at_other_levels(data));
  for (std::size_t i = 0; i < as_it_is.probabilities.size(); ++i)
    EXPECT_NEAR(as_it_is.probabilities[i], scaled.probabilities[i], 0.01) << i;  // ln(1 + x) is nearly ln x
  const LinearScore score = linear_score(model);
  EXPECT_EQ(score.features.size(), 3U);
  EXPECT_NEAR(score_agreement(score, model, data).equal_labels, 1, 1e-9);
}

TEST(Panel, MembersHaveTheirValuesAsTheyWere) {
  const Dataset data = planted(50, 12);
  const Panel found = panel(data, quick(2));
  for (const PanelMember& member : found.members)
    for (std::size_t mu = 0; mu < 50; ++mu)
      EXPECT_NEAR(member.values[mu], data.features.dense().row(mu)[member.feature], 1e-5);
}

/// Cells that the whole fit gives no weight are not solved again in every fold.
TEST(Panel, FoldsHaveSampledCellsWhereTheFitHas) {
  Model whole;
  whole.questions.resize(2);
  EXPECT_FALSE(options_of_a_fold({}, whole).grid.sparsest);
  Component sampled;
  sampled.weight = 0.5;
  sampled.places.size = {1};
  whole.questions[1].mixture.components = {sampled};
  EXPECT_TRUE(options_of_a_fold({}, whole).grid.sparsest);
}

TEST(Panel, StopsWhereItIsTold) {
  PanelOptions options = quick();
  options.progress = [](std::size_t done, std::size_t) { return done < 2; };
  EXPECT_THROW(panel(planted(50, 20), options), Interrupted);
}

TEST(Panel, RefusesWhatItCannotDo) {
  const Dataset data = planted(40, 10);
  const auto refused = [&](auto change) {
    PanelOptions options = quick();
    change(options);
    return [&data, options] { panel(data, options); };
  };
  using test::expect_error;
  expect_error<InputError>(refused([](PanelOptions& o) { o.must = {"g1", "nobody"}; }), {"`must`", "'nobody'"});
  expect_error<InputError>(refused([](PanelOptions& o) { o.from = {"x", "y"}; }), {"`from`", "'x'", "'y'"});
  expect_error<InputError>(refused([](PanelOptions& o) { o.price = {{"g1", -2}}; }), {"'g1'", "-2"});
  expect_error<UsageError>(refused([](PanelOptions& o) { o.must = {"g1", "g2"}, o.size = 1; }), {"2", "1"});
  expect_error<UsageError>(refused([](PanelOptions& o) { o.must = {"g1"}, o.never = {"g1"}; }), {"'g1'"});
  expect_error<UsageError>(refused([](PanelOptions& o) { o.from = {"g1"}, o.never = {"g1"}; }), {"`never`", "`from`"});
  expect_error<InputError>(refused([](PanelOptions& o) { o.normalise = {"nobody"}; }), {"`normalise`", "'nobody'"});
  expect_error<UsageError>(refused([](PanelOptions& o) { o.normalise = o.must = {"g1"}; }), {"'g1'", "`normalise`"});
  expect_error<UsageError>(refused([](PanelOptions& o) {
                             o.normalise = {"g1"};
                             o.fit.preprocessing.transform = PreprocessingOptions::Choice::rank;
                           }),
                           {"`normalise`", "`value_transform=rank`"});
  expect_error<UsageError>(refused([](PanelOptions& o) { o.size = 9; }), {"9", "4"});
  expect_error<UsageError>(refused([](PanelOptions& o) { o.fit.preprocessing.whiten = true; }), {"`whiten`"});
  Dataset lonely = data;
  std::ranges::fill(lonely.classes, 0U);
  lonely.classes[3] = 1;
  expect_error<InputError>([&] { panel(lonely, quick()); }, {"'c1'", "one sample"});
  Dataset constant = data;
  for (std::size_t mu = 0; mu < 40; ++mu) constant.features.dense().row(mu)[4] = 1;
  PanelOptions options = quick();
  options.must = {"g4"};
  expect_error<InputError>([&] { panel(constant, options); }, {"'g4'", "does not vary"});
}

}  // namespace
}  // namespace cavity
