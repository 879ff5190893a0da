// What features say alone: against the two means and a pooled variance, a regression, and the definition of q.
#include "assess/marginal.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "base/random.hpp"
#include "design/dense_design.hpp"

namespace cavity {
namespace {

constexpr std::size_t samples = 23, features = 300;  // beyond one block

struct Toy {
  FeatureMatrix x{samples, features};
  std::vector<std::uint32_t> classes;
  std::vector<double> row_scale = std::vector<double>(samples, 1);
  Matrix covariates = Matrix::Ones(samples, 1);

  explicit Toy(std::uint32_t count = 2) {
    Random random(7);
    for (float& value : x.values) value = static_cast<float>(random.normal());
    for (std::size_t mu = 0; mu < samples; ++mu) classes.push_back(static_cast<std::uint32_t>(random.below(count)));
    for (std::size_t mu = 0; mu < samples; ++mu) x.row(mu)[5] += classes[mu] == 1 ? 2.0F : 0.0F;
  }
  std::vector<std::vector<MarginalFigures>> found(std::vector<std::uint32_t> of_class = {1}) const {
    ThreadPool pool(2);
    const DenseDesign design(view(x));
    return marginals({design, row_scale, covariates, classes}, of_class, pool);
  }
};

struct Means {
  double difference, t;
};
Means two_means(const FeatureMatrix& x, std::size_t l, const std::vector<std::uint32_t>& classes, std::uint32_t k) {
  double sum[2] = {0, 0}, count[2] = {0, 0}, squares = 0;
  for (std::size_t mu = 0; mu < x.rows; ++mu) {
    sum[classes[mu] == k] += static_cast<double>(x.row(mu)[l]);
    count[classes[mu] == k] += 1;
  }
  const double mean[2] = {sum[0] / count[0], sum[1] / count[1]};
  for (std::size_t mu = 0; mu < x.rows; ++mu)
    squares += std::pow(static_cast<double>(x.row(mu)[l]) - mean[classes[mu] == k], 2);
  const double variance = squares / (count[0] + count[1] - 2);
  return {mean[1] - mean[0], (mean[1] - mean[0]) / std::sqrt(variance * (1 / count[0] + 1 / count[1]))};
}

TEST(Marginal, IsTheDifferenceOfMeansAndStudentsT) {
  for (const std::uint32_t count : {2U, 3U}) {
    const Toy toy(count);
    const auto found = toy.found({1, 0});
    for (std::size_t k = 0; k < 2; ++k)
      for (std::size_t l = 0; l < features; ++l) {
        const Means expected = two_means(toy.x, l, toy.classes, k == 0 ? 1 : 0);
        EXPECT_NEAR(found[k][l].difference, expected.difference, 1e-9) << l;
        EXPECT_NEAR(found[k][l].t, expected.t, 1e-8) << l;
      }
  }
}

TEST(Marginal, TakesRowScalesOut) {
  Toy toy;
  const auto plain = toy.found();
  Random random(1);
  for (std::size_t mu = 0; mu < samples; ++mu) {
    toy.row_scale[mu] = 0.5 + random.uniform();
    for (std::size_t l = 0; l < features; ++l) toy.x.row(mu)[l] *= static_cast<float>(toy.row_scale[mu]);
  }
  const auto scaled = toy.found();
  for (std::size_t l = 0; l < features; ++l) EXPECT_NEAR(scaled[0][l].t, plain[0][l].t, 1e-4) << l;
}

TEST(Marginal, OfCovariatesIsTheCoefficientOfARegression) {
  Toy toy;
  Random random(3);
  toy.covariates.conservativeResize(Eigen::NoChange, 3);
  for (Eigen::Index mu = 0; mu < toy.covariates.rows(); ++mu) {
    toy.covariates(mu, 1) = random.normal() + toy.classes[static_cast<std::size_t>(mu)];
    toy.covariates(mu, 2) = 1;  // the intercept once more
  }
  const auto found = toy.found();
  Eigen::MatrixXd z(samples, 3);
  for (Eigen::Index mu = 0; mu < z.rows(); ++mu)
    z.row(mu) << 1, toy.covariates(mu, 1), toy.classes[static_cast<std::size_t>(mu)];
  const Eigen::MatrixXd inverse = (z.transpose() * z).inverse();
  for (const std::size_t l : {0UL, 5UL, 299UL}) {
    Eigen::VectorXd x(samples);
    for (Eigen::Index mu = 0; mu < x.size(); ++mu)
      x[mu] = static_cast<double>(toy.x.row(static_cast<std::size_t>(mu))[l]);
    const Eigen::VectorXd b = inverse * (z.transpose() * x);
    const double variance = (x - z * b).squaredNorm() / (samples - 3);
    EXPECT_NEAR(found[0][l].difference, b[2], 1e-8);
    EXPECT_NEAR(found[0][l].t, b[2] / std::sqrt(variance * inverse(2, 2)), 1e-7);
  }
}

TEST(Marginal, FalseDiscoveryRatesByDefinition) {
  std::vector<double> p = {0.01, 0.5, 0.02, 0.02, 0.9, 0.0};
  const std::vector<double> q = false_discovery_rates(p);
  const auto rate = [&](double level) {  // of the list of all p at most `level`
    return level * static_cast<double>(p.size()) /
           static_cast<double>(std::ranges::count_if(p, [&](double one) { return one <= level; }));
  };
  for (std::size_t l = 0; l < p.size(); ++l) {
    double least = 1;
    for (const double level : p)
      if (level >= p[l]) least = std::min(least, rate(level));
    EXPECT_NEAR(q[l], least, 1e-12) << l;
  }
  p.push_back(std::numeric_limits<double>::quiet_NaN());
  const std::vector<double> with_none = false_discovery_rates(p);
  EXPECT_TRUE(std::isnan(with_none.back()));
  EXPECT_EQ(std::vector<double>(with_none.begin(), with_none.end() - 1), q);
}

TEST(Marginal, AShiftedFeatureStandsOutAndDegenerateOnesAreSaid) {
  Toy toy;
  for (std::size_t mu = 0; mu < samples; ++mu) {
    toy.x.row(mu)[1] = 3;                                        // constant
    toy.x.row(mu)[2] = static_cast<float>(toy.classes[mu] * 2);  // the label itself
  }
  const std::vector<MarginalFigures> found = toy.found().front();
  EXPECT_LT(found[5].q, 0.05);
  EXPECT_TRUE(std::isnan(found[1].difference) && std::isnan(found[1].t) && std::isnan(found[1].q));
  EXPECT_NEAR(found[2].difference, 2, 1e-6);
  EXPECT_TRUE(std::isinf(found[2].t) && found[2].t > 0);
  EXPECT_EQ(found[2].q, 0);
  toy.classes.pop_back();
  EXPECT_THROW(toy.found(), std::invalid_argument);
}

}  // namespace
}  // namespace cavity
