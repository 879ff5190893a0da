#include "fit/soft_regression.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "fit/softmax.hpp"

namespace cavity {

namespace {

constexpr double least = 1e-15;  // of a probability in a logarithm
constexpr int most_steps = 100, most_halvings = 30;
constexpr double small_decrease = 1e-13;  // of the objective, a sample, that the next step promises

double part(double q, double p) { return q > 0 ? q * std::log(q / std::max(p, least)) : 0; }

double objective(const Matrix& target, const Matrix& probability, const Eigen::VectorXd& penalty,
                 const Matrix& weight) {
  return soft_divergence(target, probability) * static_cast<double>(target.rows()) +
         0.5 * (penalty.asDiagonal() * weight.cwiseAbs2()).sum();
}

/// Of the weights, a column's inputs standing together.
Matrix curvature(const Matrix& inputs, const Matrix& probability, const Eigen::VectorXd& penalty) {
  const Eigen::Index d = inputs.cols(), columns = probability.cols();
  Matrix out = Matrix::Zero(d * columns, d * columns);
  for (Eigen::Index k = 0; k < columns; ++k)
    for (Eigen::Index j = 0; j <= k; ++j) {
      Eigen::VectorXd weight = -probability.col(k).cwiseProduct(probability.col(j));
      if (j == k) weight += probability.col(k);
      out.block(k * d, j * d, d, d) = inputs.transpose() * weight.asDiagonal() * inputs;
    }
  for (Eigen::Index k = 0; k < columns; ++k) out.diagonal().segment(k * d, d) += penalty;
  return out;
}

}  // namespace

Matrix soft_probability(const Matrix& field) {
  if (field.cols() > 1) return log_softmax(field).array().exp();
  return field.unaryExpr([](double f) { return 1 / (1 + std::exp(-f)); });
}

Matrix soft_slopes(const Matrix& probability) { return probability.array() * (1 - probability.array()); }

double soft_divergence(const Matrix& target, const Matrix& probability) {
  double out = 0;
  for (Eigen::Index mu = 0; mu < target.rows(); ++mu)
    for (Eigen::Index k = 0; k < target.cols(); ++k) {
      const double q = target(mu, k), p = probability(mu, k);
      out += part(q, p);
      if (target.cols() == 1) out += part(1 - q, 1 - p);
    }
  return out / static_cast<double>(target.rows());
}

SoftFit fit_soft(const Matrix& inputs, const Matrix& target, const Eigen::VectorXd& penalty, const Matrix& start) {
  const Eigen::Index d = inputs.cols(), columns = target.cols();
  SoftFit out{start, soft_probability(inputs * start)};
  double value = objective(target, out.probability, penalty, out.weight);
  for (int step = 0; step < most_steps && d > 0; ++step) {
    const Matrix gradient = inputs.transpose() * (target - out.probability) - Matrix(penalty.asDiagonal() * out.weight);
    const Eigen::MatrixXd downhill = gradient;  // column-major: a column's inputs stand together
    const Eigen::Map<const Eigen::VectorXd> flat(downhill.data(), d * columns);
    const Eigen::LLT<Eigen::MatrixXd> factor{Eigen::MatrixXd(curvature(inputs, out.probability, penalty))};
    const Eigen::VectorXd way = factor.solve(flat);
    if (!(way.dot(flat) > small_decrease * static_cast<double>(target.rows()))) break;
    const Matrix move = Eigen::Map<const Eigen::MatrixXd>(way.data(), d, columns);
    double share = 1;
    for (int halving = 0; halving < most_halvings; ++halving, share *= 0.5) {
      const Matrix weight = out.weight + share * move;
      Matrix probability = soft_probability(inputs * weight);
      const double next = objective(target, probability, penalty, weight);
      if (!(next < value)) continue;
      out.weight = weight;
      out.probability = std::move(probability);
      value = next;
      break;
    }
    if (share < std::ldexp(1.0, 1 - most_halvings)) break;
  }
  out.divergence = soft_divergence(target, out.probability);
  return out;
}

}  // namespace cavity
