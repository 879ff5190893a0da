// A bent boundary in a fit: taken where it pays, stored, asked again, left alone on noise and where it was not wanted.
#include <gtest/gtest.h>

#include <algorithm>

#include <cmath>

#include "base/random.hpp"
#include "cavity/errors.hpp"
#include "cavity/fit.hpp"
#include "cavity/linear_score.hpp"
#include "cavity/model_file.hpp"
#include "support/errors.hpp"

namespace cavity {
namespace {

enum class Truth { ring, product, line, none };

double field_of(Truth truth, const float* x, Random& random) {
  if (truth == Truth::ring) return x[0] * x[0] + x[1] * x[1] - 2 * std::log(2.0);
  if (truth == Truth::product) return double{x[0]} * x[1];
  if (truth == Truth::line) return x[0] - x[1] + x[2];
  return random.normal();
}

Dataset drawn(Truth truth, std::size_t samples, std::size_t features, std::uint64_t seed) {
  Random random(seed, 3);
  FeatureMatrix values(samples, features);
  Dataset out;
  out.class_names = {"in", "out"};
  for (std::size_t mu = 0; mu < samples; ++mu) {
    for (std::size_t l = 0; l < features; ++l) values.row(mu)[l] = static_cast<float>(random.normal());
    out.classes.push_back(field_of(truth, values.row(mu), random) > 0 ? 1 : 0);
    out.sample_names.push_back("s" + std::to_string(mu));
  }
  for (std::size_t l = 0; l < features; ++l) out.feature_names.push_back("x" + std::to_string(l));
  out.features = std::move(values);
  return out;
}

FitOptions options_of(Boundary boundary, unsigned threads = 1) {
  FitOptions out;
  out.boundary = boundary;
  out.threads = threads;
  return out;
}

double error_of(const Model& model, const Dataset& data) {
  const Prediction said = predict(model, data, 1);
  double wrong = 0;
  for (std::size_t mu = 0; mu < data.classes.size(); ++mu) wrong += said.label[mu] != data.classes[mu];
  return wrong / static_cast<double>(data.classes.size());
}

TEST(BentFit, FindsWhatNoWeightedSumDoes) {
  for (const Truth truth : {Truth::ring, Truth::product}) {
    const Fit got = fit(drawn(truth, 200, 12, 1), options_of(Boundary::automatic));
    const BoundaryFit& boundary = got.questions.front().boundary;
    EXPECT_TRUE(boundary.bent_is_better());
    EXPECT_GT(boundary.share, 0.5);
    const Dataset fresh = drawn(truth, 400, 12, 2);
    const double bent = error_of(got.model, fresh);
    EXPECT_LT(bent, 0.2);
    EXPECT_GT(error_of(fit(drawn(truth, 200, 12, 1), options_of(Boundary::straight)).model, fresh), 0.4);
    EXPECT_NEAR(got.loo.error, bent, 0.08);
    if (boundary.pruned_share < 0.5) continue;
    const std::vector<std::size_t> first = ranked(boundary.relevance, 2);
    EXPECT_EQ(first[0] + first[1], 1U);  // the two that decide
  }
}

TEST(BentFit, IsTheSameFromAFileAndForAnyNumberOfThreads) {
  const Fit one = fit(drawn(Truth::ring, 80, 6, 1), options_of(Boundary::bent)),
            three = fit(drawn(Truth::ring, 80, 6, 1), options_of(Boundary::bent, 3));
  ASSERT_GT(one.model.questions.front().mixture.bent.share, 0);
  const Dataset fresh = drawn(Truth::ring, 300, 6, 2);  // more than one batch
  const std::vector<double> said = predict(one.model, fresh, 1).probabilities;
  EXPECT_EQ(said, predict(three.model, fresh, 1).probabilities);
  EXPECT_EQ(said, predict(model_from_bytes(model_bytes(one.model)), fresh, 3).probabilities);
}

TEST(BentFit, LeavesStraightAndNoisyTablesAlone) {
  for (const Truth truth : {Truth::line, Truth::none})
    for (const std::uint64_t seed : {1, 2}) {
      const Fit got = fit(drawn(truth, 60, 40, seed), options_of(Boundary::automatic)),
                straight = fit(drawn(truth, 60, 40, seed), options_of(Boundary::straight));
      EXPECT_TRUE(got.questions.front().boundary.known());
      EXPECT_EQ(got.questions.front().boundary.share, 0);
      EXPECT_EQ(got.loo.probability, straight.loo.probability);
      EXPECT_FALSE(straight.questions.front().boundary.known());
    }
}

TEST(BentFit, SeveralClassesEachHaveTheirOwn) {
  Dataset data = drawn(Truth::none, 150, 4, 1);
  data.class_names = {"centre", "ring", "far"};
  for (std::size_t mu = 0; mu < 150; ++mu) {
    const float* x = data.features.dense().row(mu);
    const double radius = x[0] * x[0] + x[1] * x[1];
    data.classes[mu] = radius < 0.8 ? 0 : radius < 2.2 ? 1 : 2;
  }
  const Dataset again = data;
  const Fit bent = fit(std::move(data), options_of(Boundary::automatic)),
            straight = fit(Dataset(again), options_of(Boundary::straight));
  EXPECT_LT(bent.loo.log_loss, straight.loo.log_loss - 0.1);
  EXPECT_EQ(predict(bent.model, again, 1).classes, 3U);
}

// The class between two others is bent against the rest, and the three need no bend.
TEST(BentFit, ClassesInARowStayStraightTogether) {
  Dataset data = drawn(Truth::none, 120, 3, 2);
  data.class_names = {"low", "middle", "high"};
  for (std::size_t mu = 0; mu < 120; ++mu) {
    const float* x = data.features.dense().row(mu);
    const double height = x[0] + 0.3 * x[1];
    data.classes[mu] = height < -0.5 ? 0 : height < 0.5 ? 1 : 2;
  }
  const Fit got = fit(Dataset(data), options_of(Boundary::automatic)),
            straight = fit(std::move(data), options_of(Boundary::straight));
  EXPECT_TRUE(std::ranges::any_of(got.questions, [](const auto& q) { return q.boundary.bent_is_better(); }));
  for (const QuestionFit& question : got.questions) EXPECT_EQ(question.boundary.share, 0);
  EXPECT_EQ(got.loo.probability, straight.loo.probability);
}

TEST(BentFit, SaysWhatCannotBeHad) {
  FitOptions small = options_of(Boundary::bent);
  small.keep_variances = false;
  test::expect_error<UsageError>([&] { fit(drawn(Truth::ring, 40, 5, 1), small); },
                                 {"boundary=bent", "training samples"});
  const Fit got = fit(drawn(Truth::ring, 80, 6, 1), options_of(Boundary::bent));
  test::expect_error<UsageError>([&] { linear_score(got.model); }, {"bent", "boundary=straight"});
}

}  // namespace
}  // namespace cavity
