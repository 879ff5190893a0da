// A matrix Z whose rows lie in groups of 16, tile[k*16 + i] = Z(16 g + i, k): one copy serves both symmetric products
// of EP at the arithmetic peak, Z diag(t) Z^T and z_k^T W z_k of every column. In double, or in single precision with
// sums of `float_depth` products added up in double. The same bits for any number of threads.
#pragma once

#include <span>

#include "base/matrix.hpp"
#include "base/threads.hpp"
#include "kernels/aligned_vector.hpp"
#include "kernels/dense_kernels.hpp"

namespace cavity {

inline std::size_t rounded_to_tiles(std::size_t length) {
  return (length + kernels::tile_width - 1) / kernels::tile_width * kernels::tile_width;
}

inline constexpr std::size_t packed_panel = 128;  // columns

/// Columns come in panels of 128, so that what is multiplied together lies together: tile(g, k) is column k on. Rows
/// and columns beyond the last are there, up to a multiple of 16, and zero.
template <class T>
struct PackedRows {
  const T* tiles;
  std::size_t rows, columns;
  std::size_t step, panel_step;  // values from one group to the next, from one panel to the next

  const T* tile(std::size_t group, std::size_t column) const {
    return tiles + column / packed_panel * panel_step + group * step + column % packed_panel * kernels::tile_width;
  }

  /// Some columns, from the first of a panel on.
  PackedRows part(std::size_t first, std::size_t count) const {
    return {tile(0, first), rows, count, step, panel_step};
  }
};

/// Room for packed rows in `tiles`, which may hold anything before.
template <class T>
PackedRows<T> make_room(std::size_t rows, std::size_t columns, AlignedVector<T>& tiles) {
  constexpr std::size_t line = 64 / sizeof(T);  // between groups: else all fall into the same lines of the cache
  const std::size_t step = packed_panel * kernels::tile_width + line,
                    groups = rounded_to_tiles(rows) / kernels::tile_width,
                    panels = (columns + packed_panel - 1) / packed_panel;
  tiles.resize(panels * groups * step);
  return {tiles.data(), rows, columns, step, groups * step};
}

/// The rows of `m` in `tiles`.
PackedRows<double> pack_matrix(const Matrix& m, AlignedVector<double>& tiles, ThreadPool& pool);

/// The lower triangle of a symmetric matrix as column_forms reads it. Kept between calls: a loop allocates nothing.
template <class T>
class PackedTriangle {
 public:
  void pack(const Matrix& w, ThreadPool& pool);
  std::size_t rows() const { return rows_; }
  const T* group(std::size_t g) const { return values_.data() + g * (g + 1) / 2 * block; }

 private:
  static constexpr std::size_t block = kernels::tile_width * kernels::tile_width;
  std::size_t rows_ = 0;
  AlignedVector<T> values_;
};

/// Adds Z diag(t) Z^T to the lower triangle of `sum`, rows x rows.
template <class T>
void add_gram(const PackedRows<T>& z, std::span<const double> t, Matrix& sum, ThreadPool& pool);

/// Adds A diag(t) B^T: what add_gram adds for the rows of A where those of B stand above them, to the last bit.
template <class T>
void add_cross(const PackedRows<T>& a, const PackedRows<T>& b, std::span<const double> t, Matrix& sum,
               ThreadPool& pool);

/// Adds the diagonal of Z diag(t) Z^T, to the last bit of add_gram's.
template <class T>
void add_squares(const PackedRows<T>& z, std::span<const double> t, std::span<double> sum, ThreadPool& pool);

/// Adds Z Z^T where Z is upper triangular.
void add_triangle_gram(const PackedRows<double>& z, Matrix& sum, ThreadPool& pool);

/// out_k = z_k^T W z_k for every column z_k.
template <class T>
void column_forms(const PackedRows<T>& z, const PackedTriangle<T>& w, std::span<double> out, ThreadPool& pool);

/// Copies the lower triangle to the upper one.
void mirror_lower(Matrix& a, ThreadPool& pool);

extern template class PackedTriangle<float>;
extern template class PackedTriangle<double>;

}  // namespace cavity
