#include "infer/joint_gaussian.hpp"

#include <algorithm>
#include <cmath>

#include "infer/joint_gaussian_parts.hpp"

namespace cavity {

double covariate_precision(const Problem& problem, std::size_t j) {
  return problem.covariates.precision[j] / problem.density;
}

FieldScale::FieldScale(const Problem& problem) : sign(static_cast<Eigen::Index>(problem.labels.size())) {
  const double root = std::sqrt(static_cast<double>(problem.design.total_features()));
  for (Eigen::Index mu = 0; mu < sign.size(); ++mu) sign[mu] = problem.labels[static_cast<std::size_t>(mu)] / root;
}

Matrix signed_covariates(const Problem& problem) {
  Matrix z = problem.covariates.values;
  if (z.cols() == 0) return Matrix(static_cast<Eigen::Index>(problem.labels.size()), 0);
  for (Eigen::Index mu = 0; mu < z.rows(); ++mu) z.row(mu) *= problem.labels[static_cast<std::size_t>(mu)];
  return z;
}

namespace {

bool all_positive(const std::vector<double>& v) {
  return std::all_of(v.begin(), v.end(), [](double x) { return x > 0 && std::isfinite(x); });
}
bool all_finite(const std::vector<double>& v) {
  return std::all_of(v.begin(), v.end(), [](double x) { return std::isfinite(x); });
}

}  // namespace

JointGaussian::JointGaussian(const Problem& problem, ThreadPool& pool, Precision precision) : problem_(problem) {
  const std::size_t n = problem.design.features(), m = problem.design.samples();
  if (problem.design.shards().alone() && n + problem.covariates.count() <= m)
    primal_ = std::make_unique<PrimalGaussian>(problem, pool);
  else
    dual_ = std::make_unique<DualGaussian>(problem, pool, precision);
}

JointGaussian::~JointGaussian() = default;

bool JointGaussian::solve(const GaussianSites& sites, GaussianMarginals& out, SiteCovariance* covariance) {
  for (auto* v : {&out.mean, &out.variance, &out.cavity_linear, &out.cavity_precision})
    v->resize(problem_.design.features());
  for (auto* v : {&out.field_mean, &out.field_variance}) v->resize(problem_.design.samples());
  for (auto* v : {&out.covariate_mean, &out.covariate_variance}) v->resize(problem_.covariates.count());
  if (primal_ ? !primal_->solve(sites, out) : !dual_->factor(sites)) return false;
  if (dual_) dual_->marginals(out);
  if (covariance && primal_) primal_->site_covariance(*covariance);
  if (covariance && dual_) dual_->site_covariance(*covariance);
  return problem_.design.shards().all(all_positive(out.variance) && all_positive(out.field_variance) &&
                                      all_finite(out.mean) && all_finite(out.field_mean));
}

Matrix JointGaussian::field_covariance(std::span<const std::size_t> samples) const {
  return primal_ ? primal_->field_covariance(samples) : dual_->field_covariance(samples);
}

}  // namespace cavity
