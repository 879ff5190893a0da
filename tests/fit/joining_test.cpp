#include "fit/joining.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "fit/class_folds.hpp"
#include "fit/minimise.hpp"

namespace cavity {
namespace {

/// Fields of a truth whose classes are drawn from the softmax of `scale` times them.
struct Drawn {
  Matrix field;
  std::vector<std::uint32_t> classes;
};
Drawn draw(std::size_t samples, Eigen::Index classes, double scale) {
  Random random(7);
  Drawn out{Matrix(static_cast<Eigen::Index>(samples), classes), {}};
  for (Eigen::Index mu = 0; mu < out.field.rows(); ++mu) {
    for (Eigen::Index k = 0; k < classes; ++k) out.field(mu, k) = random.normal();
    Eigen::ArrayXd p = (scale * out.field.row(mu)).array().exp().transpose();
    p /= p.sum();
    double left = random.uniform();
    std::uint32_t k = 0;
    while (k + 1 < classes && left > p[k]) left -= p[k++];
    out.classes.push_back(k);
  }
  return out;
}

TEST(Joining, FindsTheTemperature) {
  ThreadPool pool(1);
  const Drawn drawn = draw(4000, 3, 2.5);
  const Joined answer = fit_joining(drawn.field, drawn.classes, pool);
  EXPECT_NEAR(answer.joining.temperature, 2.5, 0.15);
  EXPECT_TRUE(answer.joining.coupling.empty());
  EXPECT_NEAR(answer.joining.floor, 0.5 / 4001, 1e-15);
}

TEST(Joining, CouplesWhereAClassHasNoFieldOfItsOwn) {
  ThreadPool pool(1);
  Drawn drawn = draw(600, 3, 4);
  // Class 1 is told by the others alone: its own field is noise.
  Random random(3);
  for (Eigen::Index mu = 0; mu < drawn.field.rows(); ++mu) {
    const double between = drawn.field(mu, 0);
    drawn.classes[static_cast<std::size_t>(mu)] = between > 0.6 ? 0 : between < -0.6 ? 2 : 1;
    drawn.field(mu, 1) = random.normal();
    drawn.field(mu, 2) = -between;
  }
  const Joined answer = fit_joining(drawn.field, drawn.classes, pool);
  double loss = 0;
  for (std::size_t mu = 0; mu < drawn.classes.size(); ++mu)
    loss -= std::log(answer.probability(static_cast<Eigen::Index>(mu), drawn.classes[mu])) / 600;
  EXPECT_LT(loss, 0.5);
  for (Eigen::Index mu = 0; mu < answer.probability.rows(); ++mu)
    EXPECT_NEAR(answer.probability.row(mu).sum(), 1, 1e-12);
}

TEST(Joining, TablesWhoseClassesTakeTurnsLeaveNoClassOut) {
  // Class mu % 10 of ten: folds of every tenth sample would each hold one class, and know nothing of its offset.
  ThreadPool pool(1);
  Random random(5);
  Matrix field(600, 10);
  std::vector<std::uint32_t> classes;
  for (Eigen::Index mu = 0; mu < field.rows(); ++mu) {
    classes.push_back(static_cast<std::uint32_t>(mu % 10));
    for (Eigen::Index k = 0; k < 10; ++k) field(mu, k) = random.normal() + (k == mu % 10 ? 2 : 0) + (k < 5 ? 2 : 0);
  }
  const auto loss = [&](const Joined& answer) {
    double out = 0;
    for (std::size_t mu = 0; mu < classes.size(); ++mu)
      out -= std::log(answer.probability(static_cast<Eigen::Index>(mu), classes[mu])) / 600;
    return out;
  };
  const Joined in_turn = fit_joining(field, classes, pool);
  EXPECT_LT(in_turn.joining.offset[0], in_turn.joining.offset[9] - 1);
  EXPECT_LT(loss(in_turn), 1.2);
}

TEST(Joining, FieldsAreOddAndFinite) {
  EXPECT_DOUBLE_EQ(joining_field(0.5), 0);
  EXPECT_NEAR(joining_field(0.9), -joining_field(0.1), 1e-12);
  EXPECT_TRUE(std::isfinite(joining_field(0.0)) && std::isfinite(joining_field(1.0)));
  EXPECT_NEAR(joining_field(std::log(0.9), false), joining_field(0.1), 1e-12);
}

TEST(Minimise, FindsTheMinimumOfAValley) {
  const Objective rosenbrock = [](const Eigen::VectorXd& x, Eigen::VectorXd& g) {
    const double a = x[1] - x[0] * x[0], b = 1 - x[0];
    g[0] = -400 * a * x[0] - 2 * b;
    g[1] = 200 * a;
    return 100 * a * a + b * b;
  };
  const Eigen::VectorXd found = minimise(rosenbrock, Eigen::Vector2d(-1.2, 1));
  EXPECT_NEAR(found[0], 1, 1e-4);
  EXPECT_NEAR(found[1], 1, 1e-4);
}

TEST(Minimise, KnownCurvatureLeadsThereAtOnce) {
  const Eigen::Matrix2d curvature = Eigen::Vector2d(1, 1e6).asDiagonal();
  const Eigen::MatrixXd inverse = curvature.inverse();
  int values = 0;
  const Objective valley = [&](const Eigen::VectorXd& x, Eigen::VectorXd& g) {
    ++values;
    g = curvature * (x - Eigen::Vector2d(3, 4));
    return 0.5 * g.dot(x - Eigen::Vector2d(3, 4));
  };
  const Eigen::VectorXd found = minimise(valley, Eigen::Vector2d(-1, 1), {&inverse});
  EXPECT_NEAR(found[0], 3, 1e-9);
  EXPECT_NEAR(found[1], 4, 1e-9);
  EXPECT_LE(values, 3);
}

TEST(ClassFolds, FewSamplesAreLeftOutAloneAndManyInAHundredParts) {
  const auto largest_fold = [](std::size_t samples) {
    std::vector<std::uint32_t> classes;
    for (std::size_t mu = 0; mu < samples; ++mu) classes.push_back(mu % 10 == 0 ? 0 : 1 + mu % 2);
    std::vector<std::size_t> size(folds_of_classes(classes, nullptr), 0);
    for (const std::size_t fold : deal_classes(classes, nullptr)) ++size[fold];
    return *std::max_element(size.begin(), size.end());
  };
  EXPECT_EQ(largest_fold(90), 1);
  EXPECT_EQ(largest_fold(400), 4);
  EXPECT_EQ(largest_fold(8000), 80);
}

TEST(ClassFolds, GroupsStayTogether) {
  const std::vector<std::uint32_t> classes = {0, 1, 2, 0, 1, 2};
  const SampleGroups pairs{{{0, 1}, {2, 3}, {4, 5}}, {0, 0, 1, 1, 2, 2}};
  const std::vector<std::size_t> fold = deal_classes(classes, &pairs);
  for (std::size_t mu = 0; mu < 6; mu += 2) EXPECT_EQ(fold[mu], fold[mu + 1]);
  EXPECT_NE(fold[0], fold[2]);
  EXPECT_NE(fold[2], fold[4]);
}

}  // namespace
}  // namespace cavity
