#include "baselines/laplace.hpp"

#include <Eigen/Cholesky>
#include <cmath>

namespace cavity {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
constexpr int most_steps = 100, most_halvings = 20;
constexpr double accuracy = 1e-12;  // gain of the log posterior, a sample

double log_likelihood(std::span<const std::int8_t> labels, const VectorXd& field) {
  double sum = 0;
  for (Eigen::Index i = 0; i < field.size(); ++i) {
    const double u = labels[static_cast<std::size_t>(i)] * field(i);
    sum -= u > 0 ? std::log1p(std::exp(-u)) : std::log1p(std::exp(u)) - u;
  }
  return sum;
}

struct Local {
  VectorXd gradient, curvature;
  Local(std::span<const std::int8_t> labels, const VectorXd& field) : gradient(field.size()), curvature(field.size()) {
    for (Eigen::Index i = 0; i < field.size(); ++i) {
      const double p = 1 / (1 + std::exp(-field(i)));
      gradient(i) = (labels[static_cast<std::size_t>(i)] > 0 ? 1 : 0) - p;
      curvature(i) = p * (1 - p);
    }
  }
};

// Cholesky of I + W^1/2 K W^1/2: well conditioned whatever K.
Eigen::LLT<MatrixXd> factor(const MatrixXd& kernel, const VectorXd& root) {
  MatrixXd b = root.asDiagonal() * kernel * root.asDiagonal();
  b.diagonal().array() += 1;
  return Eigen::LLT<MatrixXd>(b);
}

}  // namespace

Laplace laplace_mode(const MatrixXd& kernel, std::span<const std::int8_t> labels, VectorXd dual) {
  Laplace out;
  VectorXd field = kernel * dual;
  double value = log_likelihood(labels, field) - 0.5 * dual.dot(field);
  for (int step = 0; step < most_steps && !out.converged; ++step) {
    const Local local(labels, field);
    const VectorXd root = local.curvature.cwiseSqrt();
    const VectorXd b = local.curvature.cwiseProduct(field) + local.gradient;
    const VectorXd target = b - root.cwiseProduct(factor(kernel, root).solve(root.cwiseProduct(kernel * b)));
    double share = 1, reached = value;
    VectorXd trial = dual, trial_field = field;
    for (int halving = 0; halving < most_halvings; ++halving, share *= 0.5) {
      trial = dual + share * (target - dual);
      trial_field = kernel * trial;
      reached = log_likelihood(labels, trial_field) - 0.5 * trial.dot(trial_field);
      if (reached >= value) break;
    }
    out.converged = reached - value < accuracy * static_cast<double>(labels.size());
    if (reached < value) break;  // rounding: the mode is as exact as it gets
    dual = trial;
    field = trial_field;
    value = reached;
  }
  const Local local(labels, field);
  const VectorXd root = local.curvature.cwiseSqrt();
  const auto factored = factor(kernel, root);
  const MatrixXd scale = root.asDiagonal();
  out.response = scale * factored.solve(scale);
  out.log_evidence = value - factored.matrixLLT().diagonal().array().log().sum();
  out.field = field;
  out.dual = dual;
  out.curvature = local.curvature;
  return out;
}

}  // namespace cavity
