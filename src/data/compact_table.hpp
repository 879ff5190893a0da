// Features in their file's own form. Whatever is needed between the file and the solvers goes by columns, so that no
// dense matrix is ever made: moments, row lengths, and a design over the columns that inference sees.
#pragma once

#include <memory>

#include "data/column_moments.hpp"
#include "design/design.hpp"
#include "design/scaled_columns.hpp"

namespace cavity {

class CompactTable {
 public:
  virtual ~CompactTable() = default;

  virtual std::size_t samples() const = 0;
  virtual std::size_t features() const = 0;

  /// Copies of an allele, 0 to 2: filters by its frequency make sense.
  virtual bool genotypes() const { return false; }

  /// Bytes that the values take, for the summary.
  virtual std::size_t bytes() const = 0;

  /// Of the columns [first, last), missing values left out. All values are finite or missing: the reader has seen to
  /// it.
  virtual data::ColumnMoments moments(std::size_t first, std::size_t last, ThreadPool& pool) const = 0;

  /// sum_l (scale_l (value - centre_l))^2 for every sample, over the columns of all processes, of which these are one's
  /// own; a missing value stands at its centre.
  virtual std::vector<double> row_squares(const ScaledColumns& columns, ThreadPool& pool,
                                          const Shards& shards) const = 0;

  /// The design over those columns; a missing value stands at its centre. The table must outlive it.
  virtual std::unique_ptr<Design> design(ScaledColumns columns, std::vector<double> row_scale) const = 0;

  /// The values of some columns as a dense matrix, NaN where missing. Throws InputError when that is beyond memory.
  virtual FeatureMatrix dense(std::span<const std::uint32_t> columns) const = 0;
};

}  // namespace cavity
