// A = L L^T, X = L^-1, A^-1 = X^T X, each by blocks of 64 with the products of 16-wide tiles (see dense_kernels.hpp): L
// is kept as tiles of 16 rows, X as tiles of 16 columns, which is how the next products want them. n^3/2 multiply-adds.
#include "kernels/positive_definite.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/aligned_vector.hpp"
#include "kernels/dense_kernels.hpp"
#include "kernels/packed_rows.hpp"

namespace cavity {

namespace {

using kernels::tile_width;
constexpr std::size_t block = 64;
constexpr std::size_t block_tiles = block / tile_width;
constexpr std::size_t panel = 128;  // of the inner dimension: two tiles so deep share the first-level cache

using Block = Eigen::Matrix<double, block, block, Eigen::RowMajor>;
using Strip = Eigen::Matrix<double, tile_width, block, Eigen::RowMajor>;

class Inversion {
 public:
  Inversion(const Matrix& a, ThreadPool& pool)
      : a_(a),
        pool_(pool),
        size_(static_cast<std::size_t>(a.rows())),
        padded_((size_ + block - 1) / block * block),
        rows_(padded_ * padded_),
        columns_(padded_ * padded_) {}

  bool factor() {
    for (std::size_t first = 0; first < padded_; first += block)
      if (!factor_column(first)) return false;
    return true;
  }

  double log_determinant() const { return 2 * log_diagonal_; }

  void invert_factor() {
    for (std::size_t first = 0; first < padded_; first += block) invert_row(first);
  }

  void multiply(Matrix& out) const {
    out.triangularView<Eigen::Lower>().setZero();
    add_triangle_gram({columns_.data(), size_, padded_, tile_width * padded_, packed_panel * tile_width}, out, pool_);
    mirror_lower(out, pool_);
  }

 private:
  // Tile i of L: [k*16 + r] = L(16 i + r, k). Tile j of X: [k*16 + c] = X(k, 16 j + c).
  double* row_tile(std::size_t i, std::size_t k) { return rows_.data() + i * tile_width * padded_ + k * tile_width; }
  const double* column_tile(std::size_t j, std::size_t k) const {
    return columns_.data() + j * tile_width * padded_ + k * tile_width;
  }
  double* column_tile(std::size_t j, std::size_t k) {
    return columns_.data() + j * tile_width * padded_ + k * tile_width;
  }

  double entry(std::size_t i, std::size_t j) const {
    if (i >= size_ || j >= size_) return i == j ? 1 : 0;
    return a_(static_cast<Eigen::Index>(std::max(i, j)), static_cast<Eigen::Index>(std::min(i, j)));
  }

  // A - L L^T so far, at 16 rows and the block of columns from `first`.
  Strip remainder(std::size_t tile, std::size_t first) {
    Strip sum = Strip::Zero();
    for (std::size_t k = 0; k < first; k += panel)
      for (std::size_t j = 0; j < block_tiles; ++j)
        kernels::multiply_tiles(row_tile(tile, k), row_tile(first / tile_width + j, k), std::min(panel, first - k),
                                sum.data() + j * tile_width, block);
    Strip out;
    for (std::size_t r = 0; r < tile_width; ++r)
      for (std::size_t c = 0; c < block; ++c)
        out(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c)) =
            entry(tile * tile_width + r, first + c) - sum(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c));
    return out;
  }

  void store_rows(std::size_t tile, std::size_t first, const Strip& values) {
    for (std::size_t k = 0; k < block; ++k)
      for (std::size_t r = 0; r < tile_width; ++r)
        row_tile(tile, first + k)[r] = values(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(k));
  }

  bool factor_column(std::size_t first) {
    const std::size_t top = first / tile_width, below = padded_ / tile_width - top - block_tiles;
    Block diagonal;
    for (std::size_t i = 0; i < block_tiles; ++i)
      diagonal.middleRows<tile_width>(static_cast<Eigen::Index>(i * tile_width)) = remainder(top + i, first);
    const Eigen::LLT<Block> llt(diagonal);
    if (llt.info() != Eigen::Success) return false;
    const Block lower = llt.matrixL();
    log_diagonal_ += lower.diagonal().array().log().sum();
    if (!std::isfinite(log_diagonal_)) return false;  // NaN passes for positive in the factorisation
    Block inverse = Block::Identity();
    llt.matrixL().solveInPlace(inverse);
    inverses_.push_back(inverse);
    for (std::size_t i = 0; i < block_tiles; ++i)
      store_rows(top + i, first, lower.middleRows<tile_width>(static_cast<Eigen::Index>(i * tile_width)));
    pool_.run(below, [&](std::size_t i) {
      const std::size_t tile = top + block_tiles + i;
      store_rows(tile, first, remainder(tile, first) * inverse.transpose());
    });
    return true;
  }

  // X(I, :) = -L(I, I)^-1 sum_{K < I} L(I, K) X(K, :), and L(I, I)^-1 on the diagonal.
  void invert_row(std::size_t first) {
    const std::size_t top = first / tile_width;
    const Block& inverse = inverses_[first / block];
    pool_.run(top + block_tiles, [&](std::size_t j) {
      Eigen::Matrix<double, block, tile_width, Eigen::RowMajor> sum, out;
      if (j >= top) {
        out = inverse.middleCols<tile_width>(static_cast<Eigen::Index>((j - top) * tile_width));
      } else {
        sum.setZero();
        const std::size_t from = j * tile_width;  // X is lower triangular
        for (std::size_t k = from; k < first; k += panel)
          for (std::size_t i = 0; i < block_tiles; ++i)
            kernels::multiply_tiles(row_tile(top + i, k), column_tile(j, k), std::min(panel, first - k),
                                    sum.data() + i * tile_width * tile_width, tile_width);
        out = -(inverse.triangularView<Eigen::Lower>() * sum);
      }
      std::copy_n(out.data(), block * tile_width, column_tile(j, first));
    });
  }

  const Matrix& a_;
  ThreadPool& pool_;
  std::size_t size_, padded_;
  AlignedVector<double> rows_, columns_;
  std::vector<Block, Eigen::aligned_allocator<Block>> inverses_;  // of the diagonal blocks of L
  double log_diagonal_ = 0;
};

}  // namespace

std::optional<double> invert_positive_definite(Matrix& a, ThreadPool& pool) {
  Inversion inversion(a, pool);
  if (!inversion.factor()) return std::nullopt;
  inversion.invert_factor();
  inversion.multiply(a);
  return inversion.log_determinant();
}

}  // namespace cavity
