// The dual formulas against the closed form in as many dimensions as there are features.
#include "baselines/fisher.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "base/random.hpp"
#include "design/dense_design.hpp"

namespace cavity {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Problem2 {
  FeatureMatrix values;
  std::vector<std::int8_t> labels;

  Problem2(std::size_t samples, std::size_t features, std::uint64_t seed) : values(samples, features) {
    Random random(seed);
    for (std::size_t i = 0; i < samples; ++i) {
      labels.push_back(i % 3 == 0 ? 1 : -1);
      double shared = random.normal();
      for (std::size_t l = 0; l < features; ++l)
        values.row(i)[l] = static_cast<float>(random.normal() * (1 + 0.3 * static_cast<double>(l % 4)) + shared +
                                              (l == 0 ? labels.back() : 0));
    }
  }
  MatrixXd x() const {
    MatrixXd out(values.rows, values.cols);
    for (std::size_t i = 0; i < values.rows; ++i)
      for (std::size_t l = 0; l < values.cols; ++l) out(i, l) = values.row(i)[l];
    return out;
  }
};

// Class means and within-class scatter, by their definitions.
struct Moments {
  VectorXd plus, minus;
  MatrixXd centred, scatter;
  explicit Moments(const Problem2& p) : centred(p.x()) {
    plus = minus = VectorXd::Zero(centred.cols());
    double n = 0;
    for (Eigen::Index i = 0; i < centred.rows(); ++i) {
      (p.labels[i] > 0 ? plus : minus) += centred.row(i).transpose();
      n += p.labels[i] > 0;
    }
    plus /= n;
    minus /= static_cast<double>(centred.rows()) - n;
    for (Eigen::Index i = 0; i < centred.rows(); ++i) centred.row(i) -= (p.labels[i] > 0 ? plus : minus).transpose();
    scatter = centred.transpose() * centred;
  }
};

void expect_direction(const Problem2& p, Scatter kind, VectorXd expected, double tolerance) {
  ThreadPool pool(1);
  const DenseDesign design(view(p.values));
  const FisherDirection found = fisher_discriminant(design, p.labels, kind, pool);
  const double n = static_cast<double>(p.values.cols);
  expected *= std::sqrt(n) / expected.norm();
  for (std::size_t l = 0; l < found.weights.size(); ++l) EXPECT_NEAR(found.weights[l], expected(l), tolerance);
  const Moments m(p);
  EXPECT_NEAR(found.intercept, -0.5 * expected.dot(m.plus + m.minus) / std::sqrt(n), 2 * tolerance);
}

TEST(Fisher, EqualsTheClosedFormInTwoDimensions) {
  const Problem2 p(40, 2, 1);
  const Moments m(p);
  const double a = m.scatter(0, 0), b = m.scatter(0, 1), c = m.scatter(1, 1);
  const VectorXd d = m.plus - m.minus;
  VectorXd expected(2);
  expected << (c * d(0) - b * d(1)) / (a * c - b * b), (a * d(1) - b * d(0)) / (a * c - b * b);
  expect_direction(p, Scatter::pseudo_inverse, expected, 1e-9);
}

TEST(Fisher, TheDualIsThePseudoInverseOfTheScatter) {
  const Problem2 p(12, 30, 2);
  const Moments m(p);
  const MatrixXd inverse = m.scatter.completeOrthogonalDecomposition().pseudoInverse();
  expect_direction(p, Scatter::pseudo_inverse, inverse * (m.plus - m.minus), 1e-6);
}

// Ledoit and Wolf (2004), as written: distances between N x N matrices.
MatrixXd ledoit_wolf(const Moments& m) {
  const auto samples = static_cast<double>(m.centred.rows()), features = static_cast<double>(m.centred.cols());
  const MatrixXd s = m.scatter / samples, identity = MatrixXd::Identity(m.centred.cols(), m.centred.cols());
  const double mu = s.trace() / features, distance = (s - mu * identity).squaredNorm();
  double spread = 0;
  for (Eigen::Index i = 0; i < m.centred.rows(); ++i)
    spread += (m.centred.row(i).transpose() * m.centred.row(i) - s).squaredNorm() / (samples * samples);
  const double share = std::min(spread / distance, 1.0);
  return (1 - share) * s + share * mu * identity;
}

TEST(Fisher, ShrinkageIsLedoitAndWolfs) {
  for (const auto& [samples, features] : {std::pair{12, 30}, std::pair{60, 5}}) {
    const Problem2 p(static_cast<std::size_t>(samples), static_cast<std::size_t>(features), 3);
    const Moments m(p);
    expect_direction(p, Scatter::shrunk, ledoit_wolf(m).ldlt().solve(m.plus - m.minus), 1e-7);
  }
}

TEST(Fisher, OneSampleAClassFallsBackToTheDifferenceOfMeans) {
  Problem2 p(2, 5, 4);
  const Moments m(p);
  expect_direction(p, Scatter::pseudo_inverse, m.plus - m.minus, 1e-9);
  p.labels = {1, 1};
  ThreadPool pool(1);
  EXPECT_THROW(fisher_discriminant(DenseDesign(view(p.values)), p.labels, Scatter::shrunk, pool),
               std::invalid_argument);
}

}  // namespace
}  // namespace cavity
