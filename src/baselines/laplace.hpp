// The mode and the Laplace approximation of logistic regression with a Gaussian prior on the fields, f ~ N(0, K).
#pragma once

#include <cstdint>
#include <span>

#include "base/matrix.hpp"

namespace cavity {

struct Laplace {
  Eigen::VectorXd field, dual;  // f = K dual at the mode; dual = gradient of the log likelihood
  Eigen::VectorXd curvature;    // W = p(1 - p)
  Eigen::MatrixXd response;     // (K + W^-1)^-1
  double log_evidence = 0;      // log likelihood - dual.f/2 - ln|I + K W|/2
  bool converged = false;
};

/// Newton from `dual` (Rasmussen and Williams 2006, algorithm 3.1), halving steps that do not climb. O(M^3) a step.
Laplace laplace_mode(const Eigen::MatrixXd& kernel, std::span<const std::int8_t> labels, Eigen::VectorXd dual);

}  // namespace cavity
