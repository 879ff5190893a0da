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

std::unique_ptr<GaussianForm> make_form(const Problem& problem, ThreadPool& pool, Precision precision) {
  if (const auto* offer = dynamic_cast<const GaussianOffer*>(&problem.design))
    if (auto form = offer->gaussian(problem, pool)) return form;
  const std::size_t n = problem.design.features(), m = problem.design.samples();
  if (problem.design.shards().alone() && n + problem.covariates.count() <= m)
    return std::make_unique<PrimalGaussian>(problem, pool);
  return std::make_unique<DualGaussian>(problem, pool, precision);
}

}  // namespace

NegativePart choose_members(const GaussianSites& sites, const Shards& shards) {
  NegativePart out;
  out.t.resize(sites.tau.size());
  std::vector<double> base, tau, nu;
  for (std::size_t l = 0; l < out.t.size(); ++l) {
    const bool split = sites.tau[l] < split_precision;
    out.t[l] = 1 / (split ? split_precision : sites.tau[l]);
    out.log_determinant -= std::log(out.t[l]);
    if (!split) continue;
    out.split.push_back(l);
    base.push_back(out.t[l]);
    tau.push_back(sites.tau[l]);
    nu.push_back(sites.nu[l]);
  }
  out.log_determinant = shards.sum(out.log_determinant);
  out.first_split = shards.place(out.split.size()).first;
  out.split_base = shards.join(base);
  out.split_tau = shards.join(tau);
  out.split_nu = shards.join(nu);
  for (std::size_t mu = 0; mu < sites.omega.size(); ++mu)
    if (sites.omega[mu] < 0) out.negative.push_back(static_cast<Eigen::Index>(mu));
  return out;
}

void write_features(const GaussianSites& sites, std::span<const double> t, const FeatureProducts& products,
                    GaussianMarginals& out) {
  for (std::size_t l = 0; l < t.size(); ++l) {
    const double base = 1 / t[l], s = products.s[l], q = products.q[l], rest = base - q;
    out.mean[l] = t[l] * (sites.nu[l] + s);
    out.variance[l] = t[l] * t[l] * rest;
    out.cavity_precision[l] = base * q / rest + (base - sites.tau[l]);
    out.cavity_linear[l] = (base * s + sites.nu[l] * q) / rest;
  }
}

JointGaussian::JointGaussian(const Problem& problem, ThreadPool& pool, Precision precision)
    : problem_(problem), form_(make_form(problem, pool, precision)) {}

bool JointGaussian::solve(const GaussianSites& sites, GaussianMarginals& out, SiteCovariance* covariance) {
  for (auto* v : {&out.mean, &out.variance, &out.cavity_linear, &out.cavity_precision})
    v->resize(problem_.design.features());
  for (auto* v : {&out.field_mean, &out.field_variance}) v->resize(problem_.design.samples());
  for (auto* v : {&out.covariate_mean, &out.covariate_variance}) v->resize(problem_.covariates.count());
  if (!form_->solve(sites, out)) return false;
  if (covariance) form_->site_covariance(*covariance);
  return problem_.design.shards().all(all_positive(out.variance) && all_positive(out.field_variance) &&
                                      all_finite(out.mean) && all_finite(out.field_mean));
}

}  // namespace cavity
