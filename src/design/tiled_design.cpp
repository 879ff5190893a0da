// Floor: gram and quadratic do samples^2 x features multiply-adds (arithmetic peak). Beside the matrix there is nothing
// larger than O(samples^2 + features), and one copy of a small matrix in tiles.
#include "design/tiled_design.hpp"

#include <algorithm>
#include <type_traits>

namespace cavity {

using kernels::tile_width;

namespace {

// Rows of Z in tiles, `count` columns from `first` on: pack(first row, first column, depth, tile) writes a tile's part.
template <class T, class Pack>
PackedRows<T> pack_rows(std::size_t rows, std::size_t first, std::size_t count, const Pack& pack, AlignedVector<T>& to,
                        ThreadPool& pool) {
  const PackedRows<T> out = make_room(rows, count, to);
  pool.run(rounded_to_tiles(rows) / tile_width, [&](std::size_t g) {
    double values[packed_panel * tile_width];
    for (std::size_t k = 0; k < count; k += packed_panel) {
      const std::size_t depth = std::min(packed_panel, count - k);
      pack(g * tile_width, first + k, depth, values);
      std::fill(values + depth * tile_width, values + rounded_to_tiles(depth) * tile_width, 0.0);
      std::transform(values, values + rounded_to_tiles(depth) * tile_width, to.data() + (out.tile(g, k) - out.tiles),
                     [](double x) { return static_cast<T>(x); });
    }
  });
  return out;
}

// Columns of Z packed at a time: a few megabytes.
std::size_t panel_width(std::size_t rows) {
  constexpr std::size_t values = std::size_t{1} << 20, least = 256;
  return std::max(least, values / rounded_to_tiles(rows) / packed_panel * packed_panel);
}

/// Whether tiles of so many entries are kept.
template <class T>
bool are_kept(std::size_t entries, std::size_t most_in_tiles) {
  return entries <= (std::is_same_v<T, float> ? most_in_tiles : most_in_tiles / 2);
}

bool pays_to_round(std::size_t samples, std::size_t features, Precision precision) {
  constexpr double pays = 1e6, seconds_in_double = 1e10;  // multiply-adds
  const auto m = static_cast<double>(samples), n = static_cast<double>(features);
  return m * m * n > (precision == Precision::rough ? pays : seconds_in_double);
}

}  // namespace

TiledDesign::TiledDesign(std::size_t samples, std::size_t features, std::size_t most_in_tiles)
    : most_in_tiles_(most_in_tiles) {
  if (are_kept<float>(samples * features, most_in_tiles)) floats_ = std::make_unique<KeptTiles<float>>();
  if (are_kept<double>(samples * features, most_in_tiles)) doubles_ = std::make_unique<KeptTiles<double>>();
}

bool TiledDesign::rounds(Precision precision) const { return pays_to_round(samples(), features(), precision); }

template <class T>
TiledDesign::KeptTiles<T>* TiledDesign::kept() const {
  if constexpr (std::is_same_v<T, float>)
    return floats_.get();
  else
    return doubles_.get();
}

template <class T>
PackedRows<T> TiledDesign::tiles_of(std::size_t first, std::size_t count, AlignedVector<T>& room,
                                    ThreadPool& pool) const {
  const auto pack = [this](auto... where) { pack_samples(where...); };
  KeptTiles<T>* tiles = kept<T>();
  if (!tiles) return pack_rows(samples(), first, count, pack, room, pool);
  std::call_once(tiles->packed, [&] { tiles->rows = pack_rows(samples(), 0, features(), pack, tiles->values, pool); });
  return tiles->rows.part(first, count);
}

template <class T, class Use>
void TiledDesign::for_each_panel(const Use& use, ThreadPool& pool) const {
  AlignedVector<T> tiles;
  const std::size_t width = kept<T>() ? features() : panel_width(samples());
  for (std::size_t first = 0; first < features(); first += width) {
    const std::size_t count = std::min(width, features() - first);
    use(first, tiles_of(first, count, tiles, pool));
    done_with(first, first + count);
  }
}

template <class T>
void TiledDesign::gram_in(std::span<const double> t, Matrix& out, ThreadPool& pool) const {
  for_each_panel<T>(
      [&](std::size_t first, const PackedRows<T>& x) { add_gram(x, t.subspan(first, x.columns), out, pool); }, pool);
}

template <class T>
void TiledDesign::beside_in(const TiledDesign& fresh, std::span<const double> t, Matrix& cross,
                            std::span<double> squares, ThreadPool& pool) const {
  AlignedVector<T> tiles, fresh_tiles;
  const std::size_t rows = samples() + fresh.samples(),  // sums are rounded where gram() of all rows rounds them
      width = are_kept<T>(rows * features(), most_in_tiles_) ? features() : panel_width(rows);
  for (std::size_t first = 0; first < features(); first += width) {
    const std::size_t count = std::min(width, features() - first);
    const PackedRows<T> f = fresh.tiles_of(first, count, fresh_tiles, pool);
    add_cross(f, tiles_of(first, count, tiles, pool), t.subspan(first, count), cross, pool);
    if (!squares.empty()) add_squares(f, t.subspan(first, count), squares, pool);
    done_with(first, first + count);
    fresh.done_with(first, first + count);
  }
}

template <class T>
void TiledDesign::quadratic_in(const Matrix& w, std::span<double> out, ThreadPool& pool) const {
  PackedTriangle<T> triangle;
  triangle.pack(w, pool);
  for_each_panel<T>([&](std::size_t first,
                        const PackedRows<T>& x) { column_forms(x, triangle, out.subspan(first, x.columns), pool); },
                    pool);
}

void TiledDesign::do_gram(std::span<const double> t, Matrix& out, Precision precision, ThreadPool& pool) const {
  out.setZero(static_cast<Eigen::Index>(samples()), static_cast<Eigen::Index>(samples()));
  if (rounds(precision))
    gram_in<float>(t, out, pool);
  else
    gram_in<double>(t, out, pool);
  mirror_lower(out, pool);
}

void TiledDesign::gram_beside(const TiledDesign& fresh, std::span<const double> t, Matrix& cross,
                              std::span<double> squares, ThreadPool& pool) const {
  check(t.size(), features(), "feature weights");
  check(fresh.features(), features(), "features of the fresh rows");
  cross.setZero(static_cast<Eigen::Index>(fresh.samples()), static_cast<Eigen::Index>(samples()));
  std::fill(squares.begin(), squares.end(), 0.0);
  if (pays_to_round(samples() + fresh.samples(), features(), Precision::full))
    beside_in<float>(fresh, t, cross, squares, pool);
  else
    beside_in<double>(fresh, t, cross, squares, pool);
}

void TiledDesign::feature_gram(std::span<const double> u, Matrix& out, ThreadPool& pool) const {
  check(u.size(), samples(), "sample weights");
  out.setZero(static_cast<Eigen::Index>(features()), static_cast<Eigen::Index>(features()));
  AlignedVector<double> tiles;
  const std::size_t width = panel_width(features());
  for (std::size_t first = 0; first < samples(); first += width) {
    const std::size_t count = std::min(width, samples() - first);
    const auto x = pack_rows(
        features(), first, count, [this](auto... where) { pack_features(where...); }, tiles, pool);
    add_gram(x, u.subspan(first, count), out, pool);
  }
  mirror_lower(out, pool);
}

void TiledDesign::do_quadratic(const Matrix& w, std::span<double> out, Precision precision, ThreadPool& pool) const {
  if (rounds(precision))
    quadratic_in<float>(w, out, pool);
  else
    quadratic_in<double>(w, out, pool);
}

}  // namespace cavity
