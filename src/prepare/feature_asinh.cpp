#include "prepare/feature_asinh.hpp"

#include <algorithm>
#include <cmath>

#include "prepare/row_blocks.hpp"

namespace cavity {

namespace {

constexpr std::size_t columns_at_once = 64;

/// Mean of the two middle values for an even count; reorders `values`.
double median_of(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return values.size() % 2 == 1 ? *middle : 0.5 * (*std::max_element(values.begin(), middle) + *middle);
}

/// `values` are those of the column, reordered.
double spread_around(double median, std::vector<double>& values) {
  double mean = 0;
  for (double& value : values) {
    value = std::abs(value - median);
    mean += value / static_cast<double>(values.size());
  }
  const double half = 1.4826 * median_of(values);
  return half > 0 ? half : mean > 0 ? 1.2533 * mean : 1;
}

}  // namespace

FeatureAsinh fit_feature_asinh(const FeatureMatrix& values, ThreadPool& pool) {
  FeatureAsinh out{std::vector<double>(values.cols), std::vector<double>(values.cols)};
  pool.run((values.cols + columns_at_once - 1) / columns_at_once, [&](std::size_t block) {
    std::vector<double> column(values.rows);
    for (std::size_t l = block * columns_at_once; l < std::min(values.cols, (block + 1) * columns_at_once); ++l) {
      for (std::size_t mu = 0; mu < values.rows; ++mu) column[mu] = values.row(mu)[l];
      out.median[l] = median_of(column);
      out.spread[l] = spread_around(out.median[l], column);
    }
  });
  return out;
}

void take_feature_asinh(const FeatureAsinh& asinh, FeatureMatrix& values, ThreadPool& pool) {
  values.own();
  pool.run(row_blocks(values.rows), [&](std::size_t block) {
    for_rows(block, values.rows, [&](std::size_t mu) {
      float* row = values.row(mu);
      for (std::size_t l = 0; l < values.cols; ++l)
        row[l] = static_cast<float>(std::asinh((row[l] - asinh.median[l]) / asinh.spread[l]));
    });
  });
}

}  // namespace cavity
