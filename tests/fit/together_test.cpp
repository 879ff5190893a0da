// All classes at once: its leave-one-out against refits, its way back to features, its share.
#include "fit/together.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"
#include "design/dense_design.hpp"
#include "fit/multinomial.hpp"
#include "fit/softmax.hpp"
#include "support/thread_shards.hpp"

namespace cavity {
namespace {

struct Drawn {
  Matrix inputs;
  std::vector<std::uint32_t> classes;
};
/// Classes of the softmax of linear scores.
Drawn draw(Eigen::Index samples, Eigen::Index inputs, Eigen::Index classes) {
  Random random(5);
  Drawn out{Matrix(samples, inputs), {}};
  Matrix weight(inputs, classes);
  for (double& w : weight.reshaped()) w = random.normal();
  for (double& x : out.inputs.reshaped()) x = random.normal();
  const Matrix p = log_softmax(2 * out.inputs * weight).array().exp();
  for (Eigen::Index mu = 0; mu < samples; ++mu) {
    double left = random.uniform();
    std::uint32_t k = 0;
    while (k + 1 < classes && left > p(mu, k)) left -= p(mu, k++);
    out.classes.push_back(k);
  }
  return out;
}

Eigen::VectorXd even_prior(const Matrix& inputs) { return Eigen::VectorXd::Constant(inputs.cols(), 1.0); }

/// The fields of the samples by a fit to all others.
Matrix refitted(const Drawn& drawn, const std::vector<std::size_t>& without, Eigen::Index classes) {
  std::vector<Eigen::Index> others, own;
  std::vector<std::uint32_t> known;
  for (std::size_t mu = 0; mu < drawn.classes.size(); ++mu) {
    const bool out = std::find(without.begin(), without.end(), mu) != without.end();
    (out ? own : others).push_back(static_cast<Eigen::Index>(mu));
    if (!out) known.push_back(drawn.classes[mu]);
  }
  const Matrix inputs = drawn.inputs(others, Eigen::all);
  const Matrix weight =
      fit_multinomial({inputs, known, classes, nullptr}, even_prior(inputs), Matrix::Zero(inputs.cols(), classes));
  return drawn.inputs(own, Eigen::all) * weight;
}

TEST(Multinomial, StandsWhereTheGradientVanishes) {
  const Drawn drawn = draw(60, 4, 3);
  const Matrix weight =
      fit_multinomial({drawn.inputs, drawn.classes, 3, nullptr}, even_prior(drawn.inputs), Matrix::Zero(4, 3));
  Matrix rest = log_softmax(drawn.inputs * weight).array().exp();
  for (std::size_t mu = 0; mu < 60; ++mu) rest(static_cast<Eigen::Index>(mu), drawn.classes[mu]) -= 1;
  EXPECT_LT((drawn.inputs.transpose() * rest + weight).cwiseAbs().maxCoeff(), 1e-3);
}

TEST(Multinomial, LeftOutAgreesWithRefits) {
  const Drawn drawn = draw(80, 4, 3);
  ThreadPool pool(2);
  const MultinomialProblem problem{drawn.inputs, drawn.classes, 3, nullptr};
  const Matrix weight = fit_multinomial(problem, even_prior(drawn.inputs), Matrix::Zero(4, 3));
  const Matrix used = drawn.inputs * weight, left = *left_out_fields(problem, even_prior(drawn.inputs), weight, pool);
  double off = 0, moved = 0;
  for (std::size_t mu = 0; mu < 80; ++mu) {
    const Matrix refit = refitted(drawn, {mu}, 3);
    const auto row = static_cast<Eigen::Index>(mu);
    off += (left.row(row) - refit.row(0)).norm();
    moved += (used.row(row) - refit.row(0)).norm();
  }
  EXPECT_LT(off, 0.2 * moved);
}

TEST(Multinomial, GroupsAreLeftOutTogether) {
  const Drawn drawn = draw(80, 4, 3);
  ThreadPool pool(1);
  std::vector<std::string> names;
  for (std::size_t mu = 0; mu < 80; ++mu) names.push_back("g" + std::to_string(mu / 4));
  const SampleGroups groups = gather_groups(names);
  const MultinomialProblem problem{drawn.inputs, drawn.classes, 3, &groups};
  const Matrix weight = fit_multinomial(problem, even_prior(drawn.inputs), Matrix::Zero(4, 3));
  const Matrix used = drawn.inputs * weight, left = *left_out_fields(problem, even_prior(drawn.inputs), weight, pool);
  double off = 0, moved = 0;
  for (const auto& members : groups.members) {
    const Matrix refit = refitted(drawn, members, 3);
    for (std::size_t i = 0; i < members.size(); ++i) {
      const auto row = static_cast<Eigen::Index>(members[i]), at = static_cast<Eigen::Index>(i);
      off += (left.row(row) - refit.row(at)).norm();
      moved += (used.row(row) - refit.row(at)).norm();
    }
  }
  EXPECT_LT(off, 0.3 * moved);
}

/// Both shapes, more features than samples and fewer: weights of features give the fields that the fit had.
TEST(Together, PredictsItsTrainingSamplesByWeightsOfFeatures) {
  for (const Eigen::Index features : {12, 90}) {
    const Drawn drawn = draw(60, features, 3);
    FeatureMatrix values(60, static_cast<std::size_t>(features));
    for (std::size_t i = 0; i < values.values.size(); ++i)
      values.values[i] = static_cast<float>(drawn.inputs.data()[i]);
    const std::vector<double> zero(values.cols, 0), one(values.cols, 1), rows(60, 1);
    const DenseDesign design(view(values), zero, one, rows);
    const Covariates intercept{Matrix::Ones(60, 1), {1.0}};
    ThreadPool pool(1);
    const auto fit = fit_together({design, intercept, drawn.classes, 3, nullptr}, pool);
    ASSERT_TRUE(fit);
    const Matrix p = together_probability(fit->model, 3, 0, design, intercept.values, pool);
    double used = 0, left_out = 0;
    for (std::size_t mu = 0; mu < 60; ++mu) {
      EXPECT_NEAR(p.row(static_cast<Eigen::Index>(mu)).sum(), 1, 1e-12);
      used -= std::log(p(static_cast<Eigen::Index>(mu), drawn.classes[mu]));
      left_out -= std::log(fit->probability(static_cast<Eigen::Index>(mu), drawn.classes[mu]));
    }
    EXPECT_LT(used, left_out);
    EXPECT_LT(used, 60 * std::log(3.0));
  }
}

TEST(Together, IsLeftOutWhereItCostsTooMuch) {
  const FeatureMatrix values(3000, 300);
  const std::vector<double> zero(300, 0), one(300, 1), rows(3000, 1);
  const DenseDesign design(view(values), zero, one, rows);
  const std::vector<std::uint32_t> classes(3000, 0);
  ThreadPool pool(1);
  EXPECT_FALSE(fit_together({design, {Matrix::Ones(3000, 1), {1.0}}, classes, 10, nullptr}, pool));
}

TEST(Together, SharesByTheLogScore) {
  std::vector<std::uint32_t> classes;
  Matrix good(40, 2), poor(40, 2);
  for (Eigen::Index mu = 0; mu < 40; ++mu) {
    classes.push_back(mu % 2);
    good.row(mu) << (mu % 2 == 0 ? 0.9 : 0.1), (mu % 2 == 0 ? 0.1 : 0.9);
    poor.row(mu) << 0.5, 0.5;
  }
  Matrix mixed = poor;
  EXPECT_GT(mix_together(good, classes, nullptr, mixed), 0.9);
  for (std::uint32_t mu = 0; mu < 40; ++mu) {
    EXPECT_GT(mixed(mu, classes[mu]), 0.8);
    EXPECT_NEAR(mixed.row(mu).sum(), 1, 1e-12);
  }
  mixed = good;
  EXPECT_EQ(mix_together(poor, classes, nullptr, mixed), 0);
  EXPECT_EQ(mixed, good);
}

}  // namespace
}  // namespace cavity
