// All classes at once: P(k) = softmax_k(b_mu . w_k) with a Gaussian prior of mean 0 on every weight, its most probable
// weights, and what they say of samples left out. With H the curvature there, B_g the rows left out,
//   S = (I x B_g) H^-1 (I x B_g)^T,  W = blocks diag(p) - p p^T of those rows,
//   f without them = f + S (1 - W S)^-1 (p - y),
// one step of Newton from the weights of all samples to those of all others.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "assess/sample_groups.hpp"
#include "base/matrix.hpp"
#include "base/threads.hpp"

namespace cavity {

struct MultinomialProblem {
  const Matrix& inputs;  // samples x inputs
  std::span<const std::uint32_t> classes;
  Eigen::Index count;          // of classes
  const SampleGroups* groups;  // left out together; none: each alone
};

/// Inputs x classes, from `start` of this shape. `precision` of the prior an input. A few hundred products with the
/// inputs, fewest where their columns are orthogonal.
Matrix fit_multinomial(const MultinomialProblem& problem, const Eigen::VectorXd& precision, const Matrix& start);

/// Samples x classes: b . w without the sample. O(d^3 + samples d^2), d inputs times classes. None where the curvature
/// cannot be inverted.
std::optional<Matrix> left_out_fields(const MultinomialProblem& problem, const Eigen::VectorXd& precision,
                                      const Matrix& weight, ThreadPool& pool);

}  // namespace cavity
