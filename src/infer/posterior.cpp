#include "infer/posterior.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "model/score.hpp"

namespace cavity {

std::string to_string(Status status) {
  switch (status) {
    case Status::converged:
      return "converged";
    case Status::restricted:
      return "restricted";
    case Status::stalled:
      return "stalled";
    case Status::diverged:
      return "diverged";
  }
  throw std::logic_error("status");
}

void leave_one_out(const AnyActivation& activation, Posterior& posterior) {
  const std::size_t samples = posterior.cavity_mean.size();
  posterior.loo_log_probability.resize(samples);
  log_averages(activation, posterior.cavity_mean, posterior.cavity_variance, posterior.loo_log_probability);
  // g >= 1/2 exactly when D >= 0 (f(u) + f(-u) = 1).
  posterior.loo_error = sign_error(posterior.cavity_mean);
  posterior.loo_log_loss =
      -std::accumulate(posterior.loo_log_probability.begin(), posterior.loo_log_probability.end(), 0.0) /
      static_cast<double>(samples);
}

double sign_error(std::span<const double> fields) {
  double wrong = 0;
  for (const double field : fields) wrong += wrong_sign(field);
  return wrong / static_cast<double>(fields.size());
}

void check_problem(const Problem& problem) {
  const std::size_t m = problem.design.samples(), n = problem.design.total_features();
  if (m == 0 || n == 0) throw std::invalid_argument(fmt::format("an empty problem: {} samples, {} features", m, n));
  if (problem.labels.size() != m)
    throw std::invalid_argument(fmt::format("{} labels for {} samples", problem.labels.size(), m));
  if (!std::all_of(problem.labels.begin(), problem.labels.end(), [](int y) { return y == 1 || y == -1; }))
    throw std::invalid_argument("labels must be +1 or -1");
  if (static_cast<std::size_t>(problem.covariates.values.cols()) != problem.covariates.count() ||
      (problem.covariates.count() > 0 && static_cast<std::size_t>(problem.covariates.values.rows()) != m))
    throw std::invalid_argument(fmt::format("covariates of {} x {} with {} precisions for {} samples",
                                            problem.covariates.values.rows(), problem.covariates.values.cols(),
                                            problem.covariates.count(), m));
  if (!(problem.density > 0 && problem.density <= 1))
    throw std::invalid_argument(fmt::format("density {} is outside (0, 1]", problem.density));
}

}  // namespace cavity
