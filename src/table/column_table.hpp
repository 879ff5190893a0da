// A float32 table whose columns lie one after the other in a mapped file (a Fortran-ordered .npy): it may be larger
// than memory, or each process may touch only its own columns.
#pragma once

#include <memory>

#include "file/bytes.hpp"
#include "table/column_values.hpp"
#include "table/table.hpp"

namespace cavity {

class ColumnTable final : public Table {
 public:
  ColumnTable(std::shared_ptr<const Bytes> file, ColumnValues values) : file_(std::move(file)), values_(values) {}

  std::size_t samples() const override { return values_.samples; }
  std::size_t features() const override { return values_.columns; }
  std::size_t bytes() const override { return values_.samples * values_.columns * sizeof(float); }
  ColumnMoments moments(std::size_t first, std::size_t last, ThreadPool& pool) const override;
  std::vector<double> row_squares(const ScaledColumns& columns, ThreadPool& pool, const Shards& shards) const override;
  const ColumnValues& values() const { return values_; }
  FeatureMatrix dense(std::span<const std::uint32_t> columns) const override;

 private:
  std::shared_ptr<const Bytes> file_;
  ColumnValues values_;
};

}  // namespace cavity
