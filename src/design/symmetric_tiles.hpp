// out = Z diag(t) Z^T for a matrix Z that is only reachable tile by tile: packs panels of the inner dimension and
// multiplies 16 x 16 blocks of the lower triangle, then mirrors. Panels are added in order, so threads change no bit.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "base/matrix.hpp"
#include "base/threads.hpp"
#include "kernels/dense_kernels.hpp"

namespace cavity {

/// tile(first, inner, depth, scratch) returns tile[k*16 + i] = Z(first + i, inner + k), zero where first + i >= size;
/// it may use `scratch`, depth x 16 doubles, to hold it.
/// done(first, last) is called when a range of the inner dimension is not needed any more.
struct NothingToDo {
  void operator()(std::size_t, std::size_t) const {}
};
template <class Tile, class Done = NothingToDo>
void symmetric_product(std::size_t size, std::span<const double> t, const Tile& tile, Matrix& out, ThreadPool& pool,
                       const Done& done = {}) {
  using kernels::tile_width;
  constexpr std::size_t panel = 256;
  const std::size_t tiles = (size + tile_width - 1) / tile_width, inner = t.size();
  const std::size_t padded = tiles * tile_width, tile_size = panel * tile_width;
  Matrix sum = Matrix::Zero(static_cast<Eigen::Index>(padded), static_cast<Eigen::Index>(padded));
  const auto scratch = std::make_unique_for_overwrite<double[]>(tiles * tile_size);
  const auto weighted = std::make_unique_for_overwrite<double[]>(tiles * tile_size);
  std::vector<const double*> plain(tiles);
  for (std::size_t first = 0; first < inner; first += panel) {
    const std::size_t depth = std::min(panel, inner - first);
    pool.run(tiles, [&](std::size_t i) {
      plain[i] = tile(i * tile_width, first, depth, scratch.get() + i * tile_size);
      kernels::weight_tile(plain[i], t.data() + first, depth, weighted.get() + i * tile_size);
    });
    pool.run(tiles, [&](std::size_t row) {
      const std::size_t i = tiles - 1 - row;  // longest first: even load
      for (std::size_t j = 0; j <= i; ++j)
        kernels::multiply_tiles(plain[i], weighted.get() + j * tile_size, depth,
                                sum.data() + i * tile_width * padded + j * tile_width, padded);
    });
    done(first, first + depth);
  }
  const auto n = static_cast<Eigen::Index>(size);
  out.resize(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j <= i; ++j) out(i, j) = out(j, i) = sum(i, j);
}

}  // namespace cavity
