// EP down a path of densities, each started from the last, and its predictions by plain dense algebra.
#pragma once

#include <Eigen/LU>

#include "infer/ep.hpp"
#include "support/small_problem.hpp"

namespace cavity {

inline EpResult ep_down_to(const SmallProblem& small, double tolerance = 1e-8) {
  ThreadPool pool(1);
  SolverOptions options;
  options.tolerance = tolerance;
  EpResult result;
  bool any = false;
  for (const double density : {0.5, 0.3, 0.2, 0.1, 0.05}) {
    if (density <= small.density) break;
    EpResult next = fit_ep(small.problem_at(density), options, {any ? &result.state : nullptr, any}, pool);
    if (next.posterior.status != Status::converged) continue;
    result = std::move(next);
    any = true;
  }
  EpResult last;
  for (const bool newton : {any, !any}) {
    last = fit_ep(small.problem(), options, {any ? &result.state : nullptr, newton}, pool);
    if (last.posterior.status == Status::converged) break;
  }
  return last;
}

/// P(y = +1 | x) for new rows, from Sigma = (diag(tau) + Y^T diag(omega) Y)^-1 written out.
inline std::vector<double> ep_predict(const SmallProblem& small, const Posterior& posterior,
                                      const FeatureMatrix& rows) {
  const auto n = static_cast<Eigen::Index>(small.values.cols), covariates = small.covariates.values.cols();
  const double root = std::sqrt(static_cast<double>(n));
  Eigen::MatrixXd y(static_cast<Eigen::Index>(small.values.rows), n + covariates);
  y.leftCols(n) = small.x().cast<double>() / root;
  if (covariates > 0) y.rightCols(covariates) = small.covariates.values;
  const Eigen::Map<const Eigen::VectorXd> omega(posterior.sample_site_precision.data(), y.rows());
  Eigen::MatrixXd lambda = y.transpose() * omega.asDiagonal() * y;
  for (Eigen::Index l = 0; l < n; ++l) lambda(l, l) += posterior.feature_site_precision[static_cast<std::size_t>(l)];
  for (Eigen::Index j = 0; j < covariates; ++j)
    lambda(n + j, n + j) += small.covariates.precision[static_cast<std::size_t>(j)] / small.density;
  const Eigen::MatrixXd sigma = lambda.inverse();
  std::vector<double> out;
  for (std::size_t mu = 0; mu < rows.rows; ++mu) {
    Eigen::VectorXd z = Eigen::VectorXd::Ones(n + covariates);
    double mean = 0;
    for (Eigen::Index l = 0; l < n; ++l) {
      z[l] = rows.row(mu)[l] / root;
      mean += z[l] * posterior.mean[static_cast<std::size_t>(l)];
    }
    if (covariates > 0) mean += posterior.covariate_mean[0];
    out.push_back(average_likelihood(small.activation, mean, z.dot(sigma * z)));
  }
  return out;
}

}  // namespace cavity
