// The line that is drawn has the area that is quoted, and loses nothing by its missing points.
#include "assess/roc.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "cavity/accuracy.hpp"

namespace cavity {
namespace {

using Labels = std::vector<std::int8_t>;

struct Scores {
  std::vector<double> probability;
  Labels labels;
};

Scores scores(std::size_t samples, double steps) {
  Random random(5, 0);
  Scores out;
  for (std::size_t i = 0; i < samples; ++i) {
    const bool positive = random.uniform() < 0.4;
    const double p = 0.5 * (random.uniform() + (positive ? 0.6 : 0.2));
    out.labels.push_back(positive ? 1 : -1);
    out.probability.push_back(steps > 0 ? std::round(p * steps) / steps : p);
  }
  return out;
}

TEST(Roc, TheAreaUnderItIsTheAuc) {
  for (const double steps : {0.0, 5.0, 1.0}) {
    const Scores s = scores(200, steps);
    const auto line = roc_corners(s.probability, s.labels);
    double area = 0;
    for (std::size_t i = 1; i < line.size(); ++i) {
      EXPECT_GE(line[i].true_positive, line[i - 1].true_positive);
      EXPECT_GE(line[i].false_positive, line[i - 1].false_positive);
      EXPECT_LT(line[i].threshold, line[i - 1].threshold);
      area += 0.5 * (line[i].false_positive - line[i - 1].false_positive) *
              (line[i].true_positive + line[i - 1].true_positive);
    }
    EXPECT_NEAR(area, measure_accuracy(s.probability, s.labels).auc, 1e-12);
    EXPECT_EQ(line.front().true_positive + line.front().false_positive, 0);
    EXPECT_EQ(line.back().true_positive * line.back().false_positive, 1);
  }
}

TEST(Roc, EveryThresholdLiesOnTheLine) {
  const Scores s = scores(60, 0);
  const auto line = roc_corners(s.probability, s.labels);
  EXPECT_LT(line.size(), s.labels.size());
  const auto share = [&](double threshold, bool positive) {
    double called = 0, all = 0;
    for (std::size_t i = 0; i < s.labels.size(); ++i) {
      if ((s.labels[i] > 0) != positive) continue;
      ++all;
      called += s.probability[i] >= threshold ? 1 : 0;
    }
    return called / all;
  };
  for (const double threshold : s.probability) {
    const double up = share(threshold, true), side = share(threshold, false);
    bool found = false;
    for (std::size_t i = 1; i < line.size() && !found; ++i) {
      const RocPoint &a = line[i - 1], &b = line[i];
      found =
          (side == a.false_positive && side == b.false_positive && up >= a.true_positive && up <= b.true_positive) ||
          (up == a.true_positive && up == b.true_positive && side >= a.false_positive && side <= b.false_positive);
    }
    EXPECT_TRUE(found) << threshold;
  }
}

TEST(Roc, OfOneClassThereIsNone) {
  EXPECT_TRUE(roc_corners(std::vector<double>{0.1, 0.2}, Labels{1, 1}).empty());
  EXPECT_TRUE(roc_corners({}, {}).empty());
}

}  // namespace
}  // namespace cavity
