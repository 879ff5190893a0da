// Sigma_b = T - T Y^T W Y T is the covariance without the negative part U diag(d) U^T of Lambda (U: rows of Y for
// samples with omega < 0, unit vectors for features whose tau lies below the floor). With F = Y T U:
//   B = I - d^(1/2) (U^T T U - F^T W F) d^(1/2)   must be positive definite,  P = d^(1/2) B^-1 d^(1/2)
//   Sigma = Sigma_b + Sigma_b U P U^T Sigma_b,   Sigma_b U = T (Y^T (E - W F) + E_features).
// W = O^(1/2) S^-1 O^(1/2) with S = I + O^(1/2) K O^(1/2), so that O (I - K W) = W: what the fields share with anything
// is read off W,  O (F - K W F) = W F  and  O (K - K W K) O = O - W,  and products are left for the split features
// alone. For that O is nowhere zero; a sample next to nothing adds nothing, and its row of W keeps its digits. Cost:
// gram + quadratic (each samples^2 features multiply-adds) + O(samples^3) + O(samples^2 members).
#include <Eigen/Cholesky>
#include <algorithm>

#include "design/sharded_design.hpp"
#include "infer/joint_gaussian_parts.hpp"
#include "kernels/matrix_product.hpp"
#include "kernels/positive_definite.hpp"

namespace cavity {

namespace {

// Of the sites from one update to the next, whose products may be rounded: it leaves 1e-9 of K, where single precision
// throughout leaves 1e-7. A rough solution has no need of that, but that errors fade as it comes near.
constexpr double largest_change = 0.01, largest_rough_change = 0.5;

}  // namespace

DualGaussian::DualGaussian(const Problem& problem, ThreadPool& pool, Precision precision)
    : problem_(problem),
      pool_(pool),
      precision_(precision),
      products_(problem.design, precision == Precision::rough ? largest_rough_change : largest_change),
      scale_(problem),
      z_(signed_covariates(problem)) {}

bool DualGaussian::factor(const GaussianSites& sites) {
  sites_ = sites;
  members_ = choose_members(sites, problem_.design.shards());
  log_determinant_ = members_.log_determinant;
  // Fixed points with negative sites are touchy: an error of 1e-8 in K costs updates there (500 x 5000, step: 13 and 8
  // become 19 and 18), and none where all are positive. The quadratic forms' errors do no harm to either.
  const Matrix& gram = products_.gram(members_.t, members_.negative.empty() ? precision_ : Precision::full, pool_);
  k_ = scale_.sign.asDiagonal() * gram * scale_.sign.asDiagonal();
  for (Eigen::Index j = 0; j < z_.cols(); ++j) {
    const double p = covariate_precision(problem_, static_cast<std::size_t>(j));
    k_.noalias() += (z_.col(j) / p) * z_.col(j).transpose();
    log_determinant_ += std::log(p);
  }
  positive_ = as_vector(sites_.omega).cwiseMax(next_to_nothing);
  const Vector root = positive_.cwiseSqrt();
  w_ = root.asDiagonal() * k_ * root.asDiagonal();
  w_.diagonal().array() += 1;
  const auto log_determinant = invert_positive_definite(w_, pool_);
  if (!log_determinant) return false;
  w_ = root.asDiagonal() * w_ * root.asDiagonal();
  log_determinant_ += *log_determinant;
  multiply_split();
  return factor_negative();
}

void DualGaussian::multiply_split() {
  problem_.design.columns(members_.split, columns_);
  columns_ = scale_.sign.asDiagonal() * join_columns(problem_.design.shards(), columns_);
  split_f_ = columns_ * as_vector(members_.split_base).asDiagonal();
  split_wf_.setZero(k_.rows(), columns_.cols());
  add_product(1, w_, split_f_, split_wf_, pool_);
}

// Of the fields of two samples, in Sigma_b: K - K W K. On the diagonal omega - W cancels where omega K is small.
double DualGaussian::base_covariance(Eigen::Index i, Eigen::Index j) const {
  const double o = positive_[i];
  if (i != j) return -w_(i, j) / o / positive_[j];
  return o * k_(i, i) > field_cancels ? (1 - w_(i, i) / o) / o : k_.row(i).dot(w_.row(i)) / o;
}

// U^T Sigma_b U of the members: samples, then split features.
Matrix DualGaussian::member_covariance() const {
  const auto samples = static_cast<Eigen::Index>(members_.negative.size()), splits = columns_.cols();
  Matrix out = Matrix::Zero(samples + splits, samples + splits);
  Matrix among = Matrix::Zero(splits, splits);
  add_lower_product(-1, MatrixView(split_f_).transposed(), split_wf_, among, pool_);
  among.diagonal() += as_vector(members_.split_base);
  out.bottomRightCorner(splits, splits) = among.selfadjointView<Eigen::Lower>();
  for (Eigen::Index i = 0; i < samples; ++i) {
    const Eigen::Index mu = members_.negative[static_cast<std::size_t>(i)];
    for (Eigen::Index j = 0; j < samples; ++j)
      out(i, j) = base_covariance(mu, members_.negative[static_cast<std::size_t>(j)]);
    out.row(i).tail(splits) = split_wf_.row(mu) / positive_[mu];
    out.col(i).tail(splits) = out.row(i).tail(splits).transpose();
  }
  return out;
}

bool DualGaussian::factor_negative() {
  const auto samples = static_cast<Eigen::Index>(members_.negative.size()), splits = columns_.cols();
  const Eigen::Index members = samples + splits;
  covariance_ = member_covariance();
  Vector root(members);              // d^(1/2)
  Matrix share(k_.rows(), members);  // E - W F
  for (Eigen::Index i = 0; i < samples; ++i) {
    const Eigen::Index mu = members_.negative[static_cast<std::size_t>(i)];
    root[i] = std::sqrt(positive_[mu] - sites_.omega[static_cast<std::size_t>(mu)]);
    share.col(i) = w_.row(mu).transpose() / positive_[mu];
  }
  for (Eigen::Index i = 0; i < splits; ++i)
    root[samples + i] = std::sqrt(split_precision - members_.split_tau[static_cast<std::size_t>(i)]);
  share.rightCols(splits) = -split_wf_;
  Matrix b = -(root.asDiagonal() * covariance_ * root.asDiagonal());
  b.diagonal().array() += 1;
  const Eigen::LLT<Matrix> llt(b);
  if (llt.info() != Eigen::Success) return false;
  log_determinant_ += 2 * llt.matrixLLT().diagonal().array().log().sum();
  solve_ = root.asDiagonal();
  llt.matrixL().solveInPlace(solve_);
  c_.setZero(k_.rows(), members);
  add_product(1, share, MatrixView(solve_).transposed(), c_, pool_);
  return true;
}

void DualGaussian::site_covariance(SiteCovariance& out) const {
  const Shards& shards = problem_.design.shards();
  const Shards::Part own = shards.place(out.features.size());
  std::vector<double> base, positions;  // of the active features; of the split ones among them
  for (const std::size_t l : out.features) base.push_back(members_.t[l]);
  base = shards.join(base);
  for (const std::size_t l : members_.split) {
    const auto at = std::lower_bound(out.features.begin(), out.features.end(), l) - out.features.begin();
    positions.push_back(static_cast<double>(own.first) + static_cast<double>(at));
  }
  positions = shards.join(positions);
  out.first = own.first;
  out.count = base.size();
  const auto active = static_cast<Eigen::Index>(out.count), samples = k_.rows();
  Matrix f;  // Y T u of the active features
  problem_.design.columns(out.features, f);
  f = scale_.sign.asDiagonal() * join_columns(shards, f) * as_vector(base).asDiagonal();
  Matrix wf = Matrix::Zero(samples, active);
  add_product(1, w_, f, wf, pool_);
  Matrix among = Matrix::Zero(active, active);
  add_lower_product(-1, MatrixView(f).transposed(), wf, among, pool_);
  Matrix& s = out.values;  // the lower triangle first
  s.resize(active + samples, active + samples);
  s.topLeftCorner(active, active) = among;
  s.diagonal().head(active) += as_vector(base);
  s.bottomLeftCorner(samples, active) = positive_.cwiseInverse().asDiagonal() * wf;
  for (Eigen::Index i = 0; i < samples; ++i)
    for (Eigen::Index j = 0; j <= i; ++j) s(active + i, active + j) = base_covariance(i, j);
  mirror_lower(s, pool_);

  std::vector<Eigen::Index> members;
  for (const Eigen::Index mu : members_.negative) members.push_back(active + mu);
  for (const double position : positions) members.push_back(static_cast<Eigen::Index>(position));
  if (members.empty()) return;
  const Matrix theirs = s(Eigen::all, members);
  Matrix cross = Matrix::Zero(s.rows(), theirs.cols());
  add_product(1, theirs, MatrixView(solve_).transposed(), cross, pool_);
  add_lower_product(1, cross, MatrixView(cross).transposed(), s, pool_);
  mirror_lower(s, pool_);
}

// F - K W F is -(E - W F)/O but in a negative sample's own column, so that its product with solve^T is -c/O.
void DualGaussian::field_variances(std::span<double> out) const {
  for (Eigen::Index i = 0; i < k_.rows(); ++i)
    out[static_cast<std::size_t>(i)] = base_covariance(i, i) + (c_.row(i) / positive_[i]).squaredNorm();
  const auto samples = static_cast<Eigen::Index>(members_.negative.size());
  const Matrix own = covariance_.topRows(samples) * solve_.transpose();
  for (Eigen::Index i = 0; i < samples; ++i) {
    const Eigen::Index mu = members_.negative[static_cast<std::size_t>(i)];
    out[static_cast<std::size_t>(mu)] = covariance_(i, i) + own.row(i).squaredNorm();
  }
}

// Sigma_b's and what the negative part adds, row by row as above.
Matrix DualGaussian::field_covariance(std::span<const std::size_t> samples) const {
  const auto size = static_cast<Eigen::Index>(samples.size());
  Matrix out(size, size), rows(size, c_.cols());
  for (Eigen::Index i = 0; i < size; ++i) {
    const auto mu = static_cast<Eigen::Index>(samples[static_cast<std::size_t>(i)]);
    const auto at = std::ranges::lower_bound(members_.negative, mu);
    if (at != members_.negative.end() && *at == mu)
      rows.row(i) = covariance_.row(at - members_.negative.begin()) * solve_.transpose();
    else
      rows.row(i) = -c_.row(mu) / positive_[mu];
    for (Eigen::Index j = 0; j < size; ++j)
      out(i, j) = base_covariance(mu, static_cast<Eigen::Index>(samples[static_cast<std::size_t>(j)]));
  }
  out.noalias() += rows * rows.transpose();
  return out;
}

Matrix DualGaussian::split_rows() const {
  return solve_.rightCols(static_cast<Eigen::Index>(members_.split_base.size())).transpose();
}

// What the data say of a feature is 1/t - q: where they say much, q cancels and needs all its digits. Few features do.
void DualGaussian::refine(std::span<double> q) const {
  constexpr double cancels = 0.75;
  constexpr std::size_t batch = 256;
  std::vector<std::size_t> which;
  for (std::size_t l = 0; l < q.size(); ++l)
    if (members_.t[l] * q[l] > cancels) which.push_back(l);
  if (which.empty()) return;
  PackedTriangle<double> triangle;
  triangle.pack(dual_, pool_);
  Matrix x;
  AlignedVector<double> tiles;
  double exact[batch];
  for (std::size_t first = 0; first < which.size(); first += batch) {
    const auto some = std::span(which).subspan(first, std::min(batch, which.size() - first));
    problem_.design.columns(some, x);
    column_forms(pack_matrix(x, tiles, pool_), triangle, {exact, some.size()}, pool_);
    for (std::size_t i = 0; i < some.size(); ++i) q[some[i]] = exact[i];
  }
}

// u of Sigma (nu + Y^T eta) = T (nu + Y^T u + members): writes the fields' means too.
Vector DualGaussian::mean_dual(GaussianMarginals& out, Vector& members) const {
  const auto samples = static_cast<Eigen::Index>(members_.negative.size()), splits = columns_.cols();
  const auto eta = as_vector(sites_.eta);
  std::vector<double> weighted(members_.t.size()), product(sites_.omega.size());
  for (std::size_t l = 0; l < members_.t.size(); ++l) weighted[l] = members_.t[l] * sites_.nu[l];
  problem_.design.times(weighted, product, pool_);
  const Vector z_nu = scale_.sign.cwiseProduct(as_vector(product));  // Y T nu
  const Vector z = z_nu + k_ * eta;                                  // Y T r
  const Vector wz = w_ * z;
  Vector p(samples + splits);  // P U^T Sigma_b r
  for (Eigen::Index i = 0; i < samples; ++i) {
    const Eigen::Index mu = members_.negative[static_cast<std::size_t>(i)];
    p[i] = z[mu] - k_.row(mu).dot(wz);
  }
  p.tail(splits) =
      as_vector(members_.split_base).cwiseProduct(as_vector(members_.split_nu) + columns_.transpose() * (eta - wz));
  const Vector solved = solve_ * p;
  members = solve_.transpose() * solved;
  Vector u = eta - wz + c_ * solved;
  Vector::Map(out.field_mean.data(), u.size()) = k_ * u + z_nu + split_f_ * members.tail(splits);
  return u;
}

// q_l = y_l^T (W - c c^T) y_l without the split features' own share.
std::vector<double> DualGaussian::forms() {
  dual_ = scale_.sign.asDiagonal() * dual_ * scale_.sign.asDiagonal();
  const std::span<double> q = products_.quadratic(dual_, precision_, pool_);
  if (products_.rounded()) refine(q);
  return {q.begin(), q.end()};
}

bool DualGaussian::solve(const GaussianSites& sites, GaussianMarginals& out) {
  if (!factor(sites)) return false;
  marginals(out);
  return true;
}

void DualGaussian::marginals(GaussianMarginals& out) {
  const auto samples = static_cast<Eigen::Index>(members_.negative.size());
  Vector members;
  const Vector u = mean_dual(out, members);
  field_variances(out.field_variance);
  dual_ = w_;
  add_lower_product(-1, c_, MatrixView(c_).transposed(), dual_, pool_);
  for (Eigen::Index j = 0; j < z_.cols(); ++j) {
    const double precision = covariate_precision(problem_, static_cast<std::size_t>(j));
    const Vector product = dual_.selfadjointView<Eigen::Lower>() * z_.col(j);
    out.covariate_mean[static_cast<std::size_t>(j)] = z_.col(j).dot(u) / precision;
    out.covariate_variance[static_cast<std::size_t>(j)] = (1 - z_.col(j).dot(product) / precision) / precision;
  }
  std::vector<double> s(members_.t.size()), q = forms();
  const Vector scaled_u = scale_.sign.cwiseProduct(u);
  problem_.design.transpose_times({scaled_u.data(), static_cast<std::size_t>(scaled_u.size())}, s, pool_);
  Matrix of_split = Matrix::Zero(c_.rows(), columns_.cols());
  const Matrix rows = split_rows();
  add_product(1, c_, MatrixView(rows).transposed(), of_split, pool_);
  for (std::size_t k = 0; k < members_.split.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(members_.first_split + k);
    s[members_.split[k]] += members[samples + i];
    q[members_.split[k]] -= 2 * columns_.col(i).dot(of_split.col(i)) + rows.row(i).squaredNorm();
  }
  write_features(sites_, members_.t, {s, q}, out);
  out.log_determinant = log_determinant_;
}

}  // namespace cavity
