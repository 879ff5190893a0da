// The average over how many features matter: probabilities, what they are where evidence says nothing, and the sums
// that inclusion must have.
#include "fit/evidence_average.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "cavity/fit.hpp"
#include "cavity/simulate.hpp"
#include "model/normal.hpp"

namespace cavity {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

HypothesisCell cell(double kept, std::size_t column, double log_evidence) {
  return {kept, column, false, log_evidence};
}

double sum_of(const EvidenceWeights& w) { return std::accumulate(w.weight.begin(), w.weight.end(), w.none()); }

TEST(EvidenceAverage, WhereAllAreAsLikelyThePriorStays) {
  const std::vector<HypothesisCell> cells = {
      cell(50, 0, -20), cell(50, 1, -20), cell(25, 1, -20), {1, 3, true, -20}, cell(12, 0, unknown)};
  const EvidenceWeights w = weigh_by_evidence(cells, -20);
  EXPECT_NEAR(sum_of(w), 1, 1e-12);
  ASSERT_EQ(w.kept.size(), 4U);  // none, 1, 25, 50: what has no evidence is no hypothesis
  for (const KeptHypothesis& h : w.kept) EXPECT_NEAR(h.posterior, h.prior, 1e-12) << h.kept;
  EXPECT_EQ(w.kept.front().kept, 0);
  EXPECT_NEAR(w.none(), prior_of_none, 1e-12);
  EXPECT_NEAR(w.kept[2].prior / w.kept[3].prior, std::sqrt(2), 1e-12);
  EXPECT_EQ(w.weight[4], 0);
}

// A row of which only the best column was solved is as likely as if the others were as much worse there as where all
// were solved.
TEST(EvidenceAverage, ColumnsThatWereNotSolvedAreAsFarBehind) {
  const std::vector<HypothesisCell> full = {cell(50, 0, -20), cell(50, 1, -23), cell(50, 2, -21),
                                            cell(25, 0, -22), cell(25, 1, -25), cell(25, 2, -23)},
                                    path(full.begin(), full.begin() + 4);
  const EvidenceWeights all = weigh_by_evidence(full, -21), best = weigh_by_evidence(path, -21);
  for (std::size_t i = 0; i < all.kept.size(); ++i) EXPECT_NEAR(best.kept[i].posterior, all.kept[i].posterior, 1e-12);
  EXPECT_NEAR(sum_of(best), 1, 1e-12);
}

TEST(EvidenceAverage, NatsAreOdds) {
  const std::vector<HypothesisCell> cells = {cell(50, 0, -20)};
  const EvidenceWeights even = weigh_by_evidence(cells, -20), behind = weigh_by_evidence(cells, -23);
  const auto odds = [](const EvidenceWeights& w) { return w.none() / w.weight[0]; };
  EXPECT_NEAR(odds(even) / odds(behind), std::exp(3.0), 1e-9);
  EXPECT_THROW(weigh_by_evidence(std::vector<HypothesisCell>{cell(50, 0, unknown)}, -20), std::invalid_argument);
}

/// int N(g; 0, sd^2) prod Phi(y g) dg by a plain sum.
double summed(double sd, std::span<const std::int8_t> labels) {
  double out = 0;
  constexpr double step = 1e-3;
  for (double g = -8 * sd; g <= 8 * sd; g += step * sd) {
    double product = step * normal_pdf(g / sd);
    for (const int y : labels) product *= normal_cdf(y * g);
    out += product;
  }
  return std::log(out);
}

TEST(EvidenceAverage, WithoutFeaturesTheInterceptIsIntegratedOut) {
  for (const std::size_t positive : {10U, 20U, 36U}) {
    std::vector<std::int8_t> labels(40, -1);
    std::fill_n(labels.begin(), positive, std::int8_t{1});
    const Covariates intercept{Matrix::Ones(40, 1), {1 / (0.3 * 0.3)}};
    EXPECT_NEAR(log_evidence_of_none(intercept, labels), summed(0.3, labels), 0.02) << positive;
    EXPECT_NEAR(log_evidence_of_none({Matrix(40, 0), {}}, labels), -40 * std::log(2), 1e-12);
  }
}

// A column that repeats the labels explains them; one of zeros changes nothing.
TEST(EvidenceAverage, CovariatesCount) {
  std::vector<std::int8_t> labels;
  Matrix z = Matrix::Zero(30, 1), zero = z;
  for (Eigen::Index i = 0; i < 30; ++i) {
    labels.push_back(i % 2 == 0 ? 1 : -1);
    z(i, 0) = labels.back();
  }
  const double coin = -30 * std::log(2);
  EXPECT_GT(log_evidence_of_none({z, {1}}, labels), coin + 5);
  EXPECT_NEAR(log_evidence_of_none({zero, {1}}, labels), coin, 1e-9);
}

TEST(EvidenceAverage, CountsHaveTheirLimits) {
  const RelevantCount none = count_relevant({}, 1, 100);
  EXPECT_EQ(none.mean, 0);
  EXPECT_EQ(none.low, 0);
  EXPECT_EQ(none.high, 0);
  const std::vector<CountedCell> three = {{1, 3, 0}}, many = {{1, 50, 25}}, either = {{0.5, 50, 25}};
  EXPECT_EQ(count_relevant(three, 0, 100).low, 3);
  EXPECT_EQ(count_relevant(three, 0, 100).high, 3);
  EXPECT_NEAR(count_relevant(many, 0, 100).low, 50 - 1.96 * 5, 1);
  EXPECT_NEAR(count_relevant(many, 0, 100).high, 50 + 1.96 * 5, 1);
  EXPECT_EQ(count_relevant(either, 0.5, 100).low, 0);
  EXPECT_NEAR(count_relevant(either, 0.5, 100).mean, 25, 1e-12);
}

// Inclusions of a fit sum to the expected number of features, which is what the hypotheses say.
TEST(EvidenceAverage, InclusionsOfAFitSumToWhatTheHypothesesSay) {
  FitOptions options;
  options.threads = 1;
  const Fit made =
      fit(simulate({.samples = 40, .features = 120, .teacher = 0.05, .noise = 0.05, .seed = 4}).data, options);
  const QuestionFit& question = made.questions[0];
  ASSERT_TRUE(question.relevant && made.model.questions[0].features.average);
  double prior = 0, posterior = 0;
  for (const KeptHypothesis& h : question.hypotheses) {
    prior += h.prior;
    posterior += h.posterior;
  }
  EXPECT_NEAR(prior, 1, 1e-12);
  EXPECT_NEAR(posterior, 1, 1e-12);
  const std::vector<double>& inclusion = made.model.questions[0].features.inclusion;
  EXPECT_NEAR(std::accumulate(inclusion.begin(), inclusion.end(), 0.0), question.relevant->mean, 1e-6);
  EXPECT_LE(question.relevant->low, question.relevant->mean);
  EXPECT_GE(question.relevant->high, question.relevant->mean);
  // What evidence there is of a feature is odds over prior odds.
  const Feature best = ranked_features(made.model, 1).front();
  const double p0 = made.model.questions[0].features.average->prior_inclusion;
  EXPECT_NEAR(bayes_factor(made.model, best) * p0 / (1 - p0), best.inclusion / (1 - best.inclusion), 1e-9);
}

// One density that was asked for is no average: the mixture's inclusion stays.
TEST(EvidenceAverage, OneDensityIsNoAverage) {
  FitOptions options;
  options.threads = 1;
  options.grid.density = {0.2};
  const Fit made = fit(simulate({.samples = 30, .features = 40, .teacher = 0.1, .seed = 4}).data, options);
  EXPECT_FALSE(made.questions[0].relevant);
  EXPECT_FALSE(made.model.questions[0].features.average);
  EXPECT_TRUE(std::isnan(bayes_factor(made.model, ranked_features(made.model, 1).front())));
  EXPECT_EQ(made.model.calibration.nothing.share, 0);
}

}  // namespace
}  // namespace cavity
