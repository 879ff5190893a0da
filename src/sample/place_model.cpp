#include "sample/place_model.hpp"

#include <fmt/format.h>

#include <cmath>

#include "cavity/errors.hpp"

namespace cavity {

namespace {

constexpr double least_width = 1e-3;  // with less, 1 - B B^T of a sample cancels
}  // namespace

void PlaceProblem::check() const {
  const auto features = static_cast<double>(design.total_features());
  if (!design.shards().alone()) throw UsageError("places are sampled by one process that holds all features");
  if (!(kept > 0 && kept < features))
    throw UsageError(
        fmt::format("cannot keep {} of {} features on average: between 0 and all of them", kept, features));
  if (!(flip >= 0 && flip < 0.5)) throw UsageError(fmt::format("flip {} is outside [0, 1/2)", flip));
  if (!(width >= least_width && std::isfinite(width)))
    throw UsageError(
        fmt::format("width {} is below {}: places are sampled for a boundary of some width only", width, least_width));
  check_problem({design, labels, covariates, probit(width), density()});
}

PlaceProblem place_problem(const Problem& problem) {
  const auto* threshold = std::get_if<ThresholdActivation>(&problem.activation);
  if (!threshold) throw UsageError("places are sampled for flips and a probit boundary only");
  return {problem.design,     problem.labels,
          problem.covariates, problem.density * static_cast<double>(problem.design.total_features()),
          threshold->flip,    threshold->width / std::sqrt(problem.density)};
}

double place_covariate_precision(const PlaceProblem& problem, std::size_t j) {
  return problem.covariates.precision[j] * problem.width * problem.width;
}

PlaceModel::PlaceModel(const PlaceProblem& problem, ThreadPool& pool)
    : design(problem.design),
      labels(problem.labels),
      covariates(problem.covariates.values),
      slab_variance(1 / (problem.width * problem.width * problem.kept)),
      log_odds(std::log(problem.density()) - std::log1p(-problem.density())),
      flip(problem.flip),
      square(problem.design.features()),
      covariate_products(problem.covariates.count(), std::vector<double>(problem.design.features())) {
  design.squared_transpose_times(std::vector<double>(samples(), 1), square, pool);
  for (std::size_t j = 0; j < problem.covariates.count(); ++j) {
    const Eigen::VectorXd column = covariates.col(static_cast<Eigen::Index>(j));
    design.transpose_times({column.data(), samples()}, covariate_products[j], pool);
    precision.push_back(place_covariate_precision(problem, j));
  }
  covariate_gram = covariates.transpose() * covariates;
}

}  // namespace cavity
