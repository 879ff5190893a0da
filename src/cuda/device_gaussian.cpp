#include "cuda/device_gaussian.hpp"

#include <algorithm>
#include <cmath>

#include "cuda/device_design.hpp"
#include "cuda/kernels/matrix_work.hpp"

namespace cavity::cuda {

namespace {

// Rows of R's triangle that are multiplied at a time: of eight blocks 9/16 of the square's products are left, but below
// so many rows the products slow down.
constexpr std::size_t row_blocks = 8, fewest_rows = 1024;

std::vector<double> from(const Vector& v) { return {v.data(), v.data() + v.size()}; }

}  // namespace

DeviceGaussian::DeviceGaussian(const Device& device, const DeviceValues& values, const Problem& problem,
                               ThreadPool& pool)
    : device_(device),
      values_(values),
      problem_(problem),
      pool_(pool),
      n_(static_cast<int>(values.samples())),
      scale_(problem),
      z_(signed_covariates(problem)),
      sign_(from(scale_.sign), device.stream()) {
  const std::size_t square = values.samples() * values.samples();
  k_ = DeviceArray<double>(square, device.stream());
  r_ = DeviceArray<double>(square, device.stream());
}

/// W v
DeviceArray<double> DeviceGaussian::times_weights(const double* vector) const {
  DeviceArray<double> half(values_.samples(), device_.stream()), out(values_.samples(), device_.stream());
  const Libraries& libraries = device_.libraries();
  libraries.multiply_vector(n_, n_, 1, {r_.data(), n_}, vector, 0, half.data());
  libraries.multiply_vector(n_, n_, 1, {r_.data(), n_, Transposed::yes}, half.data(), 0, out.data());
  return out;
}

/// u of Sigma (nu + Y^T eta) = T (nu + Y^T u + members).
struct DeviceGaussian::Means {
  std::vector<double> u, members;
};

DeviceGaussian::Means DeviceGaussian::means(GaussianMarginals& out) const {
  const cudaStream_t stream = device_.stream();
  const Libraries& libraries = device_.libraries();
  const std::size_t m = values_.samples(), samples = part_.negative.size(), splits = part_.split.size();
  const int members = member_count();
  std::vector<double> weighted(part_.t.size()), z_nu(m);
  for (std::size_t l = 0; l < weighted.size(); ++l) weighted[l] = part_.t[l] * sites_.nu[l];
  values_.times({weighted, {}}, {z_nu, {}}, Precision::full, pool_);
  for (std::size_t mu = 0; mu < m; ++mu) z_nu[mu] *= scale_.sign[static_cast<Eigen::Index>(mu)];  // Y T nu
  const DeviceArray<double> eta(sites_.eta, stream), nu_part(z_nu, stream);
  DeviceArray<double> z(z_nu, stream);
  libraries.multiply_vector(n_, n_, 1, {k_.data(), n_}, eta.data(), 1, z.data());  // Y T r
  const DeviceArray<double> wz = times_weights(z.data());
  const std::vector<double> z_host = z.to_host(), wz_host = wz.to_host();
  std::vector<double> rest(m);  // eta - W z
  for (std::size_t mu = 0; mu < m; ++mu) rest[mu] = sites_.eta[mu] - wz_host[mu];
  DeviceArray<double> u(rest, stream), field(z_nu, stream);
  Means result;
  if (members > 0) {
    DeviceArray<double> kwz(m, stream), p(samples + splits, stream), solved(samples + splits, stream),
        back(samples + splits, stream);
    libraries.multiply_vector(n_, n_, 1, {k_.data(), n_}, wz.data(), 0, kwz.data());
    std::vector<double> right(samples + splits);  // U^T Sigma_b r
    const std::vector<double> kwz_host = kwz.to_host();
    for (std::size_t i = 0; i < samples; ++i) {
      const auto mu = static_cast<std::size_t>(part_.negative[i]);
      right[i] = z_host[mu] - kwz_host[mu];
    }
    for (std::size_t i = 0; i < splits; ++i) right[samples + i] = part_.split_base[i] * part_.split_nu[i];
    p.assign(right);
    libraries.multiply_vector(n_, static_cast<int>(splits), 1, {f_.data(), n_, Transposed::yes}, u.data(), 1,
                              p.data() + samples);
    libraries.multiply_vector(members, members, 1, {solve_.data(), members}, p.data(), 0, solved.data());
    libraries.multiply_vector(members, members, 1, {solve_.data(), members, Transposed::yes}, solved.data(), 0,
                              back.data());
    libraries.multiply_vector(n_, members, 1, {c_.data(), n_}, solved.data(), 1, u.data());
    libraries.multiply_vector(n_, static_cast<int>(splits), 1, {f_.data(), n_}, back.data() + samples, 1, field.data());
    result.members = back.to_host();
  }
  libraries.multiply_vector(n_, n_, 1, {k_.data(), n_}, u.data(), 1, field.data());
  field.to_host(out.field_mean);
  result.u = u.to_host();
  return result;
}

// F - K W F is -(E - W F)/O but in a negative sample's own column, so that its product with solve^T is -c/O.
void DeviceGaussian::field_variances(GaussianMarginals& out) const {
  const cudaStream_t stream = device_.stream();
  const std::size_t m = values_.samples(), members = static_cast<std::size_t>(member_count());
  out.field_variance = own_;
  if (members == 0) return;
  DeviceArray<double> squares(std::max(m, members), stream), work(row_sum_parts * std::max(m, members), stream);
  squares.clear();
  add_row_products(c_.data(), c_.data(), m, members, 1, squares.data(), work.data(), stream);
  const std::vector<double> of_samples = squares.to_host();
  for (std::size_t mu = 0; mu < m; ++mu) out.field_variance[mu] += of_samples[mu] / positive_[mu] / positive_[mu];
  squares.clear();
  add_row_products(cross_.data(), cross_.data(), members, members, 1, squares.data(), work.data(), stream);
  const std::vector<double> of_members = squares.to_host();
  for (std::size_t i = 0; i < part_.negative.size(); ++i) {
    const auto mu = static_cast<std::size_t>(part_.negative[i]);
    out.field_variance[mu] = own_[mu] + of_members[i];
  }
}

void DeviceGaussian::covariates(const Means& means, GaussianMarginals& out) const {
  const cudaStream_t stream = device_.stream();
  const std::size_t members = static_cast<std::size_t>(member_count());
  for (Eigen::Index j = 0; j < z_.cols(); ++j) {
    const Vector column = z_.col(j);
    const DeviceArray<double> z(from(column), stream);
    DeviceArray<double> half(values_.samples(), stream), tail(members, stream);
    device_.libraries().multiply_vector(n_, n_, 1, {r_.data(), n_}, z.data(), 0, half.data());
    if (members > 0)
      device_.libraries().multiply_vector(n_, static_cast<int>(members), 1, {c_.data(), n_, Transposed::yes}, z.data(),
                                          0, tail.data());
    const double q = as_vector(half.to_host()).squaredNorm() - as_vector(tail.to_host()).squaredNorm();
    const double precision = covariate_precision(problem_, static_cast<std::size_t>(j));
    out.covariate_mean[static_cast<std::size_t>(j)] = column.dot(as_vector(means.u)) / precision;
    out.covariate_variance[static_cast<std::size_t>(j)] = (1 - q / precision) / precision;
  }
}

// t_l q_l without the split features' own share, panel by panel: rows of R's triangle in blocks, then c.
std::vector<double> DeviceGaussian::forms() const {
  const cudaStream_t stream = device_.stream();
  const Libraries& libraries = device_.libraries();
  const std::size_t m = values_.samples(), features = values_.features(), width = panel_width(features);
  const std::size_t block = std::min(m, std::max((m + row_blocks - 1) / row_blocks, fewest_rows));
  const auto members = static_cast<std::size_t>(member_count());
  DeviceArray<double> panel(m * width, stream), product(width * std::max(block, members), stream),
      work(row_sum_parts * width, stream), q(features, stream);
  q.clear();
  for (std::size_t first = 0; first < features; first += width) {
    const std::size_t count = std::min(width, features - first);
    const int k = static_cast<int>(count);
    values_.write_panel(first, count, {sign_.data(), root_t_.data() + first}, panel.data());
    for (std::size_t row = 0; row < m; row += block) {
      const std::size_t rows = std::min(block, m - row);
      libraries.multiply({k, static_cast<int>(rows), static_cast<int>(row + rows)}, 1, {panel.data(), k},
                         {r_.data() + row, n_, Transposed::yes}, 0, {product.data(), k});
      add_row_products(product.data(), product.data(), count, rows, 1, q.data() + first, work.data(), stream);
    }
    if (members == 0) continue;
    libraries.multiply({k, static_cast<int>(members), n_}, 1, {panel.data(), k}, {c_.data(), n_}, 0,
                       {product.data(), k});
    add_row_products(product.data(), product.data(), count, members, -1, q.data() + first, work.data(), stream);
  }
  return q.to_host();
}

// A split feature is a member, too: what it shares with c, and its own part.
void DeviceGaussian::add_split(const Means& means, std::vector<double>& s, std::vector<double>& q) const {
  const std::size_t samples = part_.negative.size(), splits = part_.split.size(), members = samples + splits;
  if (splits == 0) return;
  DeviceArray<double> shared(members * splits, device_.stream());  // c^T F
  device_.libraries().multiply({static_cast<int>(members), static_cast<int>(splits), n_}, 1,
                               {c_.data(), n_, Transposed::yes}, {f_.data(), n_}, 0,
                               {shared.data(), static_cast<int>(members)});
  const std::vector<double> with_c = shared.to_host(), solve = solve_.to_host();
  for (std::size_t k = 0; k < splits; ++k) {
    const double* row = solve.data() + (samples + k) * members;
    double dot = 0, square = 0;
    for (std::size_t i = 0; i < members; ++i) {
      dot += with_c[k * members + i] * row[i];
      square += row[i] * row[i];
    }
    s[part_.split[k]] += means.members[samples + k];
    q[part_.split[k]] -= 2 * dot / part_.split_base[k] + square;
  }
}

bool DeviceGaussian::solve(const GaussianSites& sites, GaussianMarginals& out) {
  const std::lock_guard hold(device_.lock());
  sites_ = sites;
  part_ = choose_members(sites, problem_.design.shards());
  log_determinant_ = part_.log_determinant;
  if (!factor()) return false;
  own_ = own_variances();
  if (member_count() > 0) {
    multiply_members();
    if (!factor_members()) return false;
  }
  const Means means = this->means(out);
  field_variances(out);
  covariates(means, out);
  std::vector<double> s(part_.t.size()), scaled(means.u.size());
  for (std::size_t mu = 0; mu < scaled.size(); ++mu)
    scaled[mu] = scale_.sign[static_cast<Eigen::Index>(mu)] * means.u[mu];
  values_.transpose_times({scaled, {}}, {s, {}}, Precision::full, pool_);
  std::vector<double> q = forms();
  for (std::size_t l = 0; l < q.size(); ++l) q[l] /= part_.t[l];
  add_split(means, s, q);
  write_features(sites_, part_.t, {s, q}, out);
  out.log_determinant = log_determinant_;
  return true;
}

void DeviceGaussian::site_covariance(SiteCovariance& out) const {
  DualGaussian host(problem_, pool_, Precision::full);
  if (host.factor(sites_)) host.site_covariance(out);
}

// As in the host's form: Sigma_b's, and what the members add.
Matrix DeviceGaussian::field_covariance(std::span<const std::size_t> samples) const {
  const std::lock_guard hold(device_.lock());
  const cudaStream_t stream = device_.stream();
  const std::size_t m = values_.samples(), count = samples.size(), members = static_cast<std::size_t>(member_count());
  const std::vector<int> list = as_ints(samples);
  const DeviceArray<int> which(list, stream);
  const DeviceArray<double> weights = weights_of(list);
  DeviceArray<double> among(count * count, stream), rows(count * members, stream);
  gather_rows(weights.data(), m, count, which.data(), count, among.data(), stream);
  if (members > 0) gather_rows(c_.data(), m, members, which.data(), count, rows.data(), stream);
  const std::vector<double> w = among.to_host(), c = rows.to_host(), cross = cross_.to_host();
  const auto size = static_cast<Eigen::Index>(count);
  Matrix out(size, size), added(size, static_cast<Eigen::Index>(members));
  for (std::size_t i = 0; i < count; ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    const double o = positive_[samples[i]];
    for (std::size_t j = 0; j < count; ++j)
      out(row, static_cast<Eigen::Index>(j)) = i == j ? own_[samples[i]] : -w[j * count + i] / o;
    const auto at = std::ranges::lower_bound(part_.negative, static_cast<Eigen::Index>(samples[i]));
    const bool own = at != part_.negative.end() && *at == static_cast<Eigen::Index>(samples[i]);
    for (std::size_t k = 0; k < members; ++k)
      added(row, static_cast<Eigen::Index>(k)) =
          own ? cross[k * members + static_cast<std::size_t>(at - part_.negative.begin())] : -c[k * count + i] / o;
  }
  out.noalias() += added * added.transpose();
  return out;
}

}  // namespace cavity::cuda
