// A dense table: a row-major float32 matrix, its own or borrowed.
#pragma once

#include <utility>

#include "table/table.hpp"

namespace cavity {

class DenseTable : public Table {
 public:
  explicit DenseTable(FeatureMatrix matrix) : values(std::move(matrix)) {}

  std::size_t samples() const override { return values.rows; }
  std::size_t features() const override { return values.cols; }
  std::size_t bytes() const override { return values.rows * values.cols * sizeof(float); }
  ColumnMoments moments(std::size_t first, std::size_t last, ThreadPool& pool) const override {
    return column_moments(values, first, last, pool);
  }
  std::vector<double> row_squares(const ScaledColumns& columns, ThreadPool& pool, const Shards& shards) const override;
  FeatureMatrix dense(std::span<const std::uint32_t> columns) const override;

  FeatureMatrix values;
};

}  // namespace cavity
