#include "prepare/prepare.hpp"
#include "cavity/read.hpp"
#include "prepare/feature_weights.hpp"
#include "prepare/make_design.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "cavity/errors.hpp"
#include "support/errors.hpp"
#include "support/tables.hpp"
#include "support/temp_files.hpp"

namespace cavity {
namespace {

using test::expect_error;
using test::reordered;
using test::skewed_table;
using Choice = PreprocessingOptions::Choice;
using Notes = std::vector<std::string>;

constexpr float missing = std::numeric_limits<float>::quiet_NaN();

class Preprocess : public testing::Test {
 protected:
  Prepared fit(Dataset data, const PreprocessingOptions& options) { return prepare(std::move(data), options, pool_); }
  /// A small table without transform.
  Prepared fit_rows(std::size_t cols, std::vector<float> values, bool equal_rows = false) {
    Dataset data;
    FeatureMatrix matrix(values.size() / cols, cols);
    matrix.values = std::move(values);
    data.features = std::move(matrix);
    for (std::size_t l = 0; l < cols; ++l) data.feature_names.push_back(std::string(1, static_cast<char>('a' + l)));
    return fit(std::move(data), {.transform = Choice::none, .equal_rows = equal_rows});
  }
  /// The preprocessed matrix, through the design's own products.
  Matrix dense(const Inputs& inputs) {
    std::vector<std::size_t> all(inputs.inputs());
    std::iota(all.begin(), all.end(), std::size_t{0});
    Matrix x;
    make_design(inputs)->columns(all, x);
    return x;
  }
  ThreadPool pool_{2};
};

constexpr PreprocessingOptions variants[] = {{Choice::none, true, false},  {Choice::none, false, false},
                                             {Choice::asinh, true, false}, {Choice::rank, true, false},
                                             {Choice::rank, false, false}, {Choice::none, true, true},
                                             {Choice::rank, true, true}};

TEST_F(Preprocess, RowsHaveLengthRootInputs) {
  for (const auto& options : variants) {
    PreprocessingOptions equal = options;
    equal.equal_rows = true;
    const Matrix x = dense(fit(skewed_table(20, 70), equal));
    for (Eigen::Index i = 0; i < x.rows(); ++i)
      EXPECT_NEAR(x.row(i).squaredNorm(), static_cast<double>(x.cols()), 1e-9 * static_cast<double>(x.cols()));
  }
}

TEST_F(Preprocess, RowsKeepTheirLengthsAndHaveMeanSquareInputs) {
  const Prepared prepared = fit(skewed_table(20, 70), {.transform = Choice::none});
  const Matrix x = dense(prepared);
  EXPECT_NEAR(x.squaredNorm() / 20, 70, 1e-9 * 70);
  EXPECT_EQ(prepared.preprocessing.row_scale, prepared.row_scale.front());
  const auto again = apply(prepared.preprocessing, skewed_table(5, 70), pool_);
  EXPECT_EQ(again.row_scale, std::vector<double>(5, prepared.preprocessing.row_scale));
}

TEST_F(Preprocess, ColumnsAreCentredWithUnitVarianceBeforeRowScaling) {
  for (const auto& options : variants) {
    Prepared prepared = fit(skewed_table(20, 70), options);
    prepared.row_scale.assign(20, 1.0);
    const Matrix x = dense(prepared);
    EXPECT_LT(x.colwise().mean().cwiseAbs().maxCoeff(), 1e-4 * x.cwiseAbs().maxCoeff());
    if (options.unit_variance == false) continue;
    for (Eigen::Index l = 0; l < x.cols(); ++l) EXPECT_NEAR(x.col(l).squaredNorm() / 20, 1, 1e-4);
  }
}

TEST_F(Preprocess, ApplyRepeatsPrepare) {
  Dataset table = skewed_table(20, 70);
  table.features.dense().row(3)[5] = missing;
  for (std::size_t i = 0; i < 20; ++i) table.features.dense().row(i)[9] = 4;
  for (const auto& options : variants) {
    const Prepared prepared = fit(table, options);
    for (const Dataset& again : {table, reordered(table)}) {
      const Applied applied = apply(prepared.preprocessing, Dataset(again), pool_);
      EXPECT_EQ(applied.missing, 1U);
      EXPECT_EQ(applied.notes, Notes{"1 missing value replaced by the feature's training mean"});
      EXPECT_LT((dense(applied) - dense(prepared)).cwiseAbs().maxCoeff(), 1e-6);
    }
  }
}

TEST_F(Preprocess, SamplesThatAreRankedLaterStayInTheirUnits) {
  const Dataset data = skewed_table(20, 30);
  const Preprocessing p = fit(data, {.transform = Choice::rank}).preprocessing;
  std::vector<bool> later(20, false);
  later[3] = true;
  ASSERT_EQ(p.kept.size(), 30U);
  const Applied all = apply(p, Dataset(data), pool_), some = apply(p, Dataset(data), pool_, later);
  for (std::size_t mu = 0; mu < 20; ++mu) {
    const FeatureMatrix& expected = (mu == 3 ? data.features : all.features).dense();
    for (std::size_t l = 0; l < 30; ++l) EXPECT_EQ(some.features.dense().row(mu)[l], expected.row(mu)[l]);
  }
}

TEST_F(Preprocess, ThreadsDoNotChangeABit) {
  ThreadPool one(1);
  for (const auto& options : variants) {
    const Prepared a = fit(skewed_table(40, 600), options), b = prepare(skewed_table(40, 600), options, one);
    EXPECT_EQ(a.features.dense().values, b.features.dense().values);
    EXPECT_EQ(a.row_scale, b.row_scale);
    EXPECT_EQ(a.columns.centre, b.columns.centre);
  }
}

TEST_F(Preprocess, WorksInsideTheMatrixItIsGiven) {
  Dataset table = skewed_table(20, 70);
  for (std::size_t i = 0; i < 20; ++i) table.features.dense().row(i)[0] = 4;
  Dataset again = reordered(table);
  const float* before = table.features.dense().values.data();
  const float* before_again = again.features.dense().values.data();
  const Prepared prepared = prepare(std::move(table), {.transform = Choice::rank}, pool_);
  EXPECT_EQ(prepared.features.dense().values.data(), before);
  EXPECT_EQ(apply(prepared.preprocessing, std::move(again), pool_).features.dense().values.data(), before_again);
}

TEST_F(Preprocess, WeightsReproduceTheField) {
  for (const auto& options : variants) {
    Dataset table = skewed_table(20, 70);
    for (std::size_t i = 0; i < 20; ++i) table.features.dense().row(i)[9] = 4;
    const Prepared prepared = fit(table, options);
    const Preprocessing& p = prepared.preprocessing;
    // The transformed values of the kept features, which whitening has replaced.
    const Prepared plain = fit(table, {options.transform, options.unit_variance, false});
    Random random(7);
    std::vector<double> mean(p.inputs()), fields(20);
    for (double& m : mean) m = random.normal();
    make_design(prepared)->times(mean, fields, pool_);
    for (std::size_t i = 0; i < 20; ++i) {
      const auto weight = feature_weights(p, mean, prepared.row_scale[i]);
      ASSERT_EQ(weight.size(), 70U);
      EXPECT_EQ(weight[9], 0);
      double sum = 0, centre = 0;
      for (std::size_t j = 0; j < p.kept.size(); ++j) {
        sum += weight[p.kept[j]] * plain.features.dense().row(i)[j];
        centre += weight[p.kept[j]] * p.centre[j];
      }
      const double field = fields[i] / std::sqrt(static_cast<double>(p.inputs()));
      EXPECT_NEAR(sum - centre, field, 1e-5 * (1 + std::abs(sum) + std::abs(field)));
    }
  }
}

TEST_F(Preprocess, DeviationsAddAsIndependent) {
  for (const bool whiten : {false, true}) {
    const Prepared prepared = fit(skewed_table(10, 30), {Choice::none, true, whiten});
    const Preprocessing& p = prepared.preprocessing;
    std::vector<double> square(30), deviation(p.inputs());
    for (std::size_t k = 0; k < deviation.size(); ++k) {
      deviation[k] = 0.1 + 0.01 * static_cast<double>(k);
      std::vector<double> one(p.inputs());
      one[k] = deviation[k];
      const auto weight = feature_weights(p, one, 1.3);
      for (std::size_t l = 0; l < 30; ++l) square[l] += weight[l] * weight[l];
    }
    const auto sd = feature_deviations(p, deviation, 1.3);
    for (std::size_t l = 0; l < 30; ++l) EXPECT_NEAR(sd[l], std::sqrt(square[l]), 1e-12 * sd[l]);
  }
  EXPECT_THROW(feature_weights(Preprocessing{}, std::vector<double>(2), 1), std::invalid_argument);
}

TEST_F(Preprocess, MissingValuesTakeTheMeanOfTheOthers) {
  const Prepared p = fit_rows(2, {1, 5, missing, 7, 4, missing, 1, missing});
  EXPECT_EQ(p.missing, 3U);
  EXPECT_EQ(p.preprocessing.impute, (std::vector<double>{2, 6}));
  EXPECT_EQ(p.features.dense().values, (std::vector<float>{1, 5, 2, 7, 4, 6, 1, 6}));
  EXPECT_EQ(p.notes, Notes{"3 missing values in 2 features replaced by the feature's mean"});
}

TEST_F(Preprocess, ConstantAllMissingAndNearlyConstantFeaturesAreDropped) {
  const float next = std::nextafter(1e6F, 2e6F);
  // varies, constant, all missing, constant where known, float noise, small but varying
  const Prepared p = fit_rows(6, {1, 3, missing, 2, 1e6F, 1e-30F, 2, 3, missing, missing, next, 2e-30F,  //
                                  4, 3, missing, 2, 1e6F, 5e-30F});
  EXPECT_EQ(p.preprocessing.kept, (std::vector<std::uint32_t>{0, 5}));
  EXPECT_EQ(p.constant, 4U);
  EXPECT_EQ(p.features.dense().values, (std::vector<float>{1, 1e-30F, 2, 2e-30F, 4, 5e-30F}));
  EXPECT_EQ(p.preprocessing.impute[2], 0);
  EXPECT_EQ(p.notes,
            (Notes{"4 missing values in 2 features replaced by the feature's mean", "4 constant features dropped"}));
  for (const double scale : p.row_scale) EXPECT_TRUE(std::isfinite(scale));
}

TEST_F(Preprocess, RanksDoNotReviveAConstantFeature) {
  Dataset table = skewed_table(20, 70);
  for (std::size_t i = 0; i < 20; ++i) table.features.dense().row(i)[9] = 10;  // its rank differs from sample to sample
  EXPECT_EQ(fit(table, {.transform = Choice::rank}).constant, 1U);
}

TEST_F(Preprocess, ARowAtTheCentreStaysZero) {
  const Prepared p = fit_rows(1, {-1, 0, 1}, true);
  EXPECT_EQ(p.row_scale[1], 1);
  EXPECT_NEAR(p.row_scale[0], std::sqrt(2.0 / 3.0), 1e-12);
}

TEST_F(Preprocess, RefusesWhatCannotBeUsed) {
  expect_error<InputError>(
      [&] {
        fit_rows(2, {1, 3, 1, missing});
      },
      {"no feature is left", "all 2 features are constant in 2 samples"});
  expect_error<InputError>([&] { fit_rows(1, {1, 1}); }, {"the only feature is constant"});
  expect_error<InputError>([&] { fit_rows(2, {1, 2, 3, INFINITY}); }, {"sample 2, feature 'b'", "infinite"});
  const Prepared p = fit_rows(2, {1, 2, 3, 5});
  Dataset bad = skewed_table(1, 2);
  bad.feature_names = {"b", "a"};
  bad.features.dense().values = {INFINITY, 1};
  expect_error<InputError>([&] { apply(p.preprocessing, std::move(bad), pool_); }, {"'s1', feature 'b'", "infinite"});
}

TEST_F(Preprocess, MissingFeaturesAreListedUnlessTrainingDroppedThem) {
  Dataset table = skewed_table(20, 70);
  for (std::size_t i = 0; i < 20; ++i) table.features.dense().row(i)[69] = 4;
  const Prepared prepared = fit(table, {.transform = Choice::rank});
  Dataset fewer = table;
  for (std::size_t l : {2, 3, 4, 5, 6, 7, 8}) fewer.feature_names[l] += "x";
  expect_error<InputError>(
      [&] { apply(prepared.preprocessing, std::move(fewer), pool_); },
      {"7 of the model's 69 features are not in the data", "'g3', 'g4', 'g5', 'g6', 'g7' and 2 more"});
  Dataset without = table;
  without.feature_names[69] = "another";
  EXPECT_EQ(apply(prepared.preprocessing, std::move(without), pool_).features.dense().values,
            prepared.features.dense().values);
}

TEST_F(Preprocess, AbsentFeaturesOfAnSvmlightFileAreZero) {
  const test::TempDir dir;
  const Prepared prepared =
      fit(read_dataset(dir.write("train", "1 1:2 2:5 4:7\n-1 1:1 3:4\n1 3:2 4:1\n")), {.transform = Choice::none});
  const auto applied = apply(prepared.preprocessing, read_dataset(dir.write("new", "1 1:2\n-1 2:5\n")), pool_);
  EXPECT_EQ(applied.features.dense().values, (std::vector<float>{2, 0, 0, 0, 0, 5, 0, 0}));
  const auto table = dir.write("new.csv", "label,f1,f2\na,2,0\nb,0,5\n");
  expect_error<InputError>([&] { apply(prepared.preprocessing, read_dataset(table), pool_); }, {"'f3', 'f4'"});
  const Prepared named = fit(skewed_table(5, 3), {.transform = Choice::none});
  expect_error<InputError>([&] { apply(named.preprocessing, read_dataset(dir.path("new")), pool_); }, {"'g1', 'g2'"});
}

}  // namespace
}  // namespace cavity
