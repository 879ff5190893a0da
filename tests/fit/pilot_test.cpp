// The preparation that leave-one-out prefers.
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "cavity/fit.hpp"

namespace cavity {
namespace {

// 60 x 400. A few features of large spread carry the label, the rest is noise: of small spread, so that scaling every
// feature to unit variance drowns what counts, or of the same.
Dataset noisy(double small) {
  Dataset data;
  data.features = FeatureMatrix(60, 400);
  FeatureMatrix& x = data.features.dense();
  Random random(11, 0);
  for (std::size_t mu = 0; mu < x.rows; ++mu) {
    const int label = mu % 2 == 0 ? 1 : -1;
    data.classes.push_back(label > 0 ? 1 : 0);
    data.sample_names.push_back(std::to_string(mu));
    for (std::size_t l = 0; l < x.cols; ++l) {
      const double spread = l < 10 ? 1 : small;
      x.row(mu)[l] = static_cast<float>(spread * random.normal() + (l < 10 ? 0.45 * label : 0));
    }
  }
  for (std::size_t l = 0; l < x.cols; ++l) data.feature_names.push_back("f" + std::to_string(l));
  data.class_names = {"a", "b"};
  return data;
}

bool tried(const Fit& fit) {
  for (const std::string& note : fit.data.notes)
    if (note.starts_with("preparations tried")) return true;
  return false;
}

TEST(Pilot, LeavesTheScaleAloneWhereThatIsClearlyBetter) {
  const Fit fit_of_it = fit(noisy(0.05));
  EXPECT_TRUE(tried(fit_of_it));
  EXPECT_FALSE(fit_of_it.model.preprocessing.unit_variance);
}

TEST(Pilot, KeepsTheUsualPreparationOtherwise) {
  const Fit fit_of_it = fit(noisy(1));
  EXPECT_TRUE(tried(fit_of_it));
  EXPECT_TRUE(fit_of_it.model.preprocessing.unit_variance);
}

TEST(Pilot, TriesNothingWhereItIsSaid) {
  FitOptions options;
  options.preprocessing.unit_variance = true;
  const Fit fit_of_it = fit(noisy(0.05), options);
  EXPECT_FALSE(tried(fit_of_it));
  EXPECT_TRUE(fit_of_it.model.preprocessing.unit_variance);
}

}  // namespace
}  // namespace cavity
