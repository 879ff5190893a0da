#include "infer/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace cavity {

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
