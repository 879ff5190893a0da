// asinh around each feature's own median: against a plain sort, the same for new rows, and for a part of the features.
#include "prepare/feature_asinh.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "prepare/prepare.hpp"

namespace cavity {
namespace {

Dataset heavy(std::size_t samples, std::size_t features) {
  Random random(3);
  FeatureMatrix values(samples, features);
  for (float& x : values.values) x = static_cast<float>(50 + 10 * std::sinh(2 * random.normal()));
  Dataset out;
  for (std::size_t l = 0; l < features; ++l) out.feature_names.push_back("g" + std::to_string(l));
  out.features = std::move(values);
  return out;
}

double middle(std::vector<double> values) {
  std::ranges::sort(values);
  return 0.5 * (values[(values.size() - 1) / 2] + values[values.size() / 2]);
}

TEST(FeatureAsinh, TakesMedianAndSpreadOfEachColumn) {
  ThreadPool pool(2);
  for (const std::size_t samples : {7, 10}) {
    Dataset data = heavy(samples, 130);
    const FeatureAsinh fitted = fit_feature_asinh(std::as_const(data.features).dense(), pool);
    for (const std::size_t l : {0, 64, 129}) {
      std::vector<double> column, off;
      for (std::size_t mu = 0; mu < samples; ++mu) column.push_back(std::as_const(data.features).dense().row(mu)[l]);
      for (const double x : column) off.push_back(std::abs(x - middle(column)));
      EXPECT_EQ(fitted.median[l], middle(column));
      EXPECT_NEAR(fitted.spread[l], 1.4826 * middle(off), 1e-12);
    }
  }
}

TEST(FeatureAsinh, OfNewRowsIsThatOfTheOldAndNeedsNoOtherFeature) {
  ThreadPool pool(1);
  const Dataset data = heavy(20, 6);
  Dataset copy = data;
  const Prepared prepared = prepare(std::move(copy), {.transform = PreprocessingOptions::Choice::feature_asinh}, pool);
  EXPECT_EQ(prepared.preprocessing.transform, Transform::feature_asinh);
  copy = data;
  const Applied again = apply(prepared.preprocessing, std::move(copy), pool);
  const FeatureMatrix &old = prepared.features.dense(), &fresh = again.features.dense();
  EXPECT_EQ(old.values, fresh.values);
  const float raw = data.features.dense().row(4)[2];
  const Preprocessing& p = prepared.preprocessing;
  EXPECT_FLOAT_EQ(old.row(4)[2], static_cast<float>(std::asinh((raw - p.median[2]) / p.spread[2])));
}

TEST(FeatureAsinh, DropsConstantFeaturesAndFillsWhatIsMissing) {
  ThreadPool pool(1);
  Dataset data = heavy(12, 4);
  FeatureMatrix& values = data.features.dense();
  for (std::size_t mu = 0; mu < 12; ++mu) values.row(mu)[1] = 5;
  values.row(3)[2] = NAN;
  const Prepared prepared = prepare(std::move(data), {.transform = PreprocessingOptions::Choice::feature_asinh}, pool);
  EXPECT_EQ(prepared.preprocessing.kept, (std::vector<std::uint32_t>{0, 2, 3}));
  EXPECT_EQ(prepared.preprocessing.median.size(), 3U);
  EXPECT_EQ(prepared.missing, 1U);
  for (const float x : prepared.features.dense().values) EXPECT_TRUE(std::isfinite(x));
}

}  // namespace
}  // namespace cavity
