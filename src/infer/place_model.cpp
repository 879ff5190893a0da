#include "infer/place_model.hpp"

#include <fmt/format.h>

#include <algorithm>
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

PlaceRows::PlaceRows(std::vector<double> kept, std::size_t features) : kept_(std::move(kept)) {
  for (const double k : kept_) {
    const double density = k / static_cast<double>(features);
    log_odds_.push_back(std::log(density) - std::log1p(-density));
    log_none_.push_back(static_cast<double>(features) * std::log1p(-density));
  }
}

double PlaceRows::log_prior(std::size_t size) const {
  const auto at = [&](std::size_t row) { return log_none_[row] + log_odds_[row] * static_cast<double>(size); };
  double largest = at(0), sum = 0;
  for (std::size_t row = 1; row < count(); ++row) largest = std::max(largest, at(row));
  for (std::size_t row = 0; row < count(); ++row) sum += std::exp(at(row) - largest);
  return largest + std::log(sum);
}

double PlaceRows::share(std::size_t row, std::size_t size) const {
  return std::exp(log_none_[row] + log_odds_[row] * static_cast<double>(size) - log_prior(size));
}

PlaceProblem row_problem(const PlaceProblem& problem, double kept) {
  return {problem.design, problem.labels, problem.covariates,
          kept,           problem.flip,   problem.width * std::sqrt(problem.kept / kept)};
}

PlaceModel::PlaceModel(const PlaceProblem& problem, const std::vector<double>& kept, ThreadPool& pool)
    : design(problem.design),
      labels(problem.labels),
      covariates(problem.covariates.values),
      slab_variance(1 / (problem.width * problem.width * problem.kept)),
      flip(problem.flip),
      rows(kept, problem.design.features()),
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
