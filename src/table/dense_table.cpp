#include "table/dense_table.hpp"

#include <algorithm>
#include <cmath>

#include "table/matrix_size.hpp"

namespace cavity {

std::vector<double> DenseTable::row_squares(const ScaledColumns& columns, ThreadPool& pool,
                                            const Shards& shards) const {
  constexpr std::size_t block = 16;  // rows
  std::vector<double> out(values.rows, 0);
  pool.run((values.rows + block - 1) / block, [&](std::size_t b) {
    for (std::size_t i = b * block; i < std::min(values.rows, (b + 1) * block); ++i) {
      const float* row = values.row(i);
      for (std::size_t l = 0; l < columns.count(); ++l) {
        const double x = (row[columns.column[l]] - columns.centre[l]) * columns.scale[l];
        if (!std::isnan(x)) out[i] += x * x;
      }
    }
  });
  shards.sum(out);
  return out;
}

FeatureMatrix DenseTable::dense(std::span<const std::uint32_t> columns) const {
  FeatureMatrix out = allocate_features(values.rows, columns.size(), "a part of a table");
  for (std::size_t i = 0; i < values.rows; ++i)
    for (std::size_t l = 0; l < columns.size(); ++l) out.row(i)[l] = values.row(i)[columns[l]];
  return out;
}

}  // namespace cavity
