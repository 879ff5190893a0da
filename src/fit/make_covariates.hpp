// Encoded covariates as solvers take them.
#pragma once

#include "cavity/dataset.hpp"
#include "infer/problem.hpp"

namespace cavity {

/// Of the intercept and of covariates in a fit, in units of 1/density: a standard deviation of 0.3 sqrt(density).
inline constexpr double covariate_prior_precision = 1 / (0.3 * 0.3);

/// The intercept first, where there is one; `precision` is the prior's, of every column, in units of 1/density.
Covariates make_covariates(const FeatureMatrix& encoded, std::size_t samples, bool intercept, double precision);

}  // namespace cavity
