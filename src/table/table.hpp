// How a feature table is held. Whatever is needed of it between a file and the solvers goes by columns, so that a
// sparse or packed table never becomes a dense matrix; products are the designs' (src/design).
#pragma once

#include <span>
#include <vector>

#include "base/shards.hpp"
#include "base/threads.hpp"
#include "cavity/dataset.hpp"
#include "table/column_moments.hpp"
#include "table/scaled_columns.hpp"

namespace cavity {

class Table {
 public:
  virtual ~Table() = default;

  virtual std::size_t samples() const = 0;
  virtual std::size_t features() const = 0;

  /// Few values are stored, and rows and columns are uneven: text, counts of rare things.
  virtual bool sparse() const { return false; }

  /// Copies of an allele, 0 to 2: filters by its frequency make sense.
  virtual bool genotypes() const { return false; }

  /// Bytes that the values take, for the summary.
  virtual std::size_t bytes() const = 0;

  /// Of the columns [first, last), missing values left out. A column that holds an infinite value has a mean that is
  /// not finite.
  virtual ColumnMoments moments(std::size_t first, std::size_t last, ThreadPool& pool) const = 0;

  /// sum_l (scale_l (value - centre_l))^2 for every sample, over the columns of all processes, of which these are one's
  /// own; a missing value stands at its centre.
  virtual std::vector<double> row_squares(const ScaledColumns& columns, ThreadPool& pool,
                                          const Shards& shards) const = 0;

  /// The values of some columns as a dense matrix, NaN where missing. Throws InputError when that is beyond memory.
  virtual FeatureMatrix dense(std::span<const std::uint32_t> columns) const = 0;
};

}  // namespace cavity
