// Floor: sweep, times and transpose_times read the matrix once (bandwidth). Nothing here is larger than O(features)
// beside the matrix.
#include "design/dense_design.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/batch_kernels.hpp"
#include "kernels/dense_kernels.hpp"
#include "kernels/square_kernels.hpp"

namespace cavity {

using kernels::row_group;
using kernels::tile_width;

namespace {

// Samples are cut into this many ranges at most; each has its own sum, added up in order (see base/threads.hpp).
constexpr std::size_t max_ranges = 8;
constexpr std::size_t smallest_range = 32;
constexpr std::size_t block_width = 4096;  // features whose sums over samples stay in the first-level cache

std::size_t range_count(std::size_t samples) {
  return std::clamp<std::size_t>(samples / smallest_range, 1, max_ranges);
}

}  // namespace

DenseDesign::DenseDesign(FeatureView values, std::vector<double> centre, std::vector<double> scale,
                         std::vector<double> row_scale, std::size_t most_in_tiles)
    : TiledDesign(values.samples, values.features, most_in_tiles),
      values_(values),
      centre_(std::move(centre)),
      scale_(std::move(scale)),
      row_scale_(std::move(row_scale)),
      single_(centre_, scale_) {
  check(centre_.size(), features(), "centres");
  check(scale_.size(), features(), "scales");
  check(row_scale_.size(), samples(), "row scales");
  constexpr double far = 4;  // deviations
  for (std::size_t l = 0; l < features(); ++l)
    if (!(std::abs(centre_[l] * scale_[l]) <= far)) near_zero_ = false;
}

DenseDesign::DenseDesign(FeatureView values)
    : DenseDesign(values, std::vector<double>(values.features, 0), std::vector<double>(values.features, 1),
                  std::vector<double>(values.samples, 1)) {}

double DenseDesign::entry(std::size_t sample, std::size_t feature) const {
  return row_scale_[sample] * scale_[feature] *
         (static_cast<double>(values_.values[sample * values_.stride + feature]) - centre_[feature]);
}

// Values far from zero beside their spread would lose it to rounding.
DenseDesign::RowsAdder DenseDesign::rows_adder(Precision precision) const {
  return precision == Precision::rough && near_zero_ ? kernels::add_rows : kernels::axpy_rows;
}

// X v = r (values (s v) - c.(s v)),  X^T u = s (values^T (r u) - c sum(r u)): the affine part never touches the matrix.
void DenseDesign::do_times(std::span<const double> v, std::span<double> out, Precision, ThreadPool& pool) const {
  std::vector<double> scaled(features());
  for (std::size_t l = 0; l < features(); ++l) scaled[l] = scale_[l] * v[l];
  const double shift = std::inner_product(centre_.begin(), centre_.end(), scaled.begin(), 0.0);
  const std::size_t ranges = range_count(samples());
  pool.run(ranges, [&](std::size_t range) {
    const std::size_t end = samples() * (range + 1) / ranges;
    for (std::size_t mu = samples() * range / ranges; mu < end; mu += row_group) {
      const std::size_t count = std::min(row_group, end - mu);
      kernels::dot_rows(values_.values + mu * values_.stride, values_.stride, count, scaled.data(), features(),
                        &out[mu]);
      for (std::size_t r = 0; r < count; ++r) out[mu + r] = row_scale_[mu + r] * (out[mu + r] - shift);
    }
  });
}

void DenseDesign::do_transpose_times(std::span<const double> u, std::span<double> out, Precision precision,
                                     ThreadPool& pool) const {
  const auto add_rows = rows_adder(precision);
  std::vector<double> scaled(samples());
  double total = 0;
  for (std::size_t mu = 0; mu < samples(); ++mu) total += scaled[mu] = row_scale_[mu] * u[mu];
  pool.run((features() + block_width - 1) / block_width, [&](std::size_t block) {
    const std::size_t first = block * block_width, n = std::min(block_width, features() - first);
    std::fill_n(out.begin() + static_cast<std::ptrdiff_t>(first), n, 0.0);
    for (std::size_t mu = 0; mu < samples(); mu += row_group)
      add_rows(values_.values + mu * values_.stride + first, values_.stride, std::min(row_group, samples() - mu),
               &scaled[mu], n, &out[first]);
    for (std::size_t l = first; l < first + n; ++l) out[l] = scale_[l] * (out[l] - centre_[l] * total);
  });
}

void DenseDesign::do_squared_times(std::span<const double> v, std::span<double> out, ThreadPool& pool) const {
  std::vector<double> scaled(features());
  for (std::size_t l = 0; l < features(); ++l) scaled[l] = scale_[l] * scale_[l] * v[l];
  const std::size_t ranges = range_count(samples());
  pool.run(ranges, [&](std::size_t range) {
    const std::size_t end = samples() * (range + 1) / ranges;
    for (std::size_t mu = samples() * range / ranges; mu < end; mu += row_group) {
      const std::size_t count = std::min(row_group, end - mu);
      kernels::dot_squares({values_.values + mu * values_.stride, values_.stride, count}, centre_.data(), scaled.data(),
                           features(), &out[mu]);
      for (std::size_t r = 0; r < count; ++r) out[mu + r] *= row_scale_[mu + r] * row_scale_[mu + r];
    }
  });
}

void DenseDesign::do_squared_transpose_times(std::span<const double> u, std::span<double> out, ThreadPool& pool) const {
  std::vector<double> scaled(samples());
  for (std::size_t mu = 0; mu < samples(); ++mu) scaled[mu] = row_scale_[mu] * row_scale_[mu] * u[mu];
  pool.run((features() + block_width - 1) / block_width, [&](std::size_t block) {
    const std::size_t first = block * block_width, n = std::min(block_width, features() - first);
    std::fill_n(out.begin() + static_cast<std::ptrdiff_t>(first), n, 0.0);
    for (std::size_t mu = 0; mu < samples(); mu += row_group)
      kernels::add_squares(
          {values_.values + mu * values_.stride + first, values_.stride, std::min(row_group, samples() - mu)},
          &centre_[first], &scaled[mu], n, &out[first]);
    for (std::size_t l = first; l < first + n; ++l) out[l] *= scale_[l] * scale_[l];
  });
}

void DenseDesign::do_sweep(std::span<const double> v, const Reaction& react, std::span<double> out, Scratch& scratch,
                           Precision precision, ThreadPool& pool) const {
  const auto add_rows = rows_adder(precision);
  const std::size_t n = features(), ranges = range_count(samples());
  double* scaled = scratch.doubles((ranges + 1) * n);
  double* sums = scaled + n;  // one a range
  for (std::size_t l = 0; l < n; ++l) scaled[l] = scale_[l] * v[l];
  const double shift = std::inner_product(centre_.begin(), centre_.end(), scaled, 0.0);
  double totals[max_ranges] = {};
  pool.run(ranges, [&](std::size_t range) {
    double* sum = sums + range * n;
    std::fill_n(sum, n, 0.0);
    double group[row_group];
    const std::size_t end = samples() * (range + 1) / ranges;
    for (std::size_t mu = samples() * range / ranges; mu < end; mu += row_group) {
      const std::size_t count = std::min(row_group, end - mu);
      const float* rows = values_.values + mu * values_.stride;
      kernels::dot_rows(rows, values_.stride, count, scaled, n, group);
      for (std::size_t r = 0; r < count; ++r) group[r] = row_scale_[mu + r] * (group[r] - shift);
      react(mu, {group, count});
      for (std::size_t r = 0; r < count; ++r) totals[range] += group[r] *= row_scale_[mu + r];
      add_rows(rows, values_.stride, count, group, n, sum);
    }
  });
  const double total = std::accumulate(totals, totals + ranges, 0.0);
  for (std::size_t l = 0; l < n; ++l) {
    double sum = 0;
    for (std::size_t range = 0; range < ranges; ++range) sum += sums[range * n + l];
    out[l] = scale_[l] * (sum - centre_[l] * total);
  }
}

void DenseDesign::pack_samples(std::size_t first_sample, std::size_t first_feature, std::size_t depth,
                               double* tile) const {
  const std::size_t count = std::min(tile_width, samples() - first_sample);
  if (count < tile_width) std::fill_n(tile, depth * tile_width, 0.0);
  for (std::size_t i = 0; i < count; ++i) {
    const float* row = values_.values + (first_sample + i) * values_.stride + first_feature;
    const double r = row_scale_[first_sample + i];
    for (std::size_t k = 0; k < depth; ++k)
      tile[k * tile_width + i] =
          r * scale_[first_feature + k] * (static_cast<double>(row[k]) - centre_[first_feature + k]);
  }
}

void DenseDesign::pack_features(std::size_t first_feature, std::size_t first_sample, std::size_t depth,
                                double* tile) const {
  const std::size_t count = std::min(tile_width, features() - first_feature);
  if (count < tile_width) std::fill_n(tile, depth * tile_width, 0.0);
  for (std::size_t k = 0; k < depth; ++k) {
    const float* row = values_.values + (first_sample + k) * values_.stride + first_feature;
    const double r = row_scale_[first_sample + k];
    for (std::size_t i = 0; i < count; ++i)
      tile[k * tile_width + i] =
          r * scale_[first_feature + i] * (static_cast<double>(row[i]) - centre_[first_feature + i]);
  }
}

void DenseDesign::columns(std::span<const std::size_t> which, Matrix& out) const {
  out.resize(static_cast<Eigen::Index>(samples()), static_cast<Eigen::Index>(which.size()));
  for (std::size_t mu = 0; mu < samples(); ++mu)
    for (std::size_t j = 0; j < which.size(); ++j)
      out(static_cast<Eigen::Index>(mu), static_cast<Eigen::Index>(j)) = entry(mu, which[j]);
}

}  // namespace cavity
