// With k = Y T z (z = (x/sqrt(N), covariates)) and the parts of DualGaussian:
//   z^T Sigma z = z^T T z - k^T W k + |c^T k + sum over split features of t_l z_l (their row)|^2.
#include "infer/predictive.hpp"

#include <cmath>

#include "cavity/errors.hpp"
#include "infer/joint_gaussian_parts.hpp"

namespace cavity {

std::vector<double> field_means(const Design& design, std::span<const double> mean, const Matrix& covariates,
                                std::span<const double> covariate_mean, ThreadPool& pool) {
  std::vector<double> field(design.samples());
  design.times(mean, field, pool);
  const double root = std::sqrt(static_cast<double>(design.total_features()));
  for (std::size_t mu = 0; mu < field.size(); ++mu) {
    field[mu] /= root;
    for (std::size_t j = 0; j < covariate_mean.size(); ++j)
      field[mu] += covariate_mean[j] * covariates(static_cast<Eigen::Index>(mu), static_cast<Eigen::Index>(j));
  }
  return field;
}

struct PredictiveVariance::Parts {
  const Problem& problem;
  GaussianSites sites;
  DualGaussian dual;

  Parts(const Problem& p, GaussianSites s, ThreadPool& pool)
      : problem(p), sites(std::move(s)), dual(p, pool, Precision::full) {}
};

PredictiveVariance::PredictiveVariance(const Problem& problem, std::vector<double> feature_precision,
                                       std::vector<double> sample_precision, ThreadPool& pool) {
  GaussianSites sites{std::move(feature_precision), {}, std::move(sample_precision), {}};
  sites.nu.assign(sites.tau.size(), 0);
  sites.eta.assign(sites.omega.size(), 0);
  parts_ = std::make_unique<Parts>(problem, std::move(sites), pool);
  if (!parts_->dual.factor(parts_->sites))
    throw InputError("the model's site precisions are not positive definite: the file is damaged; fit again");
}

PredictiveVariance::~PredictiveVariance() = default;

const std::vector<double>& PredictiveVariance::weights() const { return parts_->dual.base_variance(); }

const std::vector<std::size_t>& PredictiveVariance::split_features() const { return parts_->dual.split_features(); }

std::vector<double> PredictiveVariance::operator()(const Design& stacked, const Matrix& covariates,
                                                   ThreadPool& pool) const {
  const auto m = static_cast<Eigen::Index>(parts_->problem.design.samples());
  const Eigen::Index fresh = static_cast<Eigen::Index>(stacked.samples()) - m;
  const DualGaussian& dual = parts_->dual;
  Matrix gram, split;
  stacked.gram(dual.base_variance(), gram, pool);
  if (!dual.split_features().empty()) stacked.columns(dual.split_features(), split);
  const Eigen::Index rows = split.size() > 0 ? fresh : 0;
  return (*this)({gram.bottomLeftCorner(fresh, m), gram.diagonal().tail(fresh), split.bottomRows(rows)}, covariates);
}

std::vector<double> PredictiveVariance::operator()(const TiledDesign& training, const TiledDesign& fresh,
                                                   const Matrix& covariates, ThreadPool& pool) const {
  const DualGaussian& dual = parts_->dual;
  NewProducts products;
  products.squares.resize(static_cast<Eigen::Index>(fresh.samples()));
  training.gram_beside(fresh, dual.base_variance(), products.cross, {products.squares.data(), fresh.samples()}, pool);
  if (!dual.split_features().empty()) fresh.columns(dual.split_features(), products.split);
  return (*this)(products, covariates);
}

std::vector<double> PredictiveVariance::operator()(const NewProducts& products, const Matrix& covariates) const {
  const Problem& problem = parts_->problem;
  const DualGaussian& dual = parts_->dual;
  const auto n = static_cast<double>(problem.design.features());
  Matrix k = products.cross * FieldScale(problem).sign.asDiagonal() / std::sqrt(n);  // rows: k^T
  Vector variance = products.squares / n;
  const Matrix z = signed_covariates(problem);
  for (Eigen::Index j = 0; j < z.cols(); ++j) {
    const double p = covariate_precision(problem, static_cast<std::size_t>(j));
    k.noalias() += (covariates.col(j) / p) * z.col(j).transpose();
    variance += covariates.col(j).cwiseAbs2() / p;
  }
  variance -= (k * dual.dual_weights()).cwiseProduct(k).rowwise().sum();
  Matrix tail = k * dual.correction();
  if (!dual.split_features().empty()) {
    Matrix split = products.split;
    for (Eigen::Index i = 0; i < split.cols(); ++i)
      split.col(i) *= dual.base_variance()[dual.split_features()[static_cast<std::size_t>(i)]] / std::sqrt(n);
    tail.noalias() += split * dual.split_rows();
  }
  variance += tail.rowwise().squaredNorm();
  return {variance.data(), variance.data() + variance.size()};
}

}  // namespace cavity
