#include "grid/cut_evidence.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"
#include "model/normal.hpp"

namespace cavity {
namespace {

constexpr double flip = 0.1;

/// Every cut between different values and both directions, label by label.
double by_enumeration(const std::vector<double>& values, const std::vector<std::int8_t>& labels) {
  const std::size_t count = values.size();
  double total = 0, sum = 0;
  for (std::size_t below = 1; below < count; ++below) {
    const double score = normal_quantile(static_cast<double>(below) / static_cast<double>(count));
    const double prior = std::exp(-2 * score * score);
    total += prior;
    double threshold = NAN;  // a value with exactly so many below it
    for (const double v : values) {
      std::size_t smaller = 0;
      for (const double w : values) smaller += w < v ? 1 : 0;
      if (smaller == below) threshold = v;
    }
    if (std::isnan(threshold)) continue;
    for (const int direction : {1, -1}) {
      double likelihood = 0.5;
      for (std::size_t mu = 0; mu < count; ++mu)
        likelihood *= ((values[mu] >= threshold ? 1 : -1) * direction == labels[mu] ? 1 - flip : flip) / (1 - flip);
      sum += prior * likelihood;
    }
  }
  return sum / total;
}

TEST(CutEvidence, IsTheSumOverAllCuts) {
  Random random(2);
  for (const bool tied : {false, true})
    for (int repeat = 0; repeat < 5; ++repeat) {
      std::vector<double> values;
      std::vector<std::int8_t> labels;
      for (int mu = 0; mu < 15; ++mu) {
        values.push_back(tied ? static_cast<double>(random.below(5)) : random.normal());
        labels.push_back(random.bernoulli(0.4) ? 1 : -1);
      }
      std::vector<std::uint32_t> place;
      for (const double v : values) {
        std::uint32_t below = 0, equal = 0;
        for (const double w : values) {
          below += w < v ? 1 : 0;
          equal += w == v ? 1 : 0;
        }
        place.push_back(2 * below + equal - 1);
      }
      const double expected = by_enumeration(values, labels);
      EXPECT_NEAR(CutEvidence(labels, flip).of(place), expected, 1e-12 * expected);
    }
}

TEST(CutEvidence, AConstantFeatureHasNone) {
  const std::vector<std::int8_t> labels = {1, -1, 1, 1};
  EXPECT_EQ(CutEvidence(labels, flip).of(std::vector<std::uint32_t>(4, 3)), 0);
}

}  // namespace
}  // namespace cavity
