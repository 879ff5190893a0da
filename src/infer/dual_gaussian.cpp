// Sigma_b = T - T Y^T W Y T is the covariance without the negative part U diag(d) U^T of Lambda (U: rows of Y for
// samples with omega < 0, unit vectors for features whose tau lies below the floor). With F = Y T U:
//   B = I - d^(1/2) (U^T T U - F^T W F) d^(1/2)   must be positive definite,  P = d^(1/2) B^-1 d^(1/2)
//   Sigma = Sigma_b + Sigma_b U P U^T Sigma_b,   Sigma_b U = T (Y^T (E - W F) + E_features).
// Cost: gram + quadratic (each samples^2 features multiply-adds) + O(samples^3) + O(samples^2 members).
#include <Eigen/Cholesky>
#include <algorithm>

#include "design/sharded_design.hpp"
#include "infer/joint_gaussian_parts.hpp"
#include "kernels/positive_definite.hpp"

namespace cavity {

DualGaussian::DualGaussian(const Problem& problem, const GaussianSites& sites, ThreadPool& pool)
    : problem_(problem), sites_(sites), pool_(pool), scale_(problem), z_(signed_covariates(problem)) {
  choose_members();
}

void DualGaussian::choose_members() {
  t_.resize(sites_.tau.size());
  std::vector<double> base, tau, nu;
  for (std::size_t l = 0; l < t_.size(); ++l) {
    const bool split = sites_.tau[l] < split_precision;
    t_[l] = 1 / (split ? split_precision : sites_.tau[l]);
    log_determinant_ -= std::log(t_[l]);
    if (!split) continue;
    split_.push_back(l);
    base.push_back(t_[l]);
    tau.push_back(sites_.tau[l]);
    nu.push_back(sites_.nu[l]);
  }
  const Shards& shards = problem_.design.shards();
  log_determinant_ = shards.sum(log_determinant_);
  first_split_ = shards.place(split_.size()).first;
  split_base_ = shards.join(base);
  split_tau_ = shards.join(tau);
  split_nu_ = shards.join(nu);
  for (std::size_t mu = 0; mu < sites_.omega.size(); ++mu)
    if (sites_.omega[mu] < 0) negative_.push_back(static_cast<Eigen::Index>(mu));
}

bool DualGaussian::factor() {
  problem_.design.gram(t_, k_, pool_);
  k_ = scale_.sign.asDiagonal() * k_ * scale_.sign.asDiagonal();
  for (Eigen::Index j = 0; j < z_.cols(); ++j) {
    const double p = covariate_precision(problem_, static_cast<std::size_t>(j));
    k_.noalias() += (z_.col(j) / p) * z_.col(j).transpose();
    log_determinant_ += std::log(p);
  }
  const Vector root = as_vector(sites_.omega).cwiseMax(0).cwiseSqrt();
  w_ = root.asDiagonal() * k_ * root.asDiagonal();
  w_.diagonal().array() += 1;
  const auto log_determinant = invert_positive_definite(w_, pool_);
  if (!log_determinant) return false;
  w_ = root.asDiagonal() * w_ * root.asDiagonal();
  log_determinant_ += *log_determinant;
  return factor_negative();
}

bool DualGaussian::factor_negative() {
  const auto samples = static_cast<Eigen::Index>(negative_.size()),
             splits = static_cast<Eigen::Index>(split_base_.size());
  const Eigen::Index members = samples + splits;
  problem_.design.columns(split_, columns_);
  columns_ = scale_.sign.asDiagonal() * join_columns(problem_.design.shards(), columns_);
  f_.resize(k_.rows(), members);
  Vector root(members);  // d^(1/2)
  for (Eigen::Index i = 0; i < samples; ++i) {
    f_.col(i) = k_.col(negative_[static_cast<std::size_t>(i)]);
    root[i] = std::sqrt(-sites_.omega[static_cast<std::size_t>(negative_[static_cast<std::size_t>(i)])]);
  }
  for (Eigen::Index i = 0; i < splits; ++i) {
    const auto k = static_cast<std::size_t>(i);
    f_.col(samples + i) = split_base_[k] * columns_.col(i);
    root[samples + i] = std::sqrt(split_precision - split_tau_[k]);
  }
  wf_.noalias() = w_ * f_;
  if (members == 0) {
    c_.resize(k_.rows(), 0);
    solve_.resize(0, 0);
    return true;
  }
  Matrix covariance = -(f_.transpose() * wf_);  // + U^T T U
  for (Eigen::Index i = 0; i < samples; ++i) {
    covariance.row(i) += f_.row(negative_[static_cast<std::size_t>(i)]);
    covariance.col(i).tail(splits) += f_.row(negative_[static_cast<std::size_t>(i)]).tail(splits).transpose();
  }
  for (Eigen::Index i = 0; i < splits; ++i)
    covariance(samples + i, samples + i) += split_base_[static_cast<std::size_t>(i)];
  Matrix b = -(root.asDiagonal() * covariance * root.asDiagonal());
  b.diagonal().array() += 1;
  const Eigen::LLT<Matrix> llt(b);
  if (llt.info() != Eigen::Success) return false;
  log_determinant_ += 2 * llt.matrixLLT().diagonal().array().log().sum();
  solve_ = root.asDiagonal();
  llt.matrixL().solveInPlace(solve_);
  Matrix e = -wf_;
  for (Eigen::Index i = 0; i < samples; ++i) e(negative_[static_cast<std::size_t>(i)], i) += 1;
  c_.noalias() = e * solve_.transpose();
  return true;
}

void DualGaussian::site_covariance(SiteCovariance& out) const {
  const Shards& shards = problem_.design.shards();
  const Shards::Part own = shards.place(out.features.size());
  std::vector<double> base, positions;  // of the active features; of the split ones among them
  for (const std::size_t l : out.features) base.push_back(t_[l]);
  base = shards.join(base);
  for (const std::size_t l : split_) {
    const auto at = std::lower_bound(out.features.begin(), out.features.end(), l) - out.features.begin();
    positions.push_back(static_cast<double>(own.first) + static_cast<double>(at));
  }
  positions = shards.join(positions);
  out.first = own.first;
  out.count = base.size();
  const auto active = static_cast<Eigen::Index>(out.count), samples = k_.rows();
  Matrix f;  // Y T u of every site: active features, then samples
  problem_.design.columns(out.features, f);
  f = scale_.sign.asDiagonal() * join_columns(shards, f);
  for (Eigen::Index i = 0; i < active; ++i) f.col(i) *= base[static_cast<std::size_t>(i)];
  f.conservativeResize(Eigen::NoChange, active + samples);
  f.rightCols(samples) = k_;
  Matrix& s = out.values;
  s.noalias() = -(f.transpose() * (w_ * f));
  for (Eigen::Index i = 0; i < active; ++i) s(i, i) += base[static_cast<std::size_t>(i)];
  s.bottomRightCorner(samples, samples) += k_;
  s.bottomLeftCorner(samples, active) += f.leftCols(active);
  s.topRightCorner(active, samples) += f.leftCols(active).transpose();

  std::vector<Eigen::Index> members;
  for (const Eigen::Index mu : negative_) members.push_back(active + mu);
  for (const double position : positions) members.push_back(static_cast<Eigen::Index>(position));
  if (members.empty()) return;
  const Matrix cross = s(Eigen::all, members) * solve_.transpose();
  s.noalias() += cross * cross.transpose();
}

// diag(K - K W K). W = R S^-1 R with S = I + R K R and R = sqrt(omega), so omega (K - K W K) omega = omega - W: no
// product is needed but where omega K is so small that the difference cancels.
Vector DualGaussian::base_field_variance() const {
  constexpr double cancels = 1e-4;
  Vector out(k_.rows());
  for (Eigen::Index i = 0; i < out.size(); ++i) {
    const double omega = sites_.omega[static_cast<std::size_t>(i)];
    out[i] = omega * k_(i, i) > cancels ? (1 - w_(i, i) / omega) / omega : k_(i, i) - k_.row(i) * w_ * k_.col(i);
  }
  return out;
}

Matrix DualGaussian::split_rows() const {
  return solve_.rightCols(static_cast<Eigen::Index>(split_base_.size())).transpose();
}

// What the data say of a feature is 1/t - q: where they say much, q cancels and needs all its digits. Few features do.
void DualGaussian::refine(const Matrix& dual, std::span<double> q) const {
  constexpr double cancels = 0.05;
  constexpr std::size_t batch = 256;
  std::vector<std::size_t> which;
  for (std::size_t l = 0; l < q.size(); ++l)
    if (t_[l] * q[l] > cancels) which.push_back(l);
  for (std::size_t first = 0; first < which.size(); first += batch) {
    const auto some = std::span(which).subspan(first, std::min(batch, which.size() - first));
    Matrix x;
    problem_.design.columns(some, x);
    const Eigen::RowVectorXd exact = (dual * x).cwiseProduct(x).colwise().sum();
    for (std::size_t i = 0; i < some.size(); ++i) q[some[i]] = exact[static_cast<Eigen::Index>(i)];
  }
}

void DualGaussian::marginals(GaussianMarginals& out) {
  const auto samples = static_cast<Eigen::Index>(negative_.size()),
             splits = static_cast<Eigen::Index>(split_base_.size());
  const std::size_t n = t_.size();
  const auto eta = as_vector(sites_.eta);

  std::vector<double> weighted(n), product(sites_.omega.size());
  for (std::size_t l = 0; l < n; ++l) weighted[l] = t_[l] * sites_.nu[l];
  problem_.design.times(weighted, product, pool_);
  const Vector z_nu = scale_.sign.cwiseProduct(as_vector(product));  // Y T nu
  const Vector z = z_nu + k_ * eta;                                  // Y T r
  const Vector wz = w_ * z;

  Vector p(samples + splits);  // P U^T Sigma_b r
  for (Eigen::Index i = 0; i < samples; ++i) p[i] = z[negative_[static_cast<std::size_t>(i)]] - f_.col(i).dot(wz);
  for (Eigen::Index i = 0; i < splits; ++i) {
    const auto k = static_cast<std::size_t>(i);
    p[samples + i] = split_base_[k] * (split_nu_[k] + columns_.col(i).dot(eta - wz));
  }
  p = solve_.transpose() * (solve_ * p);
  Vector u = eta - wz - wf_ * p;
  for (Eigen::Index i = 0; i < samples; ++i) u[negative_[static_cast<std::size_t>(i)]] += p[i];

  const Vector field = k_ * u + z_nu + f_.rightCols(splits) * p.tail(splits);
  Vector field_variance = base_field_variance();
  if (samples + splits > 0) field_variance += ((f_ - k_ * wf_) * solve_.transpose()).rowwise().squaredNorm();
  Vector::Map(out.field_mean.data(), field.size()) = field;
  Vector::Map(out.field_variance.data(), field.size()) = field_variance;

  // s = Y^T u and q_l = y_l^T W' y_l, then the split features' own share.
  std::vector<double> s(n), q(n);
  const Vector scaled_u = scale_.sign.cwiseProduct(u);
  problem_.design.transpose_times({scaled_u.data(), static_cast<std::size_t>(scaled_u.size())}, s, pool_);
  Matrix dual = w_ - c_ * c_.transpose();
  for (Eigen::Index j = 0; j < z_.cols(); ++j) {
    const double precision = covariate_precision(problem_, static_cast<std::size_t>(j));
    out.covariate_mean[static_cast<std::size_t>(j)] = z_.col(j).dot(u) / precision;
    out.covariate_variance[static_cast<std::size_t>(j)] = (1 - z_.col(j).dot(dual * z_.col(j)) / precision) / precision;
  }
  dual = scale_.sign.asDiagonal() * dual * scale_.sign.asDiagonal();
  problem_.design.quadratic(dual, q, pool_);
  if (problem_.design.single_precision()) refine(dual, q);
  for (std::size_t k = 0; k < split_.size(); ++k) {
    const std::size_t l = split_[k];
    const auto i = static_cast<Eigen::Index>(first_split_ + k);
    const auto own = solve_.col(samples + i);
    s[l] += p[samples + i];
    q[l] -= 2 * columns_.col(i).dot(c_ * own) + own.squaredNorm();
  }
  for (std::size_t l = 0; l < n; ++l) {
    const double base = 1 / t_[l], rest = base - q[l];
    out.mean[l] = t_[l] * (sites_.nu[l] + s[l]);
    out.variance[l] = t_[l] * t_[l] * rest;
    out.cavity_precision[l] = base * q[l] / rest + (base - sites_.tau[l]);
    out.cavity_linear[l] = (base * s[l] + sites_.nu[l] * q[l]) / rest;
  }
  out.log_determinant = log_determinant_;
}

}  // namespace cavity
