// Floor of the rough products: the packed calls once each, and for every call and digit of its weight (two to four, or
// three where samples are summed) 1/64 of an AVX-512 dot product. The others take twice that. Nothing here is larger
// than O(features + samples) beside the calls.
#include "design/genotype_design.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "file/pages.hpp"
#include "kernels/dense_kernels.hpp"
#include "kernels/genotype_kernels.hpp"
#include "kernels/weight_unit.hpp"

namespace cavity {

using kernels::group_rows;
using kernels::tile_width;

namespace {

constexpr std::size_t groups_a_task = 64;

// 00 (two copies) becomes 10 (one), all others 11 (none).
void keep_two_copies(const std::uint8_t* row, std::size_t bytes, std::uint8_t* out) {
  std::transform(row, row + bytes, out,
                 [](unsigned b) { return static_cast<std::uint8_t>(0xAA | ((b | b >> 1) & 0x55)); });
}

}  // namespace

GenotypeDesign::GenotypeDesign(GenotypeCalls calls, std::vector<std::size_t> samples, GenotypeScaling scaling,
                               std::vector<double> row_scale, std::span<const std::uint32_t> missing,
                               std::size_t most_in_tiles)
    : TiledDesign(samples.size(), scaling.kept.size(), most_in_tiles),
      calls_(calls),
      samples_(std::move(samples)),
      scaling_(std::move(scaling)),
      row_scale_(std::move(row_scale)),
      missing_(scaling_.kept.size()) {
  check(scaling_.centre.size(), features(), "centres");
  check(scaling_.scale.size(), features(), "scales");
  check(row_scale_.size(), this->samples(), "row scales");
  if (!missing.empty()) {
    check(missing.size(), features(), "counts of missing calls");
    std::transform(missing.begin(), missing.end(), missing_.begin(), [](auto count) { return count > 0; });
  } else {
    ThreadPool pool(1);
    const GenotypeCounts counts = genotype_counts(calls_, samples_, pool);
    for (std::size_t l = 0; l < features(); ++l) missing_[l] = counts.missing[scaling_.kept[l]] > 0;
  }
}

CallWeights GenotypeDesign::weights(std::span<const double> v) const {
  check(v.size(), features(), "weights");
  return {scaling_.kept,
          [this, v](std::size_t first, std::size_t last, double* per_copy, double* if_missing) {
            for (std::size_t l = first; l < last; ++l) {
              *per_copy = scaling_.scale[l] * v[l];
              *if_missing++ = scaling_.centre[l] * *per_copy++;
            }
          },
          missing_};
}

double GenotypeDesign::weight_span(std::span<const double> v, ThreadPool& pool) const {
  return largest_span(weights(v), pool);
}

void GenotypeDesign::do_times(std::span<const double> v, std::span<double> out, Precision precision,
                              ThreadPool& pool) const {
  const double span = weight_span(v, pool);
  if (precision == Precision::full) return times_within(span, v, out, pool);
  add_up_calls(calls_, samples_, weights(v), span, out, pool);
  centre_and_scale(v, out, pool);
}

void GenotypeDesign::times_within(double span, std::span<const double> v, std::span<double> out,
                                  ThreadPool& pool) const {
  check(out.size(), samples(), "products");
  const CallWeights all = weights(v);
  add_up_calls(calls_, samples_, all, span, out, pool);
  const WeightUnit unit = call_unit(span);
  CallWeights rest = all;
  rest.write = [&](std::size_t first, std::size_t last, double* per_copy, double* if_missing) {
    all.write(first, last, per_copy, if_missing);
    for (std::size_t i = 0; i < last - first; ++i) {
      per_copy[i] = unit.rest(per_copy[i]);
      if_missing[i] = unit.rest(if_missing[i]);
    }
  };
  std::vector<double> more(samples());
  add_up_calls(calls_, samples_, rest, 2 * unit.size(), more, pool);
  for (std::size_t mu = 0; mu < samples(); ++mu) out[mu] += more[mu];
  centre_and_scale(v, out, pool);
}

// x.v = r (sum over known calls of copies s v + sum over unknown ones of c s v - c.(s v)), from the sums.
void GenotypeDesign::centre_and_scale(std::span<const double> v, std::span<double> out, ThreadPool& pool) const {
  constexpr std::size_t width = 8192;  // features a block, each with its part of c.(s v)
  std::vector<double> parts((features() + width - 1) / width);
  pool.run(parts.size(), [&](std::size_t block) {
    for (std::size_t l = block * width; l < std::min(features(), (block + 1) * width); ++l)
      parts[block] += scaling_.centre[l] * (scaling_.scale[l] * v[l]);
  });
  const double shift = std::accumulate(parts.begin(), parts.end(), 0.0);
  for (std::size_t mu = 0; mu < samples(); ++mu) out[mu] = row_scale_[mu] * (out[mu] - shift);
}

std::vector<double> GenotypeDesign::scaled(std::span<const double> u, int power) const {
  std::vector<double> out(samples());
  for (std::size_t mu = 0; mu < samples(); ++mu)
    out[mu] = (power == 2 ? row_scale_[mu] * row_scale_[mu] : row_scale_[mu]) * u[mu];
  return out;
}

void GenotypeDesign::sum_samples(std::span<const double> values, const SampleSums& wanted, const UseSums& use,
                                 ThreadPool& pool) const {
  std::vector<std::int32_t> integers(calls_.samples);
  std::int64_t all = 0;
  for (std::size_t mu = 0; mu < samples(); ++mu) all += integers[samples_[mu]] = wanted.unit.integer(values[mu]);
  std::vector<kernels::Line> weights;
  kernels::arrange_weights(integers, weights);
  const std::size_t bytes = calls_.bytes_per_variant;
  for_each_window(calls_, scaling_.kept, [&](std::size_t begin, std::size_t end) {
    constexpr std::size_t width = groups_a_task * group_rows;
    const auto row = [&](std::size_t l) { return calls_.row(scaling_.kept[std::min(l, end - 1)]); };
    pool.run((end - begin + width - 1) / width, [&](std::size_t task) {
      const std::size_t first = begin + task * width, last = std::min(end, first + width);
      std::vector<std::uint8_t> twos(wanted.two_copies ? group_rows * bytes : 0);
      for (std::size_t l = first; l < last; l += group_rows) {
        const std::uint8_t* rows[group_rows] = {row(l), row(l + 1), row(l + 2), row(l + 3)};
        const std::size_t count = std::min(group_rows, last - l);
        const auto known = missing_.begin() + static_cast<std::ptrdiff_t>(l);
        const bool has_missing =
            std::any_of(known, known + static_cast<std::ptrdiff_t>(count), [](auto m) { return m != 0; });
        const std::uint8_t* ahead = row(l + 4 * group_rows);
        GroupSums sums{all, {}, {}, {}};
        dot_rows(rows, weights, wanted.digits, sums.copies, has_missing ? sums.missing : nullptr, ahead);
        if (wanted.two_copies) {
          for (std::size_t r = 0; r < group_rows; ++r) {
            keep_two_copies(rows[r], bytes, twos.data() + r * bytes);
            rows[r] = twos.data() + r * bytes;
          }
          dot_rows(rows, weights, wanted.digits, sums.two_copies, nullptr, twos.data());
        }
        use(l, count, sums);
      }
    });
  });
}

// A group's sums over all samples, range by range.
void GenotypeDesign::dot_rows(const std::uint8_t* const* rows, const std::vector<kernels::Line>& weights,
                              unsigned digits, std::int64_t* copies, std::int64_t* missing,
                              const std::uint8_t* ahead) const {
  constexpr std::size_t most = kernels::most_dot_samples / 4;
  const std::size_t bytes = calls_.bytes_per_variant;
  for (std::size_t at = 0; at < bytes; at += most) {
    const std::uint8_t* from[group_rows];
    for (std::size_t r = 0; r < group_rows; ++r) from[r] = rows[r] + at;
    kernels::dot_calls(from, std::min(most, bytes - at),
                       weights.data() + at / kernels::chunk_bytes * kernels::chunk_lines, digits, copies, missing,
                       ahead + at * group_rows);
  }
}

// x_l.u = s (sum over known calls of copies r u - c (sum of r u - sum over unknown calls of r u)), with r u rounded.
void GenotypeDesign::add_transposed(std::span<const double> values, const WeightUnit& unit, unsigned digits,
                                    std::span<double> out, ThreadPool& pool) const {
  const auto add = [&](std::size_t first, std::size_t count, const GroupSums& sums) {
    for (std::size_t r = 0, l = first; r < count; ++r, ++l)
      out[l] +=
          scaling_.scale[l] * (unit.real(sums.copies[r]) - scaling_.centre[l] * unit.real(sums.all - sums.missing[r]));
  };
  sum_samples(values, {unit, digits, false}, add, pool);
}

void GenotypeDesign::do_transpose_times(std::span<const double> u, std::span<double> out, Precision precision,
                                        ThreadPool& pool) const {
  std::vector<double> values = scaled(u, 1);
  const double largest = largest_size(values);
  std::fill(out.begin(), out.end(), std::isfinite(largest) ? 0 : std::numeric_limits<double>::quiet_NaN());
  if (!std::isfinite(largest)) return;
  if (precision == Precision::rough)
    return add_transposed(values, {largest, kernels::largest_short_weight}, 3, out, pool);
  const WeightUnit unit(largest, kernels::largest_weight), finer(unit.size(), kernels::largest_weight);
  add_transposed(values, unit, 4, out, pool);
  for (double& value : values) value = unit.rest(value);
  add_transposed(values, finer, 4, out, pool);
}

std::array<double, 4> GenotypeDesign::values(std::size_t feature) const {
  const double c = scaling_.centre[feature], s = scaling_.scale[feature];
  return {s * (2 - c), 0, s * (1 - c), s * (0 - c)};
}

void GenotypeDesign::pack_samples(std::size_t first_sample, std::size_t first_feature, std::size_t depth,
                                  double* tile) const {
  const std::size_t count = std::min(tile_width, samples() - first_sample);
  if (count < tile_width) std::fill_n(tile, depth * tile_width, 0.0);
  for (std::size_t k = 0; k < depth; ++k) {
    const auto value = values(first_feature + k);
    for (std::size_t i = 0; i < count; ++i)
      tile[k * tile_width + i] = row_scale_[first_sample + i] *
                                 value[calls_.code(scaling_.kept[first_feature + k], samples_[first_sample + i])];
  }
}

void GenotypeDesign::pack_features(std::size_t first_feature, std::size_t first_sample, std::size_t depth,
                                   double* tile) const {
  const std::size_t count = std::min(tile_width, features() - first_feature);
  if (count < tile_width) std::fill_n(tile, depth * tile_width, 0.0);
  for (std::size_t i = 0; i < count; ++i) {
    const auto value = values(first_feature + i);
    for (std::size_t k = 0; k < depth; ++k)
      tile[k * tile_width + i] = row_scale_[first_sample + k] *
                                 value[calls_.code(scaling_.kept[first_feature + i], samples_[first_sample + k])];
  }
}

void GenotypeDesign::done_with(std::size_t first, std::size_t last) const {
  if (calls_.variants * calls_.bytes_per_variant <= calls_.most_resident || first >= last) return;
  const std::uint8_t* from = calls_.row(scaling_.kept[first]);
  release_pages(from, static_cast<std::size_t>(calls_.row(scaling_.kept[last - 1]) + calls_.bytes_per_variant - from));
}

void GenotypeDesign::columns(std::span<const std::size_t> which, Matrix& out) const {
  out.resize(static_cast<Eigen::Index>(samples()), static_cast<Eigen::Index>(which.size()));
  for (std::size_t j = 0; j < which.size(); ++j) {
    const auto value = values(which[j]);
    for (std::size_t mu = 0; mu < samples(); ++mu)
      out(static_cast<Eigen::Index>(mu), static_cast<Eigen::Index>(j)) =
          row_scale_[mu] * value[calls_.code(scaling_.kept[which[j]], samples_[mu])];
  }
}

}  // namespace cavity
