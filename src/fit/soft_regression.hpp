// Regression on probabilities instead of labels: the weights W that minimise
//   sum_mu sum_k q_mu,k ln(q_mu,k/p_mu,k) + 1/2 sum_j penalty_j |w_j|^2,  p_mu = link(W^T a_mu),
// by Newton's steps, halved where they would climb. One column: q and p are of the second of two classes, and the link
// is the logistic function. Several: a column a class, and the link is their softmax. O(samples d^2 + d^3) a step, d
// inputs times columns.
#pragma once

#include <Eigen/Core>

#include "base/matrix.hpp"

namespace cavity {

struct SoftFit {
  Matrix weight;          // inputs x columns
  Matrix probability;     // samples x columns
  double divergence = 0;  // mean of sum_k q ln(q/p) over samples, nats
};

/// Samples x columns, of their fields.
Matrix soft_probability(const Matrix& field);

/// Mean over samples of sum_k q ln(q/p); of one column the other class counts, too.
double soft_divergence(const Matrix& target, const Matrix& probability);

/// `penalty`, an input, is positive; `start`: inputs x columns.
SoftFit fit_soft(const Matrix& inputs, const Matrix& target, const Eigen::VectorXd& penalty, const Matrix& start);

/// How p_mu,k moves with the field of its own column: p (1 - p).
Matrix soft_slopes(const Matrix& probability);

}  // namespace cavity
