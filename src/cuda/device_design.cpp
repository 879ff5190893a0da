#include "cuda/device_design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cavity/errors.hpp"
#include "cuda/device_gaussian.hpp"
#include "cuda/kernels/matrix_work.hpp"

namespace cavity::cuda {

DeviceDesign::DeviceDesign(const Device& device, const Shards& shards, std::unique_ptr<const Design> host,
                           std::unique_ptr<const DeviceValues> values)
    : device_(device), shards_(shards), host_(std::move(host)), values_(std::move(values)) {}

void DeviceDesign::require_resident() const {
  if (values_->resident()) return;
  throw IoError(
      fmt::format("EP needs the whole table on the device, and {} x {} does not fit beside what it needs itself "
                  "({:.1f} of {:.1f} GB are free): use `solver=gamp`, which is sent the table in every pass, or fewer "
                  "features",
                  samples(), features(), static_cast<double>(device_.free_bytes()) / 1e9,
                  static_cast<double>(device_.total_bytes()) / 1e9));
}

// Below half as many features as samples, factors of features x features on the processor are less work.
std::unique_ptr<GaussianForm> DeviceDesign::gaussian(const Problem& problem, ThreadPool& pool) const {
  require_resident();
  if (2 * features() < samples()) return nullptr;
  return std::make_unique<DeviceGaussian>(device_, *values_, problem, pool);
}

void DeviceDesign::do_times(std::span<const double> v, std::span<double> out, Precision precision,
                            ThreadPool& pool) const {
  values_->times({v, {}}, {out, {}}, precision, pool);
}

void DeviceDesign::do_transpose_times(std::span<const double> u, std::span<double> out, Precision precision,
                                      ThreadPool& pool) const {
  values_->transpose_times({u, {}}, {out, {}}, precision, pool);
}

void DeviceDesign::do_times_both(const TwoWeights& v, const TwoProducts& out, Precision precision,
                                 ThreadPool& pool) const {
  values_->times(v, out, precision, pool);
}

void DeviceDesign::do_transpose_times_both(const TwoWeights& u, const TwoProducts& out, Precision precision,
                                           ThreadPool& pool) const {
  values_->transpose_times(u, out, precision, pool);
}

// Both kinds take one pass: the plain one is thrown away.
void DeviceDesign::do_squared_times(std::span<const double> v, std::span<double> out, ThreadPool& pool) const {
  std::vector<double> unused(out.size());
  values_->times({v, v}, {unused, out}, Precision::full, pool);
}

void DeviceDesign::do_squared_transpose_times(std::span<const double> u, std::span<double> out,
                                              ThreadPool& pool) const {
  std::vector<double> unused(out.size());
  values_->transpose_times({u, u}, {unused, out}, Precision::full, pool);
}

std::size_t panel_width(std::size_t features) {
  constexpr std::size_t whole = 64;  // what the products' tiles like
  const std::size_t panels = (features + panel_features - 1) / panel_features;
  return std::min(features, ((features + panels - 1) / panels + whole - 1) / whole * whole);
}

void device_gram(const Device& device, const DeviceValues& values, const double* row, const double* root, double* out,
                 const GramScale& by) {
  const std::size_t samples = values.samples(), features = values.features();
  const std::size_t width = panel_width(features);
  DeviceArray<double> panel(samples * width, device.stream());
  const int n = static_cast<int>(samples);
  for (std::size_t first = 0; first < features; first += width) {
    const std::size_t count = std::min(width, features - first);
    values.write_panel(first, count, {row, root + first}, panel.data());
    const int k = static_cast<int>(count);
    device.libraries().gram(n, k, by.scale, {panel.data(), k}, first == 0 ? by.keep : 1, {out, n});
  }
}

void DeviceDesign::do_gram(std::span<const double> t, Matrix& out, Precision, ThreadPool&) const {
  require_resident();
  const std::lock_guard hold(device_.lock());
  const cudaStream_t stream = device_.stream();
  const DeviceArray<double> ones(std::vector<double>(samples(), 1.0), stream);
  DeviceArray<double> gram(samples() * samples(), stream);
  gram.clear();
  for (const double sign : {1.0, -1.0}) {
    std::vector<double> root(t.size());
    std::transform(t.begin(), t.end(), root.begin(), [sign](double x) { return std::sqrt(std::max(sign * x, 0.0)); });
    if (std::ranges::all_of(root, [](double x) { return x == 0; })) continue;
    const DeviceArray<double> roots(root, stream);
    device_gram(device_, *values_, ones.data(), roots.data(), gram.data(), {sign, 1});
  }
  mirror_lower(gram.data(), samples(), stream);
  out.resize(static_cast<Eigen::Index>(samples()), static_cast<Eigen::Index>(samples()));
  gram.to_host({out.data(), gram.size()});
}

void DeviceDesign::do_quadratic(const Matrix& w, std::span<double> out, Precision, ThreadPool&) const {
  require_resident();
  const std::lock_guard hold(device_.lock());
  const cudaStream_t stream = device_.stream();
  const Matrix whole = w.selfadjointView<Eigen::Lower>();
  const std::size_t m = samples(), width = panel_width(features());
  const DeviceArray<double> ones(std::vector<double>(std::max(m, features()), 1.0), stream);
  const DeviceArray<double> weights(std::span(whole.data(), m * m), stream);
  DeviceArray<double> panel(m * width, stream), product(m * width, stream), q(features(), stream),
      work(row_sum_parts * width, stream);
  q.clear();
  const int n = static_cast<int>(m);
  for (std::size_t first = 0; first < features(); first += width) {
    const std::size_t count = std::min(width, features() - first);
    const int k = static_cast<int>(count);
    values_->write_panel(first, count, {ones.data(), ones.data()}, panel.data());
    device_.libraries().multiply({k, n, n}, 1, {panel.data(), k}, {weights.data(), n}, 0, {product.data(), k});
    add_row_products(panel.data(), product.data(), count, m, 1, q.data() + first, work.data(), stream);
  }
  q.to_host(out);
}

}  // namespace cavity::cuda
