// Dense design over float32 columns that lie one after the other in a mapped file. Products go through the columns in
// the order of the file, window by window, so that a table larger than memory streams past. NaN is a missing value and
// stands at its centre.
#pragma once

#include "design/tiled_design.hpp"
#include "table/column_values.hpp"
#include "table/scaled_columns.hpp"

namespace cavity {

class ColumnDesign final : public TiledDesign {
 public:
  ColumnDesign(ColumnValues values, ScaledColumns columns, std::vector<double> row_scale);

  std::size_t samples() const override { return values_.samples; }
  std::size_t features() const override { return columns_.count(); }
  void columns(std::span<const std::size_t> which, Matrix& out) const override;

 private:
  void do_times(std::span<const double> v, std::span<double> out, Precision precision, ThreadPool& pool) const override;
  void do_transpose_times(std::span<const double> u, std::span<double> out, Precision precision,
                          ThreadPool& pool) const override;
  void do_squared_times(std::span<const double> v, std::span<double> out, ThreadPool& pool) const override;
  void do_squared_transpose_times(std::span<const double> u, std::span<double> out, ThreadPool& pool) const override;
  // Entries to the power 1 or 2.
  template <int power>
  void add_columns(std::span<const double> v, std::span<double> out, ThreadPool& pool) const;
  template <int power>
  void dot_columns(std::span<const double> u, std::span<double> out, ThreadPool& pool) const;
  std::size_t bytes() const { return features() * samples() * sizeof(float); }
  double entry(std::size_t sample, std::size_t feature) const;
  void pack_samples(std::size_t first_sample, std::size_t first_feature, std::size_t depth,
                    double* tile) const override;
  void pack_features(std::size_t first_feature, std::size_t first_sample, std::size_t depth,
                     double* tile) const override;
  void done_with(std::size_t first, std::size_t last) const override;

  ColumnValues values_;
  ScaledColumns columns_;
  std::vector<double> row_scale_;
};

}  // namespace cavity
