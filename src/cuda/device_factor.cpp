// The factors that DeviceGaussian's marginals are made of: K and R, then the negative part's.
#include <algorithm>
#include <cmath>
#include <limits>

#include "cuda/device_design.hpp"
#include "cuda/device_gaussian.hpp"
#include "cuda/invert_factor.hpp"
#include "cuda/kernels/matrix_work.hpp"

namespace cavity::cuda {

namespace {

std::vector<double> diagonal(const DeviceArray<double>& square, int size, cudaStream_t stream) {
  DeviceArray<double> out(static_cast<std::size_t>(size), stream);
  take_diagonal(square.data(), out.size(), out.data(), stream);
  return out.to_host();
}

double log_sum(const std::vector<double>& v) {
  double sum = 0;
  for (const double x : v) sum += std::log(x);
  return sum;
}

}  // namespace

// K, then R in place of S.
bool DeviceGaussian::factor() {
  const cudaStream_t stream = device_.stream();
  std::vector<double> root_t(part_.t.size());
  for (std::size_t l = 0; l < root_t.size(); ++l) root_t[l] = std::sqrt(part_.t[l]);
  root_t_ = DeviceArray<double>(root_t, stream);
  device_gram(device_, values_, sign_.data(), root_t_.data(), k_.data());
  if (z_.cols() > 0) {
    Matrix scaled = z_.transpose();  // a row a covariate: column-major, a column of the transposed
    for (Eigen::Index j = 0; j < scaled.rows(); ++j) {
      const double p = covariate_precision(problem_, static_cast<std::size_t>(j));
      scaled.row(j) /= std::sqrt(p);
      log_determinant_ += std::log(p);
    }
    const DeviceArray<double> z(std::span(scaled.data(), static_cast<std::size_t>(scaled.size())), stream);
    const int covariates = static_cast<int>(z_.cols());
    device_.libraries().gram(n_, covariates, 1, {z.data(), n_, Transposed::yes}, 1, {k_.data(), n_});
  }
  mirror_lower(k_.data(), values_.samples(), stream);
  k_diagonal_ = diagonal(k_, n_, stream);
  positive_.resize(sites_.omega.size());
  std::vector<double> root(positive_.size());
  for (std::size_t mu = 0; mu < root.size(); ++mu)
    root[mu] = std::sqrt(positive_[mu] = std::max(sites_.omega[mu], next_to_nothing));
  const DeviceArray<double> roots(root, stream);
  make_system(k_.data(), roots.data(), values_.samples(), r_.data(), stream);
  if (!device_.libraries().factor(n_, r_.data())) return false;
  log_determinant_ += 2 * log_sum(diagonal(r_, n_, stream));
  invert_factor(device_, values_.samples(), r_.data());
  scale_lower(r_.data(), roots.data(), values_.samples(), stream);
  return true;
}

/// W's columns at some samples, each divided by its O.
DeviceArray<double> DeviceGaussian::weights_of(const std::vector<int>& samples) const {
  const cudaStream_t stream = device_.stream();
  const std::size_t m = values_.samples(), count = samples.size();
  std::vector<double> inverse;
  for (const int mu : samples) inverse.push_back(1 / positive_[static_cast<std::size_t>(mu)]);
  const DeviceArray<int> which(samples, stream);
  const DeviceArray<double> scale(inverse, stream);
  DeviceArray<double> columns(m * count, stream), out(m * count, stream);
  gather_columns(r_.data(), m, which.data(), scale.data(), count, columns.data(), stream);
  device_.libraries().multiply({n_, static_cast<int>(count), n_}, 1, {r_.data(), n_, Transposed::yes},
                               {columns.data(), n_}, 0, {out.data(), n_});
  return out;
}

/// Diagonal of K - K W K: the base variance of every field.
std::vector<double> DeviceGaussian::own_variances() const {
  const cudaStream_t stream = device_.stream();
  const std::size_t m = values_.samples();
  DeviceArray<double> squares(m, stream);
  column_squares(r_.data(), m, m, squares.data(), stream);
  std::vector<double> out = squares.to_host();  // W's diagonal
  std::vector<int> faint;
  for (std::size_t mu = 0; mu < m; ++mu) {
    const double o = positive_[mu];
    if (o * k_diagonal_[mu] <= field_cancels) faint.push_back(static_cast<int>(mu));
    out[mu] = (1 - out[mu] / o) / o;
  }
  constexpr std::size_t batch = 2048;
  for (std::size_t first = 0; first < faint.size(); first += batch) {
    const std::vector<int> some(faint.begin() + static_cast<std::ptrdiff_t>(first),
                                faint.begin() + static_cast<std::ptrdiff_t>(std::min(first + batch, faint.size())));
    const DeviceArray<double> weights = weights_of(some);
    const DeviceArray<int> which(some, stream);
    DeviceArray<double> dots(some.size(), stream);
    paired_dots(k_.data(), weights.data(), m, which.data(), some.size(), dots.data(), stream);
    const std::vector<double> values = dots.to_host();
    for (std::size_t i = 0; i < some.size(); ++i) out[static_cast<std::size_t>(some[i])] = values[i];
  }
  return out;
}

// F, M and R^T M.
void DeviceGaussian::multiply_members() {
  const cudaStream_t stream = device_.stream();
  const std::size_t m = values_.samples(), samples = part_.negative.size(), splits = part_.split.size();
  const Libraries& libraries = device_.libraries();
  f_ = DeviceArray<double>(m * splits, stream);
  m_ = DeviceArray<double>(m * (samples + splits), stream);
  share_ = DeviceArray<double>(m * (samples + splits), stream);
  const DeviceArray<int> split(as_ints(part_.split), stream), negative(as_ints(part_.negative), stream);
  const DeviceArray<double> base(part_.split_base, stream);
  if (splits > 0) values_.write_columns(split.data(), splits, {sign_.data(), base.data()}, f_.data());
  std::vector<double> inverse;
  for (const Eigen::Index mu : part_.negative) inverse.push_back(1 / positive_[static_cast<std::size_t>(mu)]);
  const DeviceArray<double> scale(inverse, stream);
  gather_columns(r_.data(), m, negative.data(), scale.data(), samples, m_.data(), stream);
  libraries.multiply({n_, static_cast<int>(splits), n_}, -1, {r_.data(), n_}, {f_.data(), n_}, 0,
                     {m_.data() + m * samples, n_});
  libraries.multiply({n_, member_count(), n_}, 1, {r_.data(), n_, Transposed::yes}, {m_.data(), n_}, 0,
                     {share_.data(), n_});
}

/// d^(1/2)
std::vector<double> DeviceGaussian::member_roots() const {
  std::vector<double> out;
  for (const Eigen::Index mu : part_.negative) {
    const auto i = static_cast<std::size_t>(mu);
    out.push_back(std::sqrt(positive_[i] - sites_.omega[i]));
  }
  for (const double tau : part_.split_tau) out.push_back(std::sqrt(split_precision - tau));
  return out;
}

bool DeviceGaussian::factor_members() {
  const cudaStream_t stream = device_.stream();
  const int members = member_count();
  const auto count = static_cast<std::size_t>(members), samples = part_.negative.size(), m = values_.samples();
  std::vector<double> base(count), known(count, std::numeric_limits<double>::quiet_NaN()), root = member_roots();
  for (std::size_t i = 0; i < samples; ++i) known[i] = own_[static_cast<std::size_t>(part_.negative[i])];
  std::copy(part_.split_base.begin(), part_.split_base.end(), base.begin() + static_cast<std::ptrdiff_t>(samples));
  const DeviceArray<double> bases(base, stream), diagonals(known, stream), roots(root, stream);
  covariance_ = DeviceArray<double>(count * count, stream);
  DeviceArray<double> system(count * count, stream);
  const Libraries& libraries = device_.libraries();
  libraries.gram(members, n_, 1, {m_.data(), n_}, 0, {covariance_.data(), members});
  make_members(covariance_.data(), {bases.data(), diagonals.data(), roots.data()}, count, system.data(), stream);
  if (!libraries.factor(members, system.data())) return false;
  log_determinant_ += 2 * log_sum(diagonal(system, members, stream));
  // c = (E - W F) solve^T, covariance solve^T and solve itself = L^-1 diag(root).
  c_ = std::move(share_);
  scale_columns(c_.data(), roots.data(), m, count, stream);
  libraries.solve_lower(Side::right, Transposed::yes, n_, members, system.data(), members, c_.data(), n_);
  cross_ = DeviceArray<double>(count * count, stream);
  check(cudaMemcpyAsync(cross_.data(), covariance_.data(), count * count * sizeof(double), cudaMemcpyDeviceToDevice,
                        stream),
        "a copy within it");
  scale_columns(cross_.data(), roots.data(), count, count, stream);
  libraries.solve_lower(Side::right, Transposed::yes, members, members, system.data(), members, cross_.data(), members);
  solve_ = DeviceArray<double>(count * count, stream);
  make_diagonal(roots.data(), count, solve_.data(), stream);
  libraries.solve_lower(Side::left, Transposed::no, members, members, system.data(), members, solve_.data(), members);
  return true;
}

}  // namespace cavity::cuda
