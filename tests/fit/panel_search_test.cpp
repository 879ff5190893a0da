// The projection onto few features: its regression against its own gradient, the step's score against a refit of every
// candidate, and what must hold of a path whatever the table.
#include "fit/panel_search.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/random.hpp"
#include "design/dense_design.hpp"
#include "fit/stand_ins.hpp"

namespace cavity {
namespace {

Matrix normals(Eigen::Index rows, Eigen::Index cols, std::uint64_t seed) {
  Random random(seed);
  return Matrix::NullaryExpr(rows, cols, [&] { return random.normal(); });
}

/// A table of independent features with an intercept, and probabilities that `spread` keeps away from 0 and 1.
struct Toy {
  FeatureMatrix values;
  std::unique_ptr<const DenseDesign> design;
  Matrix always, target;
  ThreadPool pool{1};

  Toy(std::size_t samples, std::size_t features, Eigen::Index columns, double spread, std::uint64_t seed = 1)
      : values(samples, features), always(Matrix::Ones(static_cast<Eigen::Index>(samples), 1)) {
    Random random(seed);
    for (float& x : values.values) x = static_cast<float>(random.normal());
    design = std::make_unique<DenseDesign>(view(values));
    target = soft_probability(spread * normals(static_cast<Eigen::Index>(samples), columns, seed + 100));
  }
  PanelProblem problem(double ridge = 0.005) const { return {*design, always, true, target, ridge}; }
  Matrix x() const {
    std::vector<std::size_t> all(values.cols);
    std::iota(all.begin(), all.end(), 0);
    Matrix out;
    design->columns(all, out);
    return out;
  }
};

/// What the regression minimises, as the statement has it.
double objective(const PanelProblem& problem, const Matrix& inputs, const SoftFit& fit) {
  const auto samples = static_cast<double>(inputs.rows());
  const double ridge =
      problem.ridge * fit.weight.bottomRows(inputs.cols() - 1).squaredNorm() + 1e-6 * fit.weight.row(0).squaredNorm();
  return samples * (soft_divergence(problem.target, fit.probability) + 0.5 * ridge);
}

TEST(SoftRegression, EndsWhereItsGradientIsNone) {
  for (const Eigen::Index columns : {1, 3}) {
    const Matrix inputs = normals(30, 5, 7), target = soft_probability(2 * normals(30, columns, 8));
    Eigen::VectorXd penalty = Eigen::VectorXd::Constant(5, 0.3);
    penalty[0] = 0.01;
    const SoftFit fit = fit_soft(inputs, target, penalty, Matrix::Zero(5, columns));
    const Matrix gradient = inputs.transpose() * (target - fit.probability) - Matrix(penalty.asDiagonal() * fit.weight);
    EXPECT_LT(gradient.cwiseAbs().maxCoeff(), 1e-5) << columns;
    EXPECT_LT((soft_probability(inputs * fit.weight) - fit.probability).cwiseAbs().maxCoeff(), 1e-12);
  }
}

TEST(SoftRegression, ComesToTheSameEndFromAnywhere) {
  const Matrix inputs = normals(40, 4, 1), target = soft_probability(6 * normals(40, 1, 2));
  const Eigen::VectorXd penalty = Eigen::VectorXd::Constant(4, 0.1);
  const SoftFit near = fit_soft(inputs, target, penalty, Matrix::Zero(4, 1)),
                far = fit_soft(inputs, target, penalty, Matrix::Constant(4, 1, 30));
  EXPECT_LT((near.weight - far.weight).cwiseAbs().maxCoeff(), 1e-5);
}

// Two classes are one question or two columns that sum to one: the same where the ridges are (w = w_1 - w_0, and the
// two share it).
TEST(SoftRegression, OfTwoColumnsIsThatOfOne) {
  const Matrix inputs = normals(25, 3, 3), one = soft_probability(normals(25, 1, 4));
  Matrix two(25, 2);
  two << (1 - one.array()).matrix(), one;
  const SoftFit single = fit_soft(inputs, one, Eigen::VectorXd::Constant(3, 0.2), Matrix::Zero(3, 1)),
                both = fit_soft(inputs, two, Eigen::VectorXd::Constant(3, 0.4), Matrix::Zero(3, 2));
  EXPECT_LT((both.probability.col(1) - single.probability.col(0)).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_NEAR(both.divergence, single.divergence, 1e-8);
}

TEST(PanelSearch, ScoresCandidatesAsRefitsOfEachDo) {
  Toy toy(40, 30, 1, 0.05);
  const PanelProblem problem = toy.problem();
  const std::vector<std::size_t> chosen = {4, 11};
  const Matrix inputs = panel_inputs(problem, chosen);
  const SoftFit fit = fit_panel(problem, inputs);
  const std::vector<double> gain = panel_gains(problem, inputs, fit, toy.pool);
  for (const std::size_t l : {0, 7, 29}) {
    const Matrix with = panel_inputs(problem, std::vector<std::size_t>{4, 11, l});
    const double falls = objective(problem, inputs, fit) - objective(problem, with, fit_panel(problem, with));
    EXPECT_NEAR(falls, 0.5 * gain[l], 0.01 * falls + 1e-9) << l;
  }
  const std::vector<PanelStep> path = search_panel(problem, {.most = 1}, toy.pool);
  double best = 1e9;
  std::size_t winner = 0;
  for (std::size_t l = 0; l < 30; ++l) {
    const Matrix with = panel_inputs(problem, std::vector<std::size_t>{l});
    const double value = objective(problem, with, fit_panel(problem, with));
    if (value < best) winner = l;
    best = std::min(best, value);
  }
  EXPECT_EQ(path.front().feature, winner);
}

TEST(PanelSearch, ScoresOfSeveralClassesAreTheSumOfTheirOwn) {
  Toy toy(40, 12, 3, 1);
  const PanelProblem problem = toy.problem();
  const SoftFit fit = fit_panel(problem, toy.always);
  const std::vector<double> gain = panel_gains(problem, toy.always, fit, toy.pool);
  const Matrix x = toy.x();
  for (Eigen::Index l = 0; l < 12; ++l) {
    double expected = 0;
    for (Eigen::Index k = 0; k < 3; ++k) {
      const Eigen::VectorXd v = soft_slopes(fit.probability).col(k), z = x.col(l);
      const double pull = z.dot(toy.target.col(k) - fit.probability.col(k)), crossed = z.dot(v);
      expected += pull * pull / (z.dot(v.asDiagonal() * z) - crossed * crossed / (v.sum() + 1e-6 * 40) + 0.005 * 40);
    }
    EXPECT_NEAR(gain[static_cast<std::size_t>(l)], expected, 1e-6 * expected);
  }
}

TEST(PanelSearch, WithEveryFeatureSaysAllThatLinearFieldsSay) {
  for (const Eigen::Index columns : {1, 3}) {
    Toy toy(60, 6, columns, 1);
    toy.target = soft_probability(toy.x() * normals(6, columns, 5));
    const std::vector<PanelStep> path = search_panel(toy.problem(1e-9), {.most = 50}, toy.pool);
    ASSERT_EQ(path.size(), 6U);
    EXPECT_LT((path.back().fit.probability - toy.target).cwiseAbs().maxCoeff(), 1e-4);
    for (std::size_t s = 1; s < path.size(); ++s) EXPECT_LE(path[s].fit.divergence, path[s - 1].fit.divergence + 1e-9);
  }
}

TEST(PanelSearch, KeepsItsRules) {
  Toy toy(50, 20, 1, 1);
  const std::vector<PanelStep> free = search_panel(toy.problem(), {.most = 3}, toy.pool);
  const std::size_t best = free.front().feature, second = (best + 1) % 20, third = (best + 2) % 20;
  PanelRules rules{.most = 4, .must = {second, third}, .open = std::vector<char>(20, 1)};
  rules.open[best] = 0;
  const std::vector<PanelStep> path = search_panel(toy.problem(), rules, toy.pool);
  ASSERT_EQ(path.size(), 4U);
  EXPECT_EQ(std::min(path[0].feature, path[1].feature), std::min(second, third));
  EXPECT_EQ(std::max(path[0].feature, path[1].feature), std::max(second, third));
  for (const PanelStep& step : path) EXPECT_NE(step.feature, best);
  PanelRules dear{.most = 1, .price = std::vector<double>(20, 1)};
  dear.price[free.front().feature] = 1e6;
  EXPECT_NE(search_panel(toy.problem(), dear, toy.pool).front().feature, free.front().feature);
  PanelRules few{.most = 20, .open = std::vector<char>(20, 0)};
  few.open[3] = few.open[5] = 1;
  EXPECT_EQ(search_panel(toy.problem(), few, toy.pool).size(), 2U);
}

TEST(StandIns, AreTheDuplicatesFirst) {
  Toy toy(60, 15, 1, 1);
  for (std::size_t mu = 0; mu < 60; ++mu) toy.values.row(mu)[14] = toy.values.row(mu)[2];
  toy.design = std::make_unique<DenseDesign>(view(toy.values));
  toy.target = soft_probability(toy.x().col(2) + toy.x().col(6));
  const std::vector<std::size_t> features = {2, 6};
  const SoftFit fit = fit_panel(toy.problem(), panel_inputs(toy.problem(), features));
  const std::vector<Swap> swaps = stand_ins(toy.problem(), {}, {features, fit.divergence, 0.001}, 0, toy.pool);
  ASSERT_EQ(swaps.size(), 1U);
  EXPECT_EQ(swaps.front().feature, 14U);
  EXPECT_NEAR(swaps.front().loss, 0, 1e-9);
  EXPECT_TRUE(stand_ins(toy.problem(), {}, {features, fit.divergence, 0.001}, 1, toy.pool).empty());
}

}  // namespace
}  // namespace cavity
