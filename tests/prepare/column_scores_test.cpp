#include "prepare/column_scores.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "model/normal.hpp"
#include "prepare/transform.hpp"

namespace cavity {
namespace {

FeatureMatrix random_values(std::size_t rows, std::size_t cols, bool tied) {
  Random random(8);
  FeatureMatrix out(rows, cols);
  for (float& x : out.values) x = static_cast<float>(tied ? static_cast<double>(random.below(4)) : random.normal());
  return out;
}

/// By counting: the mean rank of a value among all.
double score_by_counting(const FeatureMatrix& values, std::size_t column, float value) {
  double below = 0, equal = 0;
  for (std::size_t mu = 0; mu < values.rows; ++mu) {
    below += values.row(mu)[column] < value ? 1 : 0;
    equal += values.row(mu)[column] == value ? 1 : 0;
  }
  const auto count = static_cast<double>(values.rows);
  const double share = (below + 0.5 * equal) / count;  // (mean rank - 1/2)/count
  return normal_quantile(std::clamp(share, 0.5 / count, 1 - 0.5 / count));
}

TEST(ColumnScores, ArePlacesOfEveryColumnTiesAveraged) {
  for (const bool tied : {false, true}) {
    const FeatureMatrix values = random_values(37, 150, tied);
    const std::vector<float> score = normal_scores(values.rows);
    ThreadPool pool(3);
    std::vector<int> seen(values.cols);
    for_columns(
        values,
        [&](std::size_t l, std::span<const std::uint32_t> place) {
          ++seen[l];
          for (std::size_t mu = 0; mu < values.rows; ++mu)
            EXPECT_NEAR(score[place[mu]], score_by_counting(values, l, values.row(mu)[l]), 1e-6);
        },
        pool);
    EXPECT_EQ(seen, std::vector<int>(values.cols, 1));
  }
}

TEST(ColumnScores, OfNewValuesAreThoseOfThePlaceTheyWouldHave) {
  for (const bool tied : {false, true}) {
    const FeatureMatrix training = random_values(20, 3, tied);
    std::vector<float> sorted;
    for (std::size_t l = 0; l < 3; ++l) {
      for (std::size_t mu = 0; mu < 20; ++mu) sorted.push_back(training.row(mu)[l]);
      std::sort(sorted.end() - 20, sorted.end());
    }
    FeatureMatrix fresh(6, 3);
    for (std::size_t l = 0; l < 3; ++l) {
      const float some[] = {-9, 0.5F, 1.5F, training.row(3)[l], training.row(11)[l], 9};
      for (std::size_t mu = 0; mu < 6; ++mu) fresh.row(mu)[l] = some[mu];
    }
    const FeatureMatrix got = new_scores(sorted, fresh);
    for (std::size_t l = 0; l < 3; ++l)
      for (std::size_t mu = 0; mu < 6; ++mu)
        EXPECT_NEAR(got.row(mu)[l], score_by_counting(training, l, fresh.row(mu)[l]), 1e-6) << mu << " " << l;
  }
}

}  // namespace
}  // namespace cavity
