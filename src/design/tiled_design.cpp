// Floor: gram and quadratic do samples^2 x features multiply-adds in double (arithmetic peak). Nothing here is larger
// than O(samples^2 + features) beside the matrix.
#include "design/tiled_design.hpp"

#include <algorithm>

#include "design/dense_kernels.hpp"
#include "design/symmetric_tiles.hpp"

namespace cavity {

using kernels::tile_width;

namespace {

std::size_t tile_count(std::size_t length) { return (length + tile_width - 1) / tile_width; }

}  // namespace

TiledDesign::TiledDesign(std::size_t samples, std::size_t features, std::size_t most_in_tiles) {
  if (samples * features <= most_in_tiles) tiles_ = std::make_unique<Tiles>();
}

// Tile `index` of `count` tiles of `size` doubles, all packed by the first caller.
template <class Pack>
const double* TiledDesign::kept_tile(KeptTiles& kept, std::size_t index, std::size_t count, std::size_t size,
                                     const Pack& pack) {
  std::call_once(kept.flag, [&] {
    kept.values.resize(count * size);
    for (std::size_t i = 0; i < count; ++i) pack(i * tile_width, kept.values.data() + i * size);
  });
  return kept.values.data() + index * size;
}

const double* TiledDesign::sample_tile(std::size_t first_sample, std::size_t first_feature, std::size_t depth,
                                       double* scratch) const {
  if (!tiles_) {
    pack_samples(first_sample, first_feature, depth, scratch);
    return scratch;
  }
  const auto pack = [this](std::size_t first, double* tile) { pack_samples(first, 0, features(), tile); };
  return kept_tile(tiles_->of_samples, first_sample / tile_width, tile_count(samples()), features() * tile_width,
                   pack) +
         first_feature * tile_width;
}

const double* TiledDesign::feature_tile(std::size_t first_feature, std::size_t first_sample, std::size_t depth,
                                        double* scratch) const {
  if (!tiles_) {
    pack_features(first_feature, first_sample, depth, scratch);
    return scratch;
  }
  const auto pack = [this](std::size_t first, double* tile) { pack_features(first, 0, samples(), tile); };
  return kept_tile(tiles_->of_features, first_feature / tile_width, tile_count(features()),
                   padded_samples() * tile_width, pack) +
         first_sample * tile_width;
}

void TiledDesign::gram(std::span<const double> t, Matrix& out, ThreadPool& pool) const {
  check(t.size(), features(), "feature weights");
  symmetric_product(
      samples(), t, [this](auto... where) { return sample_tile(where...); }, out, pool,
      [this](std::size_t first, std::size_t last) { done_with(first, last); });
}

void TiledDesign::feature_gram(std::span<const double> u, Matrix& out, ThreadPool& pool) const {
  check(u.size(), samples(), "sample weights");
  symmetric_product(
      features(), u, [this](auto... where) { return feature_tile(where...); }, out, pool);
}

void TiledDesign::quadratic(const Matrix& w, std::span<double> out, ThreadPool& pool) const {
  check(static_cast<std::size_t>(w.rows()), samples(), "rows of W");
  check(static_cast<std::size_t>(w.cols()), samples(), "columns of W");
  check(out.size(), features(), "products");
  const std::size_t padded = padded_samples();
  Matrix lower = Matrix::Zero(static_cast<Eigen::Index>(padded), static_cast<Eigen::Index>(padded));
  for (Eigen::Index i = 0; i < w.rows(); ++i) {
    for (Eigen::Index k = 0; k < i; ++k) lower(i, k) = 2 * w(i, k);
    lower(i, i) = w(i, i);
  }
  constexpr std::size_t tiles_a_block = 8;
  const std::size_t tiles = tile_count(features());
  pool.run((tiles + tiles_a_block - 1) / tiles_a_block, [&](std::size_t block) {
    std::vector<double> tile(tiles_ ? 0 : padded * tile_width, 0);
    double q[tile_width];
    for (std::size_t i = block * tiles_a_block; i < std::min(tiles, (block + 1) * tiles_a_block); ++i) {
      const std::size_t first = i * tile_width;
      kernels::quadratic_tile(lower.data(), padded, padded, feature_tile(first, 0, samples(), tile.data()), q);
      std::copy_n(q, std::min(tile_width, features() - first), out.begin() + static_cast<std::ptrdiff_t>(first));
    }
    constexpr std::size_t width = tiles_a_block * tile_width;
    done_with(block * width, std::min(features(), (block + 1) * width));
  });
}

}  // namespace cavity
