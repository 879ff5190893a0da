#include <cmath>
#include <initializer_list>

#include "infer/gamp.hpp"
#include "model/own_slopes.hpp"

namespace cavity {

GampState rescaled(const GampState& state, double density) {
  GampState out = state;
  const double ratio = density / state.density, root = std::sqrt(ratio);
  const auto scale = [](double by, std::initializer_list<std::vector<double>*> all) {
    for (auto* values : all)
      for (double& value : *values) value *= by;
  };
  scale(root, {&out.mean, &out.cavity_mean, &out.covariate_mean});
  scale(ratio, {&out.variance, &out.cavity_variance, &out.covariate_variance});
  scale(1 / root, {&out.linear, &out.slope});
  scale(1 / ratio, {&out.precision});
  if (density >= 1 || state.density >= 1)
    out.log_odds = uninformed_prior(density).log_odds;  // one of them is certainty
  out.density = density;
  return out;
}

// A = -sum x^2 b/N and h = sum y x a/sqrt(N) + m A, from the cavities.
GampState messages_of(const Problem& problem, const Posterior& solution, ThreadPool& pool) {
  GampState out;
  out.mean = solution.mean;
  out.variance = solution.variance;
  out.cavity_mean = solution.cavity_mean;
  out.cavity_variance = solution.cavity_variance;
  out.covariate_mean = solution.covariate_mean;
  out.covariate_variance = solution.covariate_variance;
  out.log_odds = solution.prior.log_odds;
  out.density = problem.density;
  const std::size_t samples = solution.cavity_mean.size();
  std::vector<double> curvature(samples), reaction(samples);
  out.slope.resize(samples);
  own_slopes(problem.activation, solution.cavity_mean, solution.cavity_variance, out.slope, curvature);
  const auto n = static_cast<double>(problem.design.total_features());
  for (std::size_t mu = 0; mu < samples; ++mu) {
    reaction[mu] = problem.labels[mu] * out.slope[mu] / std::sqrt(n);
    curvature[mu] /= -n;
  }
  out.linear.resize(solution.mean.size());
  out.precision.resize(solution.mean.size());
  problem.design.transpose_times_both({reaction, curvature}, {out.linear, out.precision}, pool);
  for (std::size_t l = 0; l < out.mean.size(); ++l) out.linear[l] += out.mean[l] * out.precision[l];
  return out;
}

std::vector<double> own_field_variances(const Design& design, std::span<const double> variance,
                                        const Matrix& covariates, std::span<const double> covariate_variance,
                                        ThreadPool& pool) {
  std::vector<double> out(design.samples());
  design.squared_times(variance, out, pool);
  const auto n = static_cast<double>(design.total_features());
  for (std::size_t mu = 0; mu < out.size(); ++mu) {
    out[mu] /= n;
    for (std::size_t j = 0; j < covariate_variance.size(); ++j) {
      const double z = covariates(static_cast<Eigen::Index>(mu), static_cast<Eigen::Index>(j));
      out[mu] += z * z * covariate_variance[j];
    }
  }
  return out;
}

}  // namespace cavity
