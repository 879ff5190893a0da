// Floor: each product reads the table once, from memory or from the disk.
#include "design/column_design.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "file/pages.hpp"
#include "kernels/dense_kernels.hpp"

namespace cavity {

using kernels::tile_width;

namespace {

constexpr std::size_t max_ranges = 8;  // of a window's columns: each has its own sums over the samples

template <int power>
double raised(double x) {
  return power == 2 ? x * x : x;
}

}  // namespace

ColumnDesign::ColumnDesign(ColumnValues values, ScaledColumns columns, std::vector<double> row_scale)
    : TiledDesign(values.samples, columns.count(), std::size_t{1} << 23),
      values_(values),
      columns_(std::move(columns)),
      row_scale_(std::move(row_scale)) {
  check(columns_.centre.size(), features(), "centres");
  check(columns_.scale.size(), features(), "scales");
  check(row_scale_.size(), samples(), "row scales");
}

double ColumnDesign::entry(std::size_t sample, std::size_t feature) const {
  const auto value = static_cast<double>(values_.column(columns_.column[feature])[sample]);
  if (std::isnan(value)) return 0;
  return row_scale_[sample] * columns_.scale[feature] * (value - columns_.centre[feature]);
}

template <int power>
void ColumnDesign::add_columns(std::span<const double> v, std::span<double> out, ThreadPool& pool) const {
  const std::size_t m = samples();
  std::vector<double> sums(max_ranges * m, 0);
  for_each_window(values_, columns_.column, [&](std::size_t begin, std::size_t end) {
    pool.run(max_ranges, [&](std::size_t range) {
      double* sum = sums.data() + range * m;
      const std::size_t count = end - begin;
      for (std::size_t l = begin + count * range / max_ranges; l < begin + count * (range + 1) / max_ranges; ++l) {
        const float* column = values_.column(columns_.column[l]);
        const double weight = raised<power>(columns_.scale[l]) * v[l], centre = columns_.centre[l];
        if (weight == 0) continue;
        for (std::size_t mu = 0; mu < m; ++mu) {
          const double x = static_cast<double>(column[mu]) - centre;
          sum[mu] += std::isnan(x) ? 0 : weight * raised<power>(x);
        }
      }
    });
  });
  for (std::size_t mu = 0; mu < m; ++mu) {
    double sum = 0;
    for (std::size_t range = 0; range < max_ranges; ++range) sum += sums[range * m + mu];
    out[mu] = raised<power>(row_scale_[mu]) * sum;
  }
}

template <int power>
void ColumnDesign::dot_columns(std::span<const double> u, std::span<double> out, ThreadPool& pool) const {
  const std::size_t m = samples();
  std::vector<double> scaled(m);
  for (std::size_t mu = 0; mu < m; ++mu) scaled[mu] = raised<power>(row_scale_[mu]) * u[mu];
  for_each_window(values_, columns_.column, [&](std::size_t begin, std::size_t end) {
    constexpr std::size_t block = 64;
    pool.run((end - begin + block - 1) / block, [&](std::size_t b) {
      for (std::size_t l = begin + b * block; l < std::min(end, begin + (b + 1) * block); ++l) {
        const float* column = values_.column(columns_.column[l]);
        double sum = 0;
        for (std::size_t mu = 0; mu < m; ++mu) {
          const double x = static_cast<double>(column[mu]) - columns_.centre[l];
          sum += std::isnan(x) ? 0 : raised<power>(x) * scaled[mu];
        }
        out[l] = raised<power>(columns_.scale[l]) * sum;
      }
    });
  });
}

void ColumnDesign::do_times(std::span<const double> v, std::span<double> out, Precision, ThreadPool& pool) const {
  add_columns<1>(v, out, pool);
}

void ColumnDesign::do_transpose_times(std::span<const double> u, std::span<double> out, Precision,
                                      ThreadPool& pool) const {
  dot_columns<1>(u, out, pool);
}

void ColumnDesign::do_squared_times(std::span<const double> v, std::span<double> out, ThreadPool& pool) const {
  add_columns<2>(v, out, pool);
}

void ColumnDesign::do_squared_transpose_times(std::span<const double> u, std::span<double> out,
                                              ThreadPool& pool) const {
  dot_columns<2>(u, out, pool);
}

void ColumnDesign::pack_samples(std::size_t first_sample, std::size_t first_feature, std::size_t depth,
                                double* tile) const {
  for (std::size_t k = 0; k < depth; ++k)
    for (std::size_t i = 0; i < tile_width; ++i)
      tile[k * tile_width + i] = first_sample + i < samples() ? entry(first_sample + i, first_feature + k) : 0;
}

void ColumnDesign::pack_features(std::size_t first_feature, std::size_t first_sample, std::size_t depth,
                                 double* tile) const {
  for (std::size_t i = 0; i < tile_width; ++i)
    for (std::size_t k = 0; k < depth; ++k)
      tile[k * tile_width + i] = first_feature + i < features() ? entry(first_sample + k, first_feature + i) : 0;
}

void ColumnDesign::done_with(std::size_t first, std::size_t last) const {
  if (bytes() <= values_.most_resident || first >= last) return;
  const float* from = values_.column(columns_.column[first]);
  const float* to = values_.column(columns_.column[last - 1]) + samples();
  release_pages(from, static_cast<std::size_t>(to - from) * sizeof(float));
}

void ColumnDesign::columns(std::span<const std::size_t> which, Matrix& out) const {
  out.resize(static_cast<Eigen::Index>(samples()), static_cast<Eigen::Index>(which.size()));
  for (std::size_t j = 0; j < which.size(); ++j)
    for (std::size_t mu = 0; mu < samples(); ++mu)
      out(static_cast<Eigen::Index>(mu), static_cast<Eigen::Index>(j)) = entry(mu, which[j]);
}

}  // namespace cavity
