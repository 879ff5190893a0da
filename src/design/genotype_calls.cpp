#include "design/genotype_calls.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/pages.hpp"
#include "design/genotype_kernels.hpp"
#include "design/weight_unit.hpp"

namespace cavity {

using kernels::group_rows;

namespace {

constexpr std::size_t block_rows = kernels::most_groups * group_rows;
constexpr std::size_t tile_bytes = 2048;  // of each row of a block: the block stays in the second-level cache
constexpr std::size_t most_tasks = 16;    // each with sums of its own

std::span<const std::uint8_t> bytes_of(const GenotypeCalls& calls, std::span<const std::size_t> variants) {
  if (variants.empty()) return {};
  return {calls.row(variants.front()), calls.row(variants.back()) + calls.bytes_per_variant};
}

double largest_weight(const CallWeights& weights) {
  double largest = 0;
  for (std::size_t l = 0; l < weights.variants.size(); ++l) {
    const double size =
        std::max(std::abs(weights.per_copy[l]), weights.missing[l] != 0 ? std::abs(weights.if_missing[l]) : 0.0);
    if (!(size <= largest)) largest = size;  // keeps NaN
    if (std::isnan(largest)) return largest;
  }
  return largest;
}

// Rows and weights of a block of variants.
struct Block {
  const std::uint8_t* rows[block_rows];
  kernels::GroupWeights groups[kernels::most_groups];
  std::size_t group_count = 0;
  std::vector<std::uint8_t> changed;  // rows of their own, for two_copies_only

  void fill(const GenotypeCalls& calls, const CallWeights& weights, std::size_t first, std::size_t last,
            const WeightUnit& unit) {
    group_count = (last - first + group_rows - 1) / group_rows;
    for (std::size_t i = 0; i < group_count * group_rows; ++i) {
      const std::size_t l = first + i;
      kernels::GroupWeights& group = groups[i / group_rows];
      if (i % group_rows == 0) group.has_missing = false;
      rows[i] = calls.row(weights.variants[std::min(l, last - 1)]);
      const bool missing = l < last && weights.missing[l] != 0;
      kernels::set_weights(group, i % group_rows, l < last ? unit.integer(weights.per_copy[l]) : 0,
                           missing ? unit.integer(weights.if_missing[l]) : 0);
      group.has_missing |= missing;
    }
  }

  // 00 (two copies) becomes 10 (one), all others 11 (none).
  void keep_two_copies(std::size_t bytes) {
    changed.resize(group_count * group_rows * bytes);
    for (std::size_t i = 0; i < group_count * group_rows; ++i) {
      std::uint8_t* to = changed.data() + i * bytes;
      std::transform(rows[i], rows[i] + bytes, to,
                     [](unsigned b) { return static_cast<std::uint8_t>(0xAA | ((b | b >> 1) & 0x55)); });
      rows[i] = to;
    }
  }

  void add(std::size_t bytes, std::int64_t* sums, const std::uint8_t* ahead) const {
    for (std::size_t at = 0; at < bytes; at += tile_bytes) {
      const std::size_t count = std::min(tile_bytes, bytes - at);
      const std::uint8_t* tile[block_rows];
      for (std::size_t i = 0; i < group_count * group_rows; ++i) tile[i] = rows[i] + at;
      kernels::add_calls(tile, count, {groups, group_count}, sums + 4 * at, ahead + at * block_rows);
    }
  }
};

}  // namespace

void for_each_window(const GenotypeCalls& calls, std::span<const std::size_t> variants,
                     const std::function<void(std::size_t first, std::size_t last)>& work) {
  const std::size_t total = variants.size();
  if (bytes_of(calls, variants).size() <= calls.most_resident) {
    if (total > 0) work(0, total);
    return;
  }
  // The window at work and the one being fetched, each a quarter: pages are mapped in clusters around those touched.
  const std::size_t width = std::max(block_rows, calls.most_resident / 4 / calls.bytes_per_variant);
  for (std::size_t first = 0; first < total; first += width) {
    const std::size_t last = std::min(total, first + width);
    const auto next = bytes_of(calls, variants.subspan(last, std::min(width, total - last)));
    fetch_pages(next.data(), next.size());
    work(first, last);
    const auto done = bytes_of(calls, variants.subspan(first, last - first));
    release_pages(done.data(), done.size());
  }
}

void add_up_calls(const GenotypeCalls& calls, std::span<const std::size_t> samples, const CallWeights& weights,
                  std::span<double> out, ThreadPool& pool) {
  const double largest = largest_weight(weights);
  if (!std::isfinite(largest)) {
    std::fill(out.begin(), out.end(), std::numeric_limits<double>::quiet_NaN());
    return;
  }
  const WeightUnit unit(largest);
  const std::size_t padded = (calls.samples + 63) / 64 * 64;
  const std::size_t tasks = std::clamp<std::size_t>(weights.variants.size() / block_rows, 1, most_tasks);
  std::vector<std::int64_t> sums(tasks * padded);
  for_each_window(calls, weights.variants, [&](std::size_t begin, std::size_t end) {
    const std::size_t blocks = (end - begin + block_rows - 1) / block_rows;
    pool.run(tasks, [&](std::size_t task) {
      Block block;
      for (std::size_t b = blocks * task / tasks; b < blocks * (task + 1) / tasks; ++b) {
        const std::size_t first = begin + b * block_rows, last = std::min(end, first + block_rows);
        block.fill(calls, weights, first, last, unit);
        if (weights.two_copies_only) block.keep_two_copies(calls.bytes_per_variant);
        const std::uint8_t* ahead = calls.row(weights.variants[std::min(last, end - 1)]);
        block.add(calls.bytes_per_variant, sums.data() + task * padded, ahead);
      }
    });
  });
  for (std::size_t mu = 0; mu < samples.size(); ++mu) {
    std::int64_t sum = 0;
    for (std::size_t task = 0; task < tasks; ++task) sum += sums[task * padded + kernels::place(samples[mu])];
    out[mu] = unit.real(sum);
  }
}

GenotypeCounts genotype_counts(const GenotypeCalls& calls, std::span<const std::size_t> samples, ThreadPool& pool) {
  std::vector<std::uint8_t> used(calls.bytes_per_variant);
  for (const std::size_t mu : samples) used[mu / 4] |= static_cast<std::uint8_t>(1U << (2 * (mu % 4)));
  GenotypeCounts out;
  out.copies.resize(calls.variants);
  out.missing.resize(calls.variants);
  out.constant.resize(calls.variants);
  for (auto* values : {&out.mean, &out.deviation, &out.frequency}) values->resize(calls.variants);
  std::vector<std::size_t> all(calls.variants);
  for (std::size_t l = 0; l < all.size(); ++l) all[l] = l;
  for_each_window(calls, all, [&](std::size_t begin, std::size_t end) {
    constexpr std::size_t width = 256;  // variants a task
    pool.run((end - begin + width - 1) / width, [&](std::size_t block) {
      const std::size_t first = begin + block * width;
      for (std::size_t l = first; l < std::min(end, first + width); ++l) {
        const auto codes = kernels::count_codes(calls.row(l), used.data(), calls.bytes_per_variant);
        out.copies[l] = {codes.none, codes.one, codes.two};
        out.missing[l] = codes.missing;
        const double one = codes.one, two = codes.two, known = codes.none + one + two, count = std::max(known, 1.0);
        const double mean = out.mean[l] = (one + 2 * two) / count;
        out.frequency[l] = mean / 2;
        out.deviation[l] = std::sqrt(
            (codes.none * mean * mean + one * (1 - mean) * (1 - mean) + two * (2 - mean) * (2 - mean)) / count);
        out.constant[l] = std::max({codes.none, codes.one, codes.two}) == codes.none + codes.one + codes.two;
      }
    });
  });
  return out;
}

// (g - c)^2 = c^2 + g (1 - 2c) + 2 [g = 2]
std::vector<double> genotype_row_scales(const GenotypeCalls& calls, std::span<const std::size_t> samples,
                                        const GenotypeScaling& scaling, ThreadPool& pool) {
  const std::size_t n = scaling.kept.size();
  std::vector<double> per_copy(n), if_missing(n), squares(samples.size()), rest(samples.size()), scales(samples.size());
  double constant = 0;
  for (std::size_t l = 0; l < n; ++l) {
    const double c = scaling.centre[l], s2 = scaling.scale[l] * scaling.scale[l];
    constant += s2 * c * c;
    per_copy[l] = s2 * (1 - 2 * c);
    if_missing[l] = -s2 * c * c;
  }
  std::vector<std::uint8_t> missing(n, 1);
  add_up_calls(calls, samples, {scaling.kept, per_copy, if_missing, missing}, rest, pool);
  for (std::size_t l = 0; l < n; ++l) per_copy[l] = 2 * scaling.scale[l] * scaling.scale[l];
  std::fill(missing.begin(), missing.end(), 0);
  add_up_calls(calls, samples, {scaling.kept, per_copy, if_missing, missing, true}, squares, pool);
  for (std::size_t mu = 0; mu < samples.size(); ++mu) {
    const double length2 = constant + rest[mu] + squares[mu];
    // What rounding leaves of nothing: the weights' errors add up to less than this.
    const bool zero = !(length2 > 1e-9 * constant) && !(length2 > 0 && constant == 0);
    scales[mu] = zero ? 1 : std::sqrt(static_cast<double>(n) / length2);
  }
  return scales;
}

}  // namespace cavity
