// A sparse table over compressed columns, and how they are made.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "table/table.hpp"

namespace cavity {

class SparseTable final : public Table {
 public:
  explicit SparseTable(CompressedColumns values) : values_(std::move(values)) {}

  /// A column that the file does not have: all zeros. Only for new rows of a model.
  static constexpr std::uint32_t zeros = UINT32_MAX;

  std::size_t samples() const override { return values_.samples; }
  std::size_t features() const override { return values_.start.size() - 1; }
  bool sparse() const override { return true; }
  std::size_t stored() const { return values_.value.size(); }
  std::size_t bytes() const override {
    return stored() * (sizeof(float) + sizeof(std::uint32_t)) + values_.start.size() * sizeof(std::uint64_t);
  }
  ColumnMoments moments(std::size_t first, std::size_t last, ThreadPool& pool) const override;
  std::vector<double> row_squares(const ScaledColumns& columns, ThreadPool& pool, const Shards& shards) const override;
  const CompressedColumns& values() const { return values_; }
  CompressedColumns& values() { return values_; }
  FeatureMatrix dense(std::span<const std::uint32_t> columns) const override;

 private:
  CompressedColumns values_;
};

/// Fills compressed columns in two passes over the entries of a file: count() each, start_filling(), add() each again.
class ColumnBuilder {
 public:
  /// `stored`: how many values there will be at most. InputError with `path` when nothing is there, or more than
  /// memory.
  ColumnBuilder(std::size_t samples, std::size_t columns, std::size_t stored, const std::string& path);
  void count(std::size_t column) { ++next_[column]; }
  void start_filling();
  void add(std::size_t row, std::size_t column, float value);
  CompressedColumns take() { return std::move(made_); }

 private:
  std::vector<std::uint64_t> next_;  // a column's values, then where the next of them goes
  CompressedColumns made_;
};

/// Puts the rows of every column in ascending order; returns a (row, column) that is stored twice, if there is one.
std::optional<std::pair<std::size_t, std::size_t>> sort_rows(CompressedColumns& values);

/// std::invalid_argument, with the sizes, unless starts and rows ascend within bounds.
void check_columns(const CompressedColumns& values);

/// Few enough stored values that the sparse form pays in memory and in time.
bool worth_sparse(std::size_t stored, std::size_t samples, std::size_t columns);

void assign_sparse(Dataset& dataset, CompressedColumns values);

}  // namespace cavity
