// What every solver solves.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assess/sample_groups.hpp"
#include "base/matrix.hpp"
#include "design/design.hpp"
#include "model/activation.hpp"

namespace cavity {

/// Columns that are always kept (intercept, age, ...), each with a Gaussian prior of its own precision and no pruning.
struct Covariates {
  Matrix values;                  // samples x covariates; may have no columns
  std::vector<double> precision;  // prior precision a column, in units of 1/density (see infer/ep.hpp)

  std::size_t count() const { return precision.size(); }
};

/// One classification problem at one grid point. The field of sample mu is y_mu (x_mu . beta/sqrt(N) + z_mu . gamma).
struct Problem {
  const Design& design;
  std::span<const std::int8_t> labels;  // +1, -1
  const Covariates& covariates;
  AnyActivation activation;
  double density;
  const SampleGroups* groups = nullptr;  // samples that are left out together; none: each alone
};

/// Throws std::invalid_argument unless sizes, labels and density fit together.
void check_problem(const Problem& problem);

}  // namespace cavity
