// Samples that lack features, asked of a bent boundary: the mean over what they may be.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "cavity/fit.hpp"
#include "cavity/model_file.hpp"
#include "fit/partial_samples.hpp"

namespace cavity {
namespace {

constexpr std::size_t features = 6;

/// Labels by a ring of the first two features; the third is the first but for some noise.
Dataset ring(std::size_t samples, std::uint64_t seed) {
  Random random(seed, 3);
  FeatureMatrix values(samples, features);
  Dataset out;
  out.class_names = {"in", "out"};
  for (std::size_t mu = 0; mu < samples; ++mu) {
    float* x = values.row(mu);
    for (std::size_t l = 0; l < features; ++l) x[l] = static_cast<float>(random.normal());
    x[2] = x[0] + 0.3F * x[2];
    out.classes.push_back(x[0] * x[0] + x[1] * x[1] > 1.4F ? 1 : 0);
    out.sample_names.push_back("s" + std::to_string(mu));
  }
  for (std::size_t l = 0; l < features; ++l) out.feature_names.push_back("x" + std::to_string(l));
  out.features = std::move(values);
  return out;
}

const Model& bent_model() {
  static const Model out = [] {
    FitOptions options;
    options.boundary = Boundary::bent;
    options.threads = 1;
    return model_from_bytes(model_bytes(fit(ring(150, 1), options).model));
  }();
  return out;
}

Dataset emptied(Dataset data, std::size_t feature, float value) {
  for (std::size_t mu = 0; mu < data.samples(); ++mu) data.features.dense().row(mu)[feature] = value;
  return data;
}

Dataset without(const Dataset& data, std::size_t feature) {
  Dataset out = data;
  FeatureMatrix values(data.samples(), features - 1);
  out.feature_names.erase(out.feature_names.begin() + static_cast<std::ptrdiff_t>(feature));
  for (std::size_t mu = 0; mu < values.rows; ++mu)
    for (std::size_t l = 0, at = 0; l < features; ++l)
      if (l != feature) values.row(mu)[at++] = data.features.dense().row(mu)[l];
  out.features = std::move(values);
  return out;
}

double log_loss(const Prediction& said, const Dataset& data) {
  double sum = 0;
  for (std::size_t mu = 0; mu < data.samples(); ++mu) sum -= std::log(said.at(mu, data.classes[mu]));
  return sum / static_cast<double>(data.samples());
}

/// The guess of the regression and, added to it, each of what it missed: whole samples, asked one by one.
TEST(BentAbsent, IsTheMeanOverCompletedSamples) {
  Model model = bent_model();
  model.calibration = {};
  ASSERT_EQ(model.questions.front().mixture.bent.share, 1);
  const Preprocessing& p = model.preprocessing;
  ASSERT_GT(p.row_scale, 0);
  ASSERT_EQ(p.kept.size(), features);
  const Dataset fresh = ring(5, 2), part = without(fresh, 0);
  ThreadPool pool(1);
  Dataset data = part;
  const MissingInputs missing = find_missing(model, data, false, pool);
  PartialSamples partial(model, missing, data.samples(), pool);
  Applied inputs = apply(p, std::move(data), pool, partial.ranked_later());
  partial.complete(inputs, pool);
  const Doubt& doubt = partial.doubt();
  ASSERT_EQ(doubt.patterns.size(), 1U);
  ASSERT_GE(doubt.patterns[0].missed, 16U);
  const Prediction said = predict(model, part, 1);
  for (std::size_t mu = 0; mu < 5; ++mu) {
    Dataset completed = ring(doubt.patterns[0].missed, 2);
    for (std::size_t i = 0; i < doubt.patterns[0].missed; ++i)
      for (std::size_t l = 0; l < features; ++l) {
        const double off = doubt.missed.features.dense().row(i)[l] - p.centre[l];
        completed.features.dense().row(i)[l] =
            static_cast<float>(inputs.features.dense().row(mu)[l] + off / inputs.row_scale[mu]);
      }
    const std::vector<double> all = predict(model, completed, 1).of(1);
    double mean = 0;
    for (const double one : all) mean += one / static_cast<double>(all.size());
    EXPECT_NEAR(said.of(1)[mu], mean, 1e-5);
  }
  EXPECT_EQ(said.probabilities, predict(model, part, 3).probabilities);
}

TEST(BentAbsent, IsHonestAboutWhatIsNotThere) {
  const Dataset fresh = ring(600, 3);
  const double whole = log_loss(predict(bent_model(), fresh, 1), fresh);
  // The first has a double, the second none.
  const double doubled = log_loss(predict(bent_model(), without(fresh, 0), {1, false, 0}), fresh),
               gone = log_loss(predict(bent_model(), without(fresh, 1), {1, false, 0}), fresh),
               at_mean = log_loss(predict(bent_model(), emptied(fresh, 1, 0), 1), fresh);
  EXPECT_LT(doubled, 0.5 * (whole + std::log(2)));
  EXPECT_GT(gone, doubled);
  EXPECT_LT(gone, std::log(2.0));
  EXPECT_LT(gone, at_mean - 0.1);
}

TEST(BentAbsent, MissingValuesAreToldSampleBySample) {
  const Dataset fresh = ring(300, 4);
  Dataset some = fresh, filled = fresh;
  for (std::size_t mu = 0; mu < 300; mu += 2) {
    some.features.dense().row(mu)[mu % 4 == 0 ? 0 : 1] = std::nanf("");
    filled.features.dense().row(mu)[mu % 4 == 0 ? 0 : 1] = 0;
  }
  const Prediction made = predict(bent_model(), some, 1), whole = predict(bent_model(), fresh, 1);
  EXPECT_EQ(made.measured.filled, 0U);
  EXPECT_EQ(made.probabilities, predict(bent_model(), some, 4).probabilities);
  for (std::size_t mu = 1; mu < 300; mu += 2) EXPECT_NEAR(made.of(1)[mu], whole.of(1)[mu], 1e-9);
  EXPECT_LT(log_loss(made, fresh), log_loss(predict(bent_model(), filled, 1), fresh));
}

}  // namespace
}  // namespace cavity
