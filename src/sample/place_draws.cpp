#include "sample/place_draws.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "model/normal.hpp"

namespace cavity {

void PlaceDraws::add(std::span<const std::size_t> places, const Eigen::MatrixXd& root, const Eigen::VectorXd& score) {
  size.push_back(static_cast<std::uint32_t>(places.size()));
  for (const std::size_t feature : places) place.push_back(static_cast<std::uint32_t>(feature));
  const auto upper = root.triangularView<Eigen::Upper>();
  const Eigen::VectorXd weights = upper.solve(score);
  mean.insert(mean.end(), weights.begin(), weights.end());
  const Eigen::MatrixXd inverse = upper.solve(Eigen::MatrixXd::Identity(root.rows(), root.cols()));
  for (Eigen::Index k = 0; k < inverse.cols(); ++k)
    for (Eigen::Index j = 0; j <= k; ++j) factor.push_back(inverse(j, k));
}

void PlaceDraws::append(const PlaceDraws& others) {
  const auto join = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  join(size, others.size);
  join(place, others.place);
  join(mean, others.mean);
  join(factor, others.factor);
}

PlaceDraws PlaceDraws::thinned(std::size_t most) const {
  if (count() <= most) return *this;
  PlaceDraws out{.flip = flip, .covariates = covariates};
  const auto take = [](auto& to, const auto& from, std::size_t first, std::size_t n) {
    to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(first),
              from.begin() + static_cast<std::ptrdiff_t>(first + n));
  };
  std::size_t at_place = 0, at_mean = 0, at_factor = 0;
  for (std::size_t draw = 0; draw < count(); ++draw) {
    const std::size_t weights = covariates + size[draw], entries = weights * (weights + 1) / 2;
    if ((draw + 1) * most / count() > draw * most / count()) {
      out.size.push_back(size[draw]);
      take(out.place, place, at_place, size[draw]);
      take(out.mean, mean, at_mean, weights);
      take(out.factor, factor, at_factor, entries);
    }
    at_place += size[draw];
    at_mean += weights;
    at_factor += entries;
  }
  return out;
}

namespace {

/// The columns that any draw keeps, and where a feature's stands among them.
struct KeptColumns {
  std::vector<std::size_t> features;
  Matrix values;

  KeptColumns(const PlaceDraws& draws, const Design& rows) : features(draws.place.begin(), draws.place.end()) {
    std::ranges::sort(features);
    features.erase(std::unique(features.begin(), features.end()), features.end());
    rows.columns(features, values);
  }
  Eigen::Index at(std::size_t feature) const { return std::ranges::lower_bound(features, feature) - features.begin(); }
};

/// Phi's argument for one draw's weights and one sample's u.
double score(std::span<const double> u, const double* mean, const double* factor) {
  double field = 0, variance = 0;
  for (std::size_t k = 0; k < u.size(); ++k) {
    field += mean[k] * u[k];
    double sum = 0;
    for (std::size_t j = 0; j <= k; ++j) sum += *factor++ * u[j];
    variance += sum * sum;
  }
  return field / std::sqrt(1 + variance);
}

}  // namespace

std::vector<double> predict_places(const PlaceDraws& draws, const Design& rows, const Matrix& covariates) {
  const KeptColumns columns(draws, rows);
  std::vector<double> sum(rows.samples(), 0), u;
  const std::uint32_t* place = draws.place.data();
  const double *mean = draws.mean.data(), *factor = draws.factor.data();
  for (const std::size_t size : draws.size) {
    u.resize(draws.covariates + size);
    for (std::size_t mu = 0; mu < rows.samples(); ++mu) {
      const auto row = static_cast<Eigen::Index>(mu);
      for (std::size_t j = 0; j < draws.covariates; ++j) u[j] = covariates(row, static_cast<Eigen::Index>(j));
      for (std::size_t k = 0; k < size; ++k) u[draws.covariates + k] = columns.values(row, columns.at(place[k]));
      sum[mu] += normal_cdf(score(u, mean, factor));
    }
    place += size;
    mean += u.size();
    factor += u.size() * (u.size() + 1) / 2;
  }
  for (double& p : sum) p = draws.flip + (1 - 2 * draws.flip) * p / static_cast<double>(draws.count());
  return sum;
}

}  // namespace cavity
