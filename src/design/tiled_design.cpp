// Floor: gram and quadratic do samples^2 x features multiply-adds in double (arithmetic peak). Nothing here is larger
// than O(samples^2 + features) beside the matrix.
#include "design/tiled_design.hpp"

#include <algorithm>

#include "design/symmetric_tiles.hpp"
#include "kernels/dense_kernels.hpp"

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

bool TiledDesign::single_precision() const {
  constexpr double seconds_in_double = 1e10;  // multiply-adds
  const auto m = static_cast<double>(samples()), n = static_cast<double>(features());
  return m * m * n > seconds_in_double;
}

// As symmetric_product, the entries rounded to floats and the sums of float_depth products added up in double.
void TiledDesign::gram_in_floats(std::span<const double> t, Matrix& out, ThreadPool& pool) const {
  constexpr std::size_t panel = 4 * kernels::float_depth, tile_size = panel * tile_width;
  const std::size_t tiles = tile_count(samples()), padded = tiles * tile_width;
  Matrix sum = Matrix::Zero(static_cast<Eigen::Index>(padded), static_cast<Eigen::Index>(padded));
  std::vector<double> packed(tiles * tile_size);
  std::vector<float> plain(tiles * tile_size), weighted(tiles * tile_size);
  for (std::size_t first = 0; first < features(); first += panel) {
    const std::size_t depth = std::min(panel, features() - first);
    pool.run(tiles, [&](std::size_t i) {
      const double* tile = sample_tile(i * tile_width, first, depth, packed.data() + i * tile_size);
      for (std::size_t k = 0; k < depth; ++k)
        for (std::size_t j = 0; j < tile_width; ++j) {
          const double x = tile[k * tile_width + j];
          plain[i * tile_size + k * tile_width + j] = static_cast<float>(x);
          weighted[i * tile_size + k * tile_width + j] = static_cast<float>(t[first + k] * x);
        }
    });
    pool.run(tiles, [&](std::size_t row) {
      const std::size_t i = tiles - 1 - row;  // longest first: even load
      for (std::size_t k = 0; k < depth; k += kernels::float_depth)
        for (std::size_t j = 0; j <= i; ++j)
          kernels::multiply_tiles(
              plain.data() + i * tile_size + k * tile_width, weighted.data() + j * tile_size + k * tile_width,
              std::min(kernels::float_depth, depth - k), sum.data() + i * tile_width * padded + j * tile_width, padded);
    });
    done_with(first, first + depth);
  }
  const auto m = static_cast<Eigen::Index>(samples());
  out.resize(m, m);
  for (Eigen::Index i = 0; i < m; ++i)
    for (Eigen::Index j = 0; j <= i; ++j) out(i, j) = out(j, i) = sum(i, j);
}

void TiledDesign::quadratic_in_floats(const Matrix& w, std::span<double> out, ThreadPool& pool) const {
  const std::size_t padded = tile_count(samples()) * tile_width;
  std::vector<float> lower(padded * padded, 0);
  for (std::size_t i = 0; i < samples(); ++i)
    for (std::size_t k = 0; k <= i; ++k)
      lower[i * padded + k] =
          static_cast<float>((k < i ? 2 : 1) * w(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)));
  constexpr std::size_t tiles_a_block = 8, width = tiles_a_block * tile_width;
  const std::size_t tiles = tile_count(features());
  pool.run((tiles + tiles_a_block - 1) / tiles_a_block, [&](std::size_t block) {
    std::vector<double> packed(samples() * tile_width);
    std::vector<float> tile(padded * tile_width, 0);
    double q[tile_width];
    for (std::size_t i = block * tiles_a_block; i < std::min(tiles, (block + 1) * tiles_a_block); ++i) {
      const std::size_t first = i * tile_width;
      const double* from = feature_tile(first, 0, samples(), packed.data());
      std::copy_n(from, samples() * tile_width, tile.data());
      kernels::quadratic_tile(lower.data(), padded, padded, tile.data(), q);
      std::copy_n(q, std::min(tile_width, features() - first), out.begin() + static_cast<std::ptrdiff_t>(first));
    }
    done_with(block * width, std::min(features(), (block + 1) * width));
  });
}

void TiledDesign::gram(std::span<const double> t, Matrix& out, ThreadPool& pool) const {
  check(t.size(), features(), "feature weights");
  if (single_precision()) return gram_in_floats(t, out, pool);
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
  if (single_precision()) return quadratic_in_floats(w, out, pool);
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
