// Minimum of a smooth function: L-BFGS (Nocedal & Wright, Numerical Optimization, algorithms 7.4 and 7.5) with
// backtracking. A step costs one value with its gradient, and ten products of vectors.
#pragma once

#include <Eigen/Core>
#include <functional>

namespace cavity {

/// The value at `x`; its gradient goes into `gradient`.
using Objective = std::function<double(const Eigen::VectorXd& x, Eigen::VectorXd& gradient)>;

struct Descent {
  const Eigen::MatrixXd* inverse_curvature = nullptr;  // near the minimum, where it is known: a handful of steps then
  double small_gain = 1e-12;                           // in a step, of the value's size: the last one
};

/// From `start` down, until the gradient is small, nothing is gained, or 500 steps are made.
Eigen::VectorXd minimise(const Objective& objective, Eigen::VectorXd start, const Descent& how = {});

}  // namespace cavity
