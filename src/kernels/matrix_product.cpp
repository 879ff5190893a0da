#include "kernels/matrix_product.hpp"

#include <algorithm>

#include "kernels/packed_rows.hpp"

namespace cavity {

namespace {

using kernels::tile_width;

// Rows of a view in tiles: [k*16 + i] = a(16 g + i, k), zero beyond the last row.
AlignedVector<double> packed(const MatrixView& a, ThreadPool& pool) {
  const auto rows = static_cast<std::size_t>(a.rows), depth = static_cast<std::size_t>(a.cols);
  AlignedVector<double> out(rounded_to_tiles(rows) * depth);
  pool.run(rounded_to_tiles(rows) / tile_width, [&](std::size_t g) {
    double* tile = out.data() + g * tile_width * depth;
    const std::size_t count = std::min(tile_width, rows - g * tile_width);
    const double* from = a.values + static_cast<Eigen::Index>(g * tile_width) * a.row_step;
    for (std::size_t k = 0; k < depth; ++k)
      for (std::size_t i = 0; i < count; ++i)
        tile[k * tile_width + i] =
            from[static_cast<Eigen::Index>(i) * a.row_step + static_cast<Eigen::Index>(k) * a.column_step];
  });
  return out;
}

bool same(const MatrixView& a, const MatrixView& b) {
  return a.values == b.values && a.rows == b.rows && a.cols == b.cols && a.row_step == b.row_step &&
         a.column_step == b.column_step;
}

enum class Part { all, lower };

void multiply(double scale, const MatrixView& a, const MatrixView& b, Part part, Matrix& out, ThreadPool& pool) {
  constexpr std::size_t panel = 128;  // two tiles so deep share the first-level cache
  const auto depth = static_cast<std::size_t>(a.cols), size = tile_width * depth;
  if (depth == 0) return;
  const AlignedVector<double> left = packed(a, pool);
  const AlignedVector<double> other = same(a, b.transposed()) ? AlignedVector<double>() : packed(b.transposed(), pool);
  const AlignedVector<double>& right = other.empty() ? left : other;
  const auto rows = static_cast<std::size_t>(out.rows()), columns = static_cast<std::size_t>(out.cols());
  const std::size_t row_groups = rounded_to_tiles(rows) / tile_width,
                    column_groups = rounded_to_tiles(columns) / tile_width;
  pool.run(row_groups, [&](std::size_t task) {
    const std::size_t i = row_groups - 1 - task, end = part == Part::lower ? i + 1 : column_groups;  // longest first
    AlignedVector<double> sum(tile_width * end * tile_width);
    for (std::size_t k = 0; k < depth; k += panel)
      for (std::size_t j = 0; j < end; ++j)
        kernels::multiply_tiles(left.data() + i * size + k * tile_width, right.data() + j * size + k * tile_width,
                                std::min(panel, depth - k), sum.data() + j * tile_width, end * tile_width);
    for (std::size_t p = i * tile_width; p < std::min(rows, (i + 1) * tile_width); ++p)
      for (std::size_t q = 0; q < (part == Part::lower ? p + 1 : columns); ++q)
        out(static_cast<Eigen::Index>(p), static_cast<Eigen::Index>(q)) +=
            scale * sum[(p - i * tile_width) * end * tile_width + q];
  });
}

}  // namespace

void add_product(double scale, const MatrixView& a, const MatrixView& b, Matrix& out, ThreadPool& pool) {
  multiply(scale, a, b, Part::all, out, pool);
}

void add_lower_product(double scale, const MatrixView& a, const MatrixView& b, Matrix& out, ThreadPool& pool) {
  multiply(scale, a, b, Part::lower, out, pool);
}

}  // namespace cavity
