#include "cuda/genotype_values.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace cavity::cuda {

namespace {

constexpr unsigned rough_digits = 4, full_digits = 8;  // of 7 bits: 2^-27 and 2^-55 of the largest weight
constexpr std::size_t staged_bytes = std::size_t{1} << 28;

bool all_in_order(const std::vector<std::size_t>& used, std::size_t samples) {
  for (std::size_t i = 0; i < used.size(); ++i)
    if (used[i] != i) return false;
  return used.size() == samples;
}

}  // namespace

std::size_t GenotypeValues::bytes(std::size_t samples, std::size_t features) {
  return features * packed_row_bytes(samples) + samples * packed_row_bytes(features);
}

GenotypeValues::GenotypeValues(const Device& device, const GenotypeDesign& host)
    : device_(device),
      samples_(host.samples()),
      features_(host.features()),
      unknown_(std::ranges::any_of(host.has_missing(), [](auto m) { return m != 0; })),
      by_variant_(features_ * packed_row_bytes(samples_), device.stream()),
      by_sample_(samples_ * packed_row_bytes(features_), device.stream()),
      centre_(host.scaling().centre, device.stream()),
      scale_(host.scaling().scale, device.stream()),
      row_scale_(host.row_scale(), device.stream()) {
  by_variant_.clear();
  by_sample_.clear();
  copy_variants(host);
  transpose_calls(by_variant(), by_sample_.data(), device.stream());
  device.wait();
}

// Some variants at a time, in rows of the device's length; only the samples that are used.
void GenotypeValues::copy_variants(const GenotypeDesign& host) {
  const GenotypeCalls& calls = host.calls();
  const std::size_t row = packed_row_bytes(samples_), batch = std::max<std::size_t>(staged_bytes / row, 1);
  const bool whole = all_in_order(host.used(), calls.samples);
  std::vector<std::uint8_t> staged(std::min(batch, features_) * row);
  for (std::size_t first = 0; first < features_; first += batch) {
    const std::size_t count = std::min(batch, features_ - first);
    if (!whole) std::fill(staged.begin(), staged.end(), std::uint8_t{0});
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t variant = host.scaling().kept[first + i];
      std::uint8_t* to = staged.data() + i * row;
      if (whole)
        std::copy_n(calls.row(variant), calls.bytes_per_variant, to);
      else
        for (std::size_t mu = 0; mu < samples_; ++mu)
          to[mu / 4] = static_cast<std::uint8_t>(to[mu / 4] | calls.code(variant, host.used()[mu]) << (2 * (mu % 4)));
    }
    check(cudaMemcpyAsync(by_variant_.data() + first * row, staged.data(), count * row, cudaMemcpyHostToDevice,
                          device_.stream()),
          "a copy of the genotypes to it");
    device_.wait();
  }
}

void GenotypeValues::write_panel(std::size_t first, std::size_t count, const Factors& factors, double* out) const {
  write_call_panel(by_sample(), scaling(), first, count, factors.sample, factors.feature, out, device_.stream());
}

void GenotypeValues::write_columns(const int* which, std::size_t count, const Factors& factors, double* out) const {
  write_call_columns(by_variant(), scaling(), which, count, factors.sample, factors.feature, out, device_.stream());
}

// Terms 0 (copies) and 1 (unknown) are of the plain weights, 2 (squares), 3 (copies) and 4 (unknown) of the squared.
void GenotypeValues::multiply(const Side& side, const Design::TwoWeights& weights, const Design::TwoProducts& out,
                              unsigned digits) const {
  constexpr Plane plane_of[] = {Plane::copies, Plane::unknown, Plane::squares, Plane::copies, Plane::unknown};
  const cudaStream_t stream = device_.stream();
  const std::size_t count = side.calls.calls;
  const bool squared = !weights.squared.empty();
  const DeviceArray<double> plain(weights.plain, stream), squares(weights.squared, stream);
  DeviceArray<double> values(5 * count, stream);
  DeviceArray<TermScale> scales(5, stream);
  DeviceArray<std::uint8_t> tiles(most_tiles * tile_bytes(side.calls.row_bytes), stream);
  scales.clear();
  tiles.clear();
  Finish finish{{}, side.out_f, side.out_g, nullptr, nullptr};
  Tiles multiplied{0, {}, tiles.data()};
  // Terms that share a plane share a tile where their digits fit; the totals of unknown calls' weights are always used.
  const auto add = [&](unsigned term, unsigned tile, unsigned column) {
    finish.place[term] = {tile * static_cast<unsigned>(tile_columns) + column, digits, scales.data() + term};
    multiplied.plane[tile] = plane_of[term];
    multiplied.count = std::max(multiplied.count, tile + 1);
    const WeightParts parts{(term < 2 ? plain : squares).data(), side.f, side.g, side.powers[term].f,
                            side.powers[term].g};
    double* to = values.data() + term * count;
    make_weights(parts, count, to, scales.data() + term, stream);
    write_digits(to, count, digits, column, tiles.data() + tile * tile_bytes(side.calls.row_bytes),
                 scales.data() + term, stream);
  };
  const bool shared = 2 * digits <= tile_columns;
  unsigned next = 0;
  add(0, next, 0);
  if (squared) add(3, shared ? next : ++next, shared ? digits : 0);
  if (squared) add(2, ++next, 0);
  add(1, ++next, 0);
  if (squared) add(4, shared ? next : ++next, shared ? digits : 0);
  // Where all calls are known the unknown ones' tiles stand last, and only their weights' totals are wanted.
  if (!unknown_) multiplied.count -= squared && !shared ? 2 : 1;
  const unsigned columns = multiplied.count * static_cast<unsigned>(tile_columns);
  DeviceArray<std::int32_t> sums(side.calls.rows * columns, stream);
  sums.clear();
  multiply_calls(side.calls, multiplied, sums.data(), stream);
  DeviceArray<double> plain_out(out.plain.size(), stream), squared_out(out.squared.size(), stream);
  finish.plain = plain_out.data();
  finish.squared = squared_out.data();
  finish_products(sums.data(), side.calls.rows, columns, finish, stream);
  plain_out.to_host(out.plain);
  squared_out.to_host(out.squared);
}

// X v = r (sum of copies a - (sum of c a) + sum over unknown of c a), a = s v; (c a), (s^2 v), c and c^2 of it
// likewise.
void GenotypeValues::times(const Design::TwoWeights& v, const Design::TwoProducts& out, Precision precision) const {
  const std::lock_guard hold(device_.lock());
  const Side side{by_sample(),       scale_.data(), centre_.data(), {{1, 0}, {1, 1}, {2, 0}, {2, 1}, {2, 2}},
                  row_scale_.data(), nullptr};
  multiply(side, v, out, precision == Precision::rough ? rough_digits : full_digits);
}

// X^T u = s (sum of copies r u - c (sum of r u - sum over unknown of r u)), and r^2 for the squares.
void GenotypeValues::transpose_times(const Design::TwoWeights& u, const Design::TwoProducts& out,
                                     Precision precision) const {
  const std::lock_guard hold(device_.lock());
  const Side side{by_variant(),  row_scale_.data(), nullptr, {{1, 0}, {1, 0}, {2, 0}, {2, 0}, {2, 0}},
                  scale_.data(), centre_.data()};
  multiply(side, u, out, precision == Precision::rough ? rough_digits : full_digits);
}

}  // namespace cavity::cuda
