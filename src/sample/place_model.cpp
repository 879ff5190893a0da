#include "sample/place_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cavity/errors.hpp"

namespace cavity {

namespace {

constexpr double least_width = 1e-3;  // with less, 1 - B B^T of a sample cancels
constexpr std::size_t block = 256;    // columns taken out of the design at a time

std::vector<double> squared_norms(const Design& design) {
  std::vector<double> out;
  std::vector<std::size_t> which;
  Matrix columns;
  for (std::size_t first = 0; first < design.features(); first += block) {
    which.resize(std::min(block, design.features() - first));
    std::iota(which.begin(), which.end(), first);
    design.columns(which, columns);
    for (Eigen::Index j = 0; j < columns.cols(); ++j) out.push_back(columns.col(j).squaredNorm());
  }
  return out;
}

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
  check_problem({design, labels, covariates, ProbitActivation{width}, density()});
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
      square(squared_norms(problem.design)),
      covariate_products(problem.covariates.count(), std::vector<double>(problem.design.features())) {
  for (std::size_t j = 0; j < problem.covariates.count(); ++j) {
    const Eigen::VectorXd column = covariates.col(static_cast<Eigen::Index>(j));
    design.transpose_times({column.data(), samples()}, covariate_products[j], pool);
    precision.push_back(place_covariate_precision(problem, j));
  }
  covariate_gram = covariates.transpose() * covariates;
}

}  // namespace cavity
