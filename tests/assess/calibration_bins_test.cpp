// Bins of left-out probabilities: every sample once, equal probabilities together, weights and groups as they should.
#include "assess/calibration_bins.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.hpp"

namespace cavity {
namespace {

using Labels = std::vector<std::int8_t>;

struct Said {
  std::vector<double> probability;
  Labels labels;
};

/// Probabilities that are right, rounded to `steps` values where that is asked for.
Said honest(std::size_t samples, double steps = 0) {
  Random random(11, 0);
  Said out;
  for (std::size_t i = 0; i < samples; ++i) {
    const double p = random.uniform();
    out.labels.push_back(random.uniform() < p ? 1 : -1);
    out.probability.push_back(steps > 0 ? std::round(p * steps) / steps : p);
  }
  return out;
}

TEST(CalibrationBins, HoldEverySampleOnceInOrder) {
  for (const double steps : {0.0, 4.0, 1e-9}) {
    const Said said = honest(130, steps);
    const auto bins = calibration_bins(said.probability, said.labels);
    std::size_t samples = 0, hits = 0;
    for (std::size_t b = 0; b < bins.size(); ++b) {
      samples += bins[b].samples;
      hits += bins[b].hits;
      if (b > 0) {
        EXPECT_GT(bins[b].predicted, bins[b - 1].predicted);  // equal ones are never split
      }
      EXPECT_LE(bins[b].interval.low, bins[b].observed);
      EXPECT_LE(bins[b].observed, bins[b].interval.high);
    }
    EXPECT_EQ(samples, 130U);
    EXPECT_EQ(hits, static_cast<std::size_t>(std::count(said.labels.begin(), said.labels.end(), 1)));
  }
}

TEST(CalibrationBins, AreTwoToTenOfAboutTwelve) {
  for (const auto& [samples, wanted] : {std::pair<std::size_t, std::size_t>{8, 2}, {62, 5}, {5000, 10}}) {
    const Said said = honest(samples);
    EXPECT_EQ(calibration_bins(said.probability, said.labels).size(), wanted);
  }
  EXPECT_TRUE(calibration_bins({}, {}).empty());
}

TEST(CalibrationBins, ManyEqualOnesLeaveNoBinOfASingleSample) {
  std::vector<double> p(45, 0.014);
  p.insert(p.end(), {0.15, 0.34, 0.45, 0.97});
  p.insert(p.end(), 23, 0.986);
  Labels labels;
  for (const double v : p) labels.push_back(v > 0.5 ? 1 : -1);
  const auto bins = calibration_bins(p, labels);
  ASSERT_EQ(bins.size(), 3U);
  EXPECT_EQ(bins[0].samples, 45U);
  EXPECT_EQ(bins[1].samples, 4U);
  EXPECT_EQ(bins[2].samples, 23U);
}

TEST(CalibrationBins, EqualWeightsAreNoneAndOthersMoveTheShareAsTheyShould) {
  const Said said = honest(100);
  const auto plain = calibration_bins(said.probability, said.labels);
  const auto alike = calibration_bins(said.probability, said.labels, std::vector<double>(100, 0.01));
  std::vector<double> weights;
  for (const std::int8_t y : said.labels) weights.push_back(y > 0 ? 0.1 : 1);
  const auto rare = calibration_bins(said.probability, said.labels, weights);
  ASSERT_EQ(rare.size(), plain.size());
  for (std::size_t b = 0; b < plain.size(); ++b) {
    EXPECT_NEAR(alike[b].observed, plain[b].observed, 1e-12);
    EXPECT_NEAR(alike[b].interval.low, plain[b].interval.low, 1e-12);
    const auto hits = static_cast<double>(plain[b].hits), others = static_cast<double>(plain[b].samples) - hits;
    EXPECT_NEAR(rare[b].observed, 0.1 * hits / (0.1 * hits + others), 1e-12);
    EXPECT_LE(rare[b].interval.low, rare[b].observed);
    EXPECT_LE(rare[b].observed, rare[b].interval.high);
  }
}

TEST(CalibrationBins, CopiesOfASampleInItsGroupNarrowNoInterval) {
  const Said once = honest(40);
  Said thrice;
  std::vector<std::size_t> group_of;
  for (std::size_t i = 0; i < 40; ++i)
    for (int copy = 0; copy < 3; ++copy) {
      thrice.probability.push_back(once.probability[i]);
      thrice.labels.push_back(once.labels[i]);
      group_of.push_back(i);
    }
  for (const CalibrationBin& bin : calibration_bins(thrice.probability, thrice.labels, {}, group_of)) {
    const Interval own = wilson_interval(bin.observed, static_cast<double>(bin.samples) / 3);
    EXPECT_NEAR(bin.interval.low, own.low, 1e-12);
    EXPECT_NEAR(bin.interval.high, own.high, 1e-12);
  }
}

}  // namespace
}  // namespace cavity
