#include "table/column_table.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "table/matrix_size.hpp"

namespace cavity {

ColumnMoments ColumnTable::moments(std::size_t first, std::size_t last, ThreadPool& pool) const {
  const std::size_t n = last - first;
  ColumnMoments out{std::vector<double>(n), std::vector<double>(n), std::vector<std::uint32_t>(n),
                    std::vector<std::uint8_t>(n)};
  std::vector<std::uint32_t> all(n);
  std::iota(all.begin(), all.end(), static_cast<std::uint32_t>(first));
  for_each_window(values_, all, [&](std::size_t begin, std::size_t end) {
    pool.run(end - begin, [&](std::size_t i) {
      const std::size_t l = begin + i;
      const ColumnMoment moment = column_moment({values_.column(first + l), values_.samples});
      out.mean[l] = moment.mean;
      out.deviation[l] = moment.deviation;
      out.missing[l] = moment.missing;
      out.constant[l] = moment.constant;
    });
  });
  return out;
}

std::vector<double> ColumnTable::row_squares(const ScaledColumns& columns, ThreadPool&, const Shards& shards) const {
  std::vector<double> out(samples(), 0);
  for_each_window(values_, columns.column, [&](std::size_t begin, std::size_t end) {
    for (std::size_t l = begin; l < end; ++l) {
      const float* column = values_.column(columns.column[l]);
      for (std::size_t mu = 0; mu < out.size(); ++mu) {
        const double x = columns.scale[l] * (static_cast<double>(column[mu]) - columns.centre[l]);
        if (!std::isnan(x)) out[mu] += x * x;
      }
    }
  });
  shards.sum(out);
  return out;
}

FeatureMatrix ColumnTable::dense(std::span<const std::uint32_t> columns) const {
  FeatureMatrix out = allocate_features(samples(), columns.size(), "a dense form of a table in a file");
  for (std::size_t l = 0; l < columns.size(); ++l)
    for (std::size_t mu = 0; mu < out.rows; ++mu) out.row(mu)[l] = values_.column(columns[l])[mu];
  return out;
}

}  // namespace cavity
