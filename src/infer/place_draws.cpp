#include "infer/place_draws.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/normal.hpp"

namespace cavity {

void add_draw(std::span<const std::size_t> places, const Eigen::MatrixXd& root, const Eigen::VectorXd& score,
              PlaceDraws& to) {
  to.size.push_back(static_cast<std::uint32_t>(places.size()));
  for (const std::size_t feature : places) to.place.push_back(static_cast<std::uint32_t>(feature));
  const auto upper = root.triangularView<Eigen::Upper>();
  const Eigen::VectorXd weights = upper.solve(score);
  to.mean.insert(to.mean.end(), weights.begin(), weights.end());
  const Eigen::MatrixXd inverse = upper.solve(Eigen::MatrixXd::Identity(root.rows(), root.cols()));
  for (Eigen::Index k = 0; k < inverse.cols(); ++k)
    for (Eigen::Index j = 0; j <= k; ++j) to.factor.push_back(inverse(j, k));
}

void append_draws(const PlaceDraws& others, PlaceDraws& to) {
  const auto join = [](auto& all, const auto& more) { all.insert(all.end(), more.begin(), more.end()); };
  join(to.size, others.size);
  join(to.place, others.place);
  join(to.mean, others.mean);
  join(to.factor, others.factor);
}

PlaceDraws thinned(const PlaceDraws& draws, std::span<const double> weight, std::size_t most) {
  const double total = std::accumulate(weight.begin(), weight.end(), 0.0);
  const double unit = static_cast<double>(std::min(most, draws.count())) / total;
  PlaceDraws out{.flip = draws.flip, .covariates = draws.covariates};
  const auto take = [](auto& to, const auto& from, std::size_t first, std::size_t n) {
    to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(first),
              from.begin() + static_cast<std::ptrdiff_t>(first + n));
  };
  std::size_t at_place = 0, at_mean = 0, at_factor = 0;
  double passed = 0.5;  // so that rounding leaves all of equal weights
  for (std::size_t draw = 0; draw < draws.count(); ++draw) {
    const std::size_t weights = draws.covariates + draws.size[draw], entries = weights * (weights + 1) / 2;
    const double before = std::floor(passed);
    passed += weight[draw] * unit;
    for (double copies = std::floor(passed) - before; copies > 0; --copies) {
      out.size.push_back(draws.size[draw]);
      take(out.place, draws.place, at_place, draws.size[draw]);
      take(out.mean, draws.mean, at_mean, weights);
      take(out.factor, draws.factor, at_factor, entries);
    }
    at_place += draws.size[draw];
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

/// Phi's argument for one draw's weights and one sample's u; `missed`: variance of what is not known of u.mean.
double score(std::span<const double> u, const double* mean, const double* factor, double missed) {
  double field = 0, variance = missed;
  for (std::size_t k = 0; k < u.size(); ++k) {
    field += mean[k] * u[k];
    double sum = 0;
    for (std::size_t j = 0; j <= k; ++j) sum += *factor++ * u[j];
    variance += sum * sum;
  }
  return field / std::sqrt(1 + variance);
}

}  // namespace

namespace {

Eigen::MatrixXd predict_places(const PlaceDraws& draws, const Eigen::MatrixXd& weights, const Design& rows,
                               const Matrix& covariates, const DrawDoubt& doubt) {
  const auto missed = [&](std::size_t draw, Eigen::Index mu) {
    if (doubt.patterns == 0) return 0.0;
    const std::size_t pattern = doubt.pattern_of[static_cast<std::size_t>(mu)];
    return pattern < doubt.patterns ? doubt.variance[draw * doubt.patterns + pattern] : 0.0;
  };
  const KeptColumns columns(draws, rows);
  const auto samples = static_cast<Eigen::Index>(rows.samples());
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(samples, weights.cols());
  Eigen::VectorXd probability(samples);
  std::vector<double> u;
  const std::uint32_t* place = draws.place.data();
  const double *mean = draws.mean.data(), *factor = draws.factor.data();
  for (std::size_t draw = 0; draw < draws.count(); ++draw) {
    const std::size_t size = draws.size[draw];
    u.resize(draws.covariates + size);
    for (Eigen::Index mu = 0; mu < samples; ++mu) {
      for (std::size_t j = 0; j < draws.covariates; ++j) u[j] = covariates(mu, static_cast<Eigen::Index>(j));
      for (std::size_t k = 0; k < size; ++k) u[draws.covariates + k] = columns.values(mu, columns.at(place[k]));
      probability[mu] = normal_cdf(score(u, mean, factor, missed(draw, mu)));
    }
    sum += probability * weights.row(static_cast<Eigen::Index>(draw));
    place += size;
    mean += u.size();
    factor += u.size() * (u.size() + 1) / 2;
  }
  const Eigen::RowVectorXd total = weights.colwise().sum();
  return draws.flip + (1 - 2 * draws.flip) * (sum.array().rowwise() / total.array());
}

}  // namespace

Eigen::MatrixXd predict_places(const PlaceDraws& draws, const Eigen::MatrixXd& weights, const Design& rows,
                               const Matrix& covariates) {
  return predict_places(draws, weights, rows, covariates, {});
}

std::vector<double> predict_places(const PlaceDraws& draws, const Design& rows, const Matrix& covariates,
                                   const DrawDoubt& doubt) {
  const Eigen::MatrixXd alike = Eigen::MatrixXd::Ones(static_cast<Eigen::Index>(draws.count()), 1);
  const Eigen::MatrixXd out = predict_places(draws, alike, rows, covariates, doubt);
  return {out.data(), out.data() + out.size()};
}

std::vector<double> predict_places(const PlaceDraws& draws, const Design& rows, const Matrix& covariates) {
  return predict_places(draws, rows, covariates, DrawDoubt());
}

std::vector<double> missed_variance(const PlaceDraws& draws, std::span<const std::uint32_t> seen,
                                    const Matrix& missed) {
  std::vector<double> out;
  const std::uint32_t* place = draws.place.data();
  const double *mean = draws.mean.data(), *factor = draws.factor.data();
  for (const std::uint32_t size : draws.size) {
    const std::size_t covariates = draws.covariates, weights = covariates + size;
    std::vector<Eigen::Index> at;
    for (std::uint32_t k = 0; k < size; ++k) at.push_back(std::ranges::lower_bound(seen, place[k]) - seen.begin());
    // v^T C v of the places' part of a vector of weights, which may end early.
    const auto form = [&](const double* v, std::size_t length) {
      double sum = 0;
      for (std::size_t i = covariates; i < length; ++i)
        for (std::size_t j = covariates; j < length; ++j)
          sum += v[i] * v[j] * missed(at[i - covariates], at[j - covariates]);
      return sum;
    };
    double variance = form(mean, weights);
    for (std::size_t k = 0; k < weights; ++k) {
      variance += form(factor, k + 1);
      factor += k + 1;
    }
    out.push_back(variance);
    place += size;
    mean += weights;
  }
  return out;
}

}  // namespace cavity
