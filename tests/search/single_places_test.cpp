#include "search/single_places.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"
#include "model/normal.hpp"
#include "prepare/column_scores.hpp"
#include "prepare/transform.hpp"

namespace cavity {
namespace {

constexpr double flip = 0.1, width = 0.3;
constexpr std::size_t samples = 20, features = 30;

/// Side by side, as make_place_inputs has them.
PlaceInputs make_inputs(const std::vector<FeatureMatrix>& forms, const SinglePlaces& single) {
  ThreadPool pool(1);
  const std::size_t rows = forms[0].rows, inputs = forms[0].cols;
  const std::vector<float> score = normal_scores(rows);
  FeatureMatrix scores(rows, forms.size() * inputs);
  std::vector<double> evidence(scores.cols);
  for (std::size_t form = 0; form < forms.size(); ++form)
    for_columns(
        forms[form],
        [&](std::size_t l, std::span<const std::uint32_t> place) {
          for (std::size_t mu = 0; mu < rows; ++mu) scores.row(mu)[form * inputs + l] = score[place[mu]];
          evidence[form * inputs + l] = single.log_evidence(place);
        },
        pool);
  return {std::move(scores), std::move(evidence), inputs};
}

/// One feature decides; every other one has ties. Two forms that have nothing to do with each other.
struct Example {
  std::vector<std::int8_t> labels;
  PlaceInputs inputs;

  explicit Example(std::uint64_t seed) : inputs(make(seed, labels)) {}

  static PlaceInputs make(std::uint64_t seed, std::vector<std::int8_t>& labels) {
    Random random(seed);
    std::vector<FeatureMatrix> forms(2, FeatureMatrix(samples, features));
    for (std::size_t mu = 0; mu < samples; ++mu) {
      for (FeatureMatrix& table : forms)
        for (std::size_t l = 0; l < features; ++l)
          table.row(mu)[l] = static_cast<float>(l % 2 == 0 ? random.normal() : static_cast<double>(random.below(4)));
      labels.push_back((forms[0].row(mu)[2] > 0.2F) != random.bernoulli(flip) ? 1 : -1);
    }
    return make_inputs(forms, SinglePlaces(labels, flip, width));
  }

  PlaceResult sum(unsigned threads = 1) const {
    ThreadPool pool(threads);
    return SinglePlaces(labels, flip, width).sum(inputs, pool);
  }

  double positive(std::size_t mu, std::size_t which, std::size_t below, double weight) const {
    const double cut = normal_quantile(static_cast<double>(below) / samples);
    const double score = inputs.scores.row(mu)[which];
    return flip + (1 - 2 * flip) * normal_cdf(weight * (score - cut) / width);
  }

  /// Mean over all cuts and weights of a feature of the likelihood of some labels, times P(+1) of `predicted`, if any.
  template <class Seen>
  double plain_sum(std::size_t which, const Seen& seen, std::size_t predicted = samples) const {
    double out = 0;
    for (std::size_t below = 1; below < samples; ++below)
      for (const double weight : {-1.5, -0.6, -0.25, 0.25, 0.6, 1.5}) {
        double product = predicted < samples ? positive(predicted, which, below, weight) : 1;
        for (std::size_t mu = 0; mu < samples; ++mu) {
          const double p = positive(mu, which, below, weight);
          if (seen(mu)) product *= labels[mu] > 0 ? p : 1 - p;
        }
        out += product / (6 * (samples - 1));
      }
    return out;
  }
  template <class Seen>
  double plain_sum_of_all(const Seen& seen, std::size_t predicted = samples) const {
    double out = 0;
    for (std::size_t which = 0; which < 2 * features; ++which) out += plain_sum(which, seen, predicted);
    return out;
  }
};

constexpr auto every = [](std::size_t) { return true; };

TEST(SinglePlaces, EvidenceAndInclusionAreTheSumOverAllCuts) {
  for (const std::uint64_t seed : {1, 2}) {
    const Example example(seed);
    const PlaceResult result = example.sum();
    const double all = example.plain_sum_of_all(every);
    for (std::size_t l = 0; l < features; ++l) {
      const double first = example.plain_sum(l, every), second = example.plain_sum(features + l, every);
      EXPECT_NEAR(example.inputs.log_evidence[l], std::log(first), 1e-6);  // scores are floats
      EXPECT_NEAR(example.inputs.log_evidence[features + l], std::log(second), 1e-6);
      EXPECT_NEAR(result.posterior.inclusion[l], (first + second) / all, 1e-6);
    }
    EXPECT_NEAR(result.posterior.log_evidence, std::log(all / (2 * features)), 1e-6);
  }
}

TEST(SinglePlaces, LeaveOneOutIsTheRatioOfTwoSums) {
  for (const std::uint64_t seed : {1, 2}) {
    const Example example(seed);
    const Posterior posterior = example.sum().posterior;
    const double all = example.plain_sum_of_all(every);
    double wrong = 0;
    for (std::size_t mu = 0; mu < samples; ++mu) {
      const double own = all / example.plain_sum_of_all([&](std::size_t nu) { return nu != mu; });
      EXPECT_NEAR(std::exp(posterior.loo_log_probability[mu]), own, 1e-3);  // the least likely features are left out
      wrong += own < 0.5 ? 1 : 0;
    }
    EXPECT_NEAR(posterior.loo_error, wrong / samples, 1e-12);
    EXPECT_EQ(posterior.status, Status::converged);
  }
}

TEST(SinglePlaces, DrawsPredictWhatTheSumDoes) {
  const Example example(1);
  const std::vector<double> predicted =
      predict_places(example.sum().draws, example.inputs.design, Matrix::Ones(samples, 1));
  const double all = example.plain_sum_of_all(every);
  for (std::size_t mu = 0; mu < samples; ++mu)
    EXPECT_NEAR(predicted[mu], example.plain_sum_of_all(every, mu) / all, 0.02);
}

TEST(SinglePlaces, ThreadsMakeNoDifference) {
  const Example example(4);
  const PlaceResult one = example.sum(1), four = example.sum(4);
  EXPECT_EQ(one.posterior.loo_log_probability, four.posterior.loo_log_probability);
  EXPECT_EQ(one.posterior.mean, four.posterior.mean);
  EXPECT_EQ(one.draws.place, four.draws.place);
  EXPECT_EQ(one.draws.mean, four.draws.mean);
}

TEST(SinglePlaces, ManySamplesHaveFewerCutsAndTheSameAnswer) {
  Random random(5);
  const std::size_t many = 400;
  FeatureMatrix values(many, 5);
  std::vector<std::int8_t> labels;
  for (std::size_t mu = 0; mu < many; ++mu) {
    for (std::size_t l = 0; l < 5; ++l) values.row(mu)[l] = static_cast<float>(random.normal());
    labels.push_back((values.row(mu)[3] > -0.5F) != random.bernoulli(flip) ? -1 : 1);
  }
  ThreadPool pool(1);
  const SinglePlaces single(labels, flip, width);
  const PlaceResult result = single.sum(make_inputs({values}, single), pool);
  EXPECT_GT(result.posterior.inclusion[3], 0.999);
  EXPECT_LT(result.posterior.mean[3], -0.5);
  EXPECT_NEAR(result.posterior.loo_error, flip, 0.06);
  double cut = 0;
  for (std::size_t draw = 0; draw < result.draws.count(); ++draw)
    cut -= result.draws.mean[2 * draw] / result.draws.mean[2 * draw + 1] / static_cast<double>(result.draws.count());
  EXPECT_NEAR(cut, -0.5, 0.15);
}

}  // namespace
}  // namespace cavity
