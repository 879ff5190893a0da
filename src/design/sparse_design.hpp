// Sparse design over compressed columns that somebody else holds. The matrix stays sparse: the centres are a rank-one
// correction, X = diag(r) (V - 1 c^T) diag(s). Products cost the stored values; gram and quadratic the sum over columns
// of their squared counts.
#pragma once

#include <memory>

#include "design/design.hpp"
#include "kernels/sparse_kernels.hpp"
#include "table/scaled_columns.hpp"

namespace cavity {

/// Compressed columns, rows ascending within a column; all values finite.
struct SparseView {
  std::size_t samples;
  const std::uint64_t* start;
  const std::uint32_t* row;
  const float* value;
};

class SparseDesign final : public Design {
 public:
  /// `keeper` keeps the values alive, where nobody else does.
  SparseDesign(SparseView values, ScaledColumns columns, std::vector<double> row_scale,
               std::shared_ptr<const void> keeper = nullptr);

  std::size_t samples() const override { return values_.samples; }
  std::size_t features() const override { return columns_.count(); }
  bool even() const override { return false; }
  void sweep_many(std::span<const std::span<const double>> v, const BatchReaction& react,
                  std::span<const std::span<double>> out, Scratch& scratch, ThreadPool& pool) const override;
  void do_gram(std::span<const double> t, Matrix& out, Precision precision, ThreadPool& pool) const override;
  void do_quadratic(const Matrix& w, std::span<double> out, Precision precision, ThreadPool& pool) const override;
  void columns(std::span<const std::size_t> which, Matrix& out) const override;

 private:
  void do_times(std::span<const double> v, std::span<double> out, Precision precision, ThreadPool& pool) const override;
  void do_transpose_times(std::span<const double> u, std::span<double> out, Precision precision,
                          ThreadPool& pool) const override;
  void do_squared_times(std::span<const double> v, std::span<double> out, ThreadPool& pool) const override;
  void do_squared_transpose_times(std::span<const double> u, std::span<double> out, ThreadPool& pool) const override;
  void do_times_both(const TwoWeights& v, const TwoProducts& out, Precision precision, ThreadPool& pool) const override;
  void do_transpose_times_both(const TwoWeights& u, const TwoProducts& out, Precision precision,
                               ThreadPool& pool) const override;
  // Products with the entries, with their squares, or with both: what is not asked for is not looked at.
  template <bool plain, bool squared>
  void add_columns(const TwoWeights& v, const TwoProducts& out, ThreadPool& pool) const;
  template <bool plain, bool squared>
  void dot_columns(const TwoWeights& u, const TwoProducts& out, ThreadPool& pool) const;
  struct Entries {
    const std::uint32_t* row;
    const float* value;
    std::size_t count;
  };
  Entries entries(std::size_t feature) const;
  kernels::SparseColumns kernel_view() const {
    return {values_.start, values_.row, values_.value, columns_.column.data()};
  }

  SparseView values_;
  ScaledColumns columns_;
  std::vector<double> row_scale_;
  std::shared_ptr<const void> keeper_;
};

}  // namespace cavity
