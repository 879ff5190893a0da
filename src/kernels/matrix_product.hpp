// Products of dense double matrices at the speed of 16-wide tiles (see dense_kernels.hpp): what Eigen's own, compiled
// for any machine, does at a sixth of it. The same bits for any number of threads.
#pragma once

#include "base/matrix.hpp"
#include "base/threads.hpp"

namespace cavity {

/// A matrix, or a transposed one, where it lies.
struct MatrixView {
  const double* values;
  Eigen::Index rows, cols, row_step, column_step;

  MatrixView(const Matrix& m)  // NOLINT(google-explicit-constructor): a matrix is a view of itself
      : MatrixView{m.data(), m.rows(), m.cols(), m.cols(), 1} {}
  MatrixView(const double* v, Eigen::Index r, Eigen::Index c, Eigen::Index row, Eigen::Index column)
      : values(v), rows(r), cols(c), row_step(row), column_step(column) {}
  MatrixView transposed() const { return {values, cols, rows, column_step, row_step}; }
};

/// out += scale * a * b
void add_product(double scale, const MatrixView& a, const MatrixView& b, Matrix& out, ThreadPool& pool);

/// The same where the product is symmetric: only the lower triangle of `out` is touched.
void add_lower_product(double scale, const MatrixView& a, const MatrixView& b, Matrix& out, ThreadPool& pool);

}  // namespace cavity
