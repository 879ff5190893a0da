// Fields f ~ N(0, K) over samples, their covariance by features that each have a relevance d_l >= 0:
//   G = X diag(d) X^T,   E_mn = exp(-(G_mm + G_nn - 2 G_mn)/2),   K = s0 E + s1 G + s2 Z P^-1 Z^T,
// E a bent boundary (a weighted distance between samples), G a straight one, Z the covariates with their prior
// precisions P. One weighted gram: O(samples^2 x features).
#pragma once

#include <span>
#include <vector>

#include "base/matrix.hpp"
#include "base/threads.hpp"
#include "design/design.hpp"
#include "infer/problem.hpp"

namespace cavity {

struct KernelScales {
  double bent = 0, straight = 0, level = 0;  // s0, s1, s2
};

/// What is added up: samples x samples each.
struct KernelParts {
  Matrix bent, straight, level;  // E, G, Z P^-1 Z^T

  Matrix at(const KernelScales& scales) const;
};

/// G of these relevances.
Matrix relevant_gram(const Design& design, std::span<const double> relevance, ThreadPool& pool,
                     Precision precision = Precision::full);

/// E of a gram matrix. The same bits for any number of threads.
Matrix bent_part(const Matrix& gram, ThreadPool& pool);

/// Z P^-1 Z^T, zero where there are no covariates.
Matrix level_part(const Matrix& covariates, std::span<const double> precision);

KernelParts kernel_parts(const Design& design, std::span<const double> relevance, const Covariates& covariates,
                         ThreadPool& pool, Precision precision = Precision::full);

}  // namespace cavity
