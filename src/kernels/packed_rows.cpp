#include "kernels/packed_rows.hpp"

#include <algorithm>

namespace cavity {

namespace {

using kernels::tile_width;

constexpr std::size_t panel = packed_panel;  // two tiles so deep share the first-level cache
static_assert(panel <= kernels::float_depth);

// The sums of a block stay in the second-level cache through the whole depth, and so do its tiles of a panel.
constexpr std::size_t most_rows = 8, most_columns = 8;  // groups

struct GramBlock {
  std::size_t row, rows, column, columns;  // groups
};

std::vector<GramBlock> lower_blocks(std::size_t groups) {
  const std::size_t height = groups > 2 * most_rows ? most_rows : 1;
  std::vector<GramBlock> out;
  for (std::size_t row = 0; row < groups; row += height)
    for (std::size_t column = 0; column < std::min(row + height, groups); column += most_columns)
      out.push_back({row, std::min(height, groups - row), column,
                     std::min({most_columns, row + height - column, groups - column})});
  std::reverse(out.begin(), out.end());  // longest first: even load
  return out;
}

std::vector<GramBlock> all_blocks(std::size_t row_groups, std::size_t column_groups) {
  const std::size_t height = row_groups > 2 * most_rows ? most_rows : 1;
  std::vector<GramBlock> out;
  for (std::size_t row = 0; row < row_groups; row += height)
    for (std::size_t column = 0; column < column_groups; column += most_columns)
      out.push_back({row, std::min(height, row_groups - row), column, std::min(most_columns, column_groups - column)});
  return out;
}

enum class Part { all, lower };

/// Of A diag(t) B^T.
template <class T>
void add_block(const PackedRows<T>& a, const PackedRows<T>& b, std::span<const double> t, const GramBlock& block,
               Part part, Matrix& sum, std::size_t begin = 0) {
  constexpr std::size_t tile_size = panel * tile_width;
  AlignedVector<T> weighted(block.rows * tile_size);
  AlignedVector<double> own(block.rows * block.columns * tile_width * tile_width);
  const std::size_t stride = block.columns * tile_width;
  for (std::size_t from = begin; from < t.size(); from += panel) {
    const std::size_t depth = std::min(panel, t.size() - from);
    for (std::size_t i = 0; i < block.rows; ++i)
      kernels::weight_tile(a.tile(block.row + i, from), t.data() + from, depth, weighted.data() + i * tile_size);
    for (std::size_t j = 0; j < block.columns; ++j)
      for (std::size_t i = 0; i < block.rows; ++i)
        if (part == Part::all || block.column + j <= block.row + i)
          kernels::multiply_tiles(weighted.data() + i * tile_size, b.tile(block.column + j, from), depth,
                                  own.data() + i * tile_width * stride + j * tile_width, stride);
  }
  const std::size_t top = block.row * tile_width, left = block.column * tile_width;
  for (std::size_t i = top; i < std::min(a.rows, top + block.rows * tile_width); ++i)
    for (std::size_t j = left; j < std::min(part == Part::lower ? i + 1 : b.rows, left + stride); ++j)
      sum(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) += own[(i - top) * stride + j - left];
}

}  // namespace

PackedRows<double> pack_matrix(const Matrix& m, AlignedVector<double>& tiles, ThreadPool& pool) {
  const auto rows = static_cast<std::size_t>(m.rows()), columns = static_cast<std::size_t>(m.cols());
  const PackedRows<double> out = make_room(rows, columns, tiles);
  std::fill(tiles.begin(), tiles.end(), 0.0);
  pool.run(rounded_to_tiles(rows) / tile_width, [&](std::size_t g) {
    for (std::size_t first = 0; first < columns; first += panel) {
      double* tile = tiles.data() + (out.tile(g, first) - out.tiles);
      for (std::size_t i = g * tile_width; i < std::min(rows, (g + 1) * tile_width); ++i)
        for (std::size_t k = first; k < std::min(columns, first + panel); ++k)
          tile[(k - first) * tile_width + i % tile_width] = m.data()[i * columns + k];
    }
  });
  return out;
}

template <class T>
void add_gram(const PackedRows<T>& z, std::span<const double> t, Matrix& sum, ThreadPool& pool) {
  const std::vector<GramBlock> blocks = lower_blocks(rounded_to_tiles(z.rows) / tile_width);
  pool.run(blocks.size(), [&](std::size_t b) { add_block(z, z, t, blocks[b], Part::lower, sum); });
}

template <class T>
void add_cross(const PackedRows<T>& a, const PackedRows<T>& b, std::span<const double> t, Matrix& sum,
               ThreadPool& pool) {
  const std::vector<GramBlock> blocks =
      all_blocks(rounded_to_tiles(a.rows) / tile_width, rounded_to_tiles(b.rows) / tile_width);
  pool.run(blocks.size(), [&](std::size_t k) { add_block(a, b, t, blocks[k], Part::all, sum); });
}

template <class T>
void add_squares(const PackedRows<T>& z, std::span<const double> t, std::span<double> sum, ThreadPool& pool) {
  pool.run(rounded_to_tiles(z.rows) / tile_width, [&](std::size_t g) {
    AlignedVector<T> weighted(panel * tile_width);
    AlignedVector<double> own(tile_width * tile_width);
    for (std::size_t from = 0; from < t.size(); from += panel) {
      const std::size_t depth = std::min(panel, t.size() - from);
      kernels::weight_tile(z.tile(g, from), t.data() + from, depth, weighted.data());
      kernels::multiply_tiles(weighted.data(), z.tile(g, from), depth, own.data(), tile_width);
    }
    for (std::size_t i = g * tile_width; i < std::min(z.rows, (g + 1) * tile_width); ++i)
      sum[i] += own[i % tile_width * (tile_width + 1)];
  });
}

void add_triangle_gram(const PackedRows<double>& z, Matrix& sum, ThreadPool& pool) {
  const std::vector<GramBlock> blocks = lower_blocks(rounded_to_tiles(z.rows) / tile_width);
  const std::vector<double> ones(z.columns, 1.0);
  pool.run(blocks.size(),
           [&](std::size_t b) { add_block(z, z, ones, blocks[b], Part::lower, sum, blocks[b].row * tile_width); });
}

template <class T>
void PackedTriangle<T>::pack(const Matrix& w, ThreadPool& pool) {
  rows_ = static_cast<std::size_t>(w.rows());
  const std::size_t groups = rounded_to_tiles(rows_) / tile_width;
  values_.resize(groups * (groups + 1) / 2 * block);
  pool.run(groups, [&](std::size_t g) {
    T* to = values_.data() + g * (g + 1) / 2 * block;
    for (std::size_t k = 0; k < (g + 1) * tile_width; ++k)
      for (std::size_t i = 0; i < tile_width; ++i) {
        const std::size_t row = g * tile_width + i;
        const double twice = k < g * tile_width ? 2 : 1;  // for the block on the other side of the diagonal
        to[k * tile_width + i] =
            row < rows_ && k < rows_
                ? kernels::without_traces<T>(twice * w(static_cast<Eigen::Index>(std::max(row, k)),
                                                       static_cast<Eigen::Index>(std::min(row, k))))
                : 0;
      }
  });
}

template <class T>
void column_forms(const PackedRows<T>& z, const PackedTriangle<T>& w, std::span<double> out, ThreadPool& pool) {
  const std::size_t groups = rounded_to_tiles(z.rows) / tile_width;
  pool.run((out.size() + panel - 1) / panel, [&](std::size_t task) {
    const std::size_t first = task * panel, count = rounded_to_tiles(std::min(panel, out.size() - first));
    alignas(64) T total[panel * tile_width] = {};
    for (std::size_t g = 0; g < groups; ++g)
      for (std::size_t k = 0; k < count; k += tile_width)
        kernels::add_forms(z.tile(0, first + k), z.step, g, w.group(g), total + k * tile_width);
    double forms[panel];
    for (std::size_t k = 0; k < count; k += tile_width) kernels::sum_rows(total + k * tile_width, forms + k);
    std::copy_n(forms, std::min(panel, out.size() - first), out.begin() + static_cast<std::ptrdiff_t>(first));
  });
}

void mirror_lower(Matrix& a, ThreadPool& pool) {
  constexpr Eigen::Index block = 32;
  const Eigen::Index n = a.rows();
  pool.run(static_cast<std::size_t>((n + block - 1) / block), [&](std::size_t task) {
    const Eigen::Index i = static_cast<Eigen::Index>(task) * block, height = std::min(block, n - i);
    for (Eigen::Index j = 0; j < i; j += block) a.block(j, i, block, height) = a.block(i, j, height, block).transpose();
    for (Eigen::Index p = i; p < i + height; ++p)
      for (Eigen::Index q = i; q < p; ++q) a(q, p) = a(p, q);
  });
}

template class PackedTriangle<float>;
template class PackedTriangle<double>;
template void add_gram(const PackedRows<float>&, std::span<const double>, Matrix&, ThreadPool&);
template void add_gram(const PackedRows<double>&, std::span<const double>, Matrix&, ThreadPool&);
template void add_cross(const PackedRows<float>&, const PackedRows<float>&, std::span<const double>, Matrix&,
                        ThreadPool&);
template void add_cross(const PackedRows<double>&, const PackedRows<double>&, std::span<const double>, Matrix&,
                        ThreadPool&);
template void add_squares(const PackedRows<float>&, std::span<const double>, std::span<double>, ThreadPool&);
template void add_squares(const PackedRows<double>&, std::span<const double>, std::span<double>, ThreadPool&);
template void column_forms(const PackedRows<float>&, const PackedTriangle<float>&, std::span<double>, ThreadPool&);
template void column_forms(const PackedRows<double>&, const PackedTriangle<double>&, std::span<double>, ThreadPool&);

}  // namespace cavity
