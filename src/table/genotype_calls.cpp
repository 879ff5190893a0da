#include "table/genotype_calls.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "file/pages.hpp"
#include "kernels/genotype_kernels.hpp"

namespace cavity {

namespace {

constexpr std::size_t block_rows = kernels::most_variants;
static_assert(block_rows == CallWeights::most_at_once);
constexpr std::size_t tile_bytes = 2048;  // of each row of a block: the block stays in the second-level cache
constexpr std::size_t most_tasks = 16;    // each with sums of its own

std::span<const std::uint8_t> bytes_of(const GenotypeCalls& calls, std::span<const std::size_t> variants) {
  if (variants.empty()) return {};
  return {calls.row(variants.front()), calls.row(variants.back()) + calls.bytes_per_variant};
}

// Rows and weights of a block of variants.
struct Block {
  const std::uint8_t* rows[block_rows];
  kernels::CallWeight weights[block_rows];
  std::size_t count = 0;
  std::vector<std::uint8_t> changed;  // rows of their own, for two_copies_only

  void fill(const GenotypeCalls& calls, const CallWeights& of, std::size_t first, std::size_t last,
            const WeightUnit& unit) {
    count = last - first;
    double per_copy[block_rows], if_missing[block_rows];
    of.write(first, last, per_copy, if_missing);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint8_t missing = of.missing[first + i];
      rows[i] = calls.row(of.variants[first + i]);
      weights[i] = {unit.integer(per_copy[i]), missing != 0 ? unit.integer(if_missing[i]) : 0, missing};
    }
  }

  // 00 (two copies) becomes 10 (one), all others 11 (none).
  void keep_two_copies(std::size_t bytes) {
    changed.resize(count * bytes);
    for (std::size_t i = 0; i < count; ++i) {
      std::uint8_t* to = changed.data() + i * bytes;
      std::transform(rows[i], rows[i] + bytes, to,
                     [](unsigned b) { return static_cast<std::uint8_t>(0xAA | ((b | b >> 1) & 0x55)); });
      rows[i] = to;
    }
  }

  void add(std::size_t bytes, std::int64_t* sums, const std::uint8_t* ahead) const {
    for (std::size_t at = 0; at < bytes; at += tile_bytes) {
      const std::uint8_t* tile[block_rows];
      for (std::size_t i = 0; i < count; ++i) tile[i] = rows[i] + at;
      kernels::add_calls(tile, std::min(tile_bytes, bytes - at), {weights, count}, sums + 4 * at,
                         ahead + at * block_rows);
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
  // Half: the window being fetched is in the system's cache, not mapped, but pages come in clusters.
  const std::size_t width = std::max(block_rows, calls.most_resident / 2 / calls.bytes_per_variant);
  const auto window = [&](std::size_t first) {
    return bytes_of(calls, variants.subspan(first, std::min(width, total - first)));
  };
  for (std::size_t first = 0; first < total; first += width) {
    const std::size_t last = std::min(total, first + width);
    const auto now = window(first), next = window(last);
    fetch_pages(next.data(), next.size());
    map_pages(now.data(), now.size());
    work(first, last);
    release_pages(now.data(), now.size());
  }
}

// Tasks write their own maxima: the largest does not depend on their order.
double largest_span(const CallWeights& weights, ThreadPool& pool) {
  constexpr std::size_t lanes = 8, blocks_a_task = 64;
  const std::size_t n = weights.variants.size(), blocks = (n + block_rows - 1) / block_rows;
  std::vector<double> largest((blocks + blocks_a_task - 1) / blocks_a_task);
  pool.run(largest.size(), [&](std::size_t task) {
    double per_copy[block_rows], if_missing[block_rows];
    double most[lanes] = {}, check[lanes] = {};  // sums of zeros, NaN if one of them is
    for (std::size_t b = task * blocks_a_task; b < std::min(blocks, (task + 1) * blocks_a_task); ++b) {
      const std::size_t first = b * block_rows, count = std::min(n, first + block_rows) - first;
      std::fill_n(per_copy, block_rows, 0.0);
      weights.write(first, first + count, per_copy, if_missing);
      const std::span<const std::uint8_t> missing = weights.missing.subspan(first, count);
      if (std::any_of(missing.begin(), missing.end(), [](auto m) { return m != 0; })) {
        for (std::size_t i = 0; i < block_rows; ++i)
          if (i >= count || missing[i] == 0) if_missing[i] = 0;
      } else {
        std::fill_n(if_missing, block_rows, 0.0);
      }
      for (std::size_t i = 0; i < block_rows; i += lanes)
        for (std::size_t k = 0; k < lanes; ++k) {
          const double two = 2 * per_copy[i + k], other = if_missing[i + k];
          const double high = two > other ? two : other, low = two > other ? other : two;
          const double span = (high > 0 ? high : 0) - (low < 0 ? low : 0);
          most[k] = span > most[k] ? span : most[k];
          check[k] += 0 * two + 0 * other;
        }
    }
    largest[task] = *std::max_element(most, most + lanes) + std::accumulate(check, check + lanes, 0.0);
  });
  if (std::any_of(largest.begin(), largest.end(), [](double each) { return std::isnan(each); }))
    return std::numeric_limits<double>::infinity();
  return n == 0 ? 0 : *std::max_element(largest.begin(), largest.end());
}

WeightUnit call_unit(double span) {
  return {span, kernels::largest_span - 3};  // two of three rounded values differ by 3/2 more
}

void add_up_calls(const GenotypeCalls& calls, std::span<const std::size_t> samples, const CallWeights& weights,
                  double span, std::span<double> out, ThreadPool& pool) {
  if (!std::isfinite(span)) {
    std::fill(out.begin(), out.end(), std::numeric_limits<double>::quiet_NaN());
    return;
  }
  const WeightUnit unit = call_unit(span);
  const std::size_t padded =
      (calls.samples + kernels::chunk_samples - 1) / kernels::chunk_samples * kernels::chunk_samples;
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
std::vector<double> genotype_row_squares(const GenotypeCalls& calls, std::span<const std::size_t> samples,
                                         const GenotypeScaling& scaling, ThreadPool& pool, const Shards& shards) {
  const std::size_t n = scaling.kept.size();
  const auto scale2 = [&](std::size_t l) { return scaling.scale[l] * scaling.scale[l]; };
  const auto mean2 = [&](std::size_t l) { return scale2(l) * scaling.centre[l] * scaling.centre[l]; };
  double constant = 0;
  for (std::size_t l = 0; l < n; ++l) constant += mean2(l);
  constant = shards.sum(constant);
  const std::vector<std::uint8_t> all(n, 1), none(n, 0);
  const CallWeights linear{scaling.kept,
                           [&](std::size_t first, std::size_t last, double* per_copy, double* if_missing) {
                             for (std::size_t l = first; l < last; ++l) {
                               *per_copy++ = scale2(l) * (1 - 2 * scaling.centre[l]);
                               *if_missing++ = -mean2(l);
                             }
                           },
                           all};
  const CallWeights twos{scaling.kept,
                         [&](std::size_t first, std::size_t last, double* per_copy, double*) {
                           for (std::size_t l = first; l < last; ++l) *per_copy++ = 2 * scale2(l);
                         },
                         none, true};
  const auto add_up = [&](const CallWeights& weights) {
    std::vector<double> sums(samples.size());
    add_up_calls(calls, samples, weights, shards.largest(largest_span(weights, pool)), sums, pool);
    shards.sum(sums);
    return sums;
  };
  const std::vector<double> rest = add_up(linear);
  std::vector<double> squares = add_up(twos);
  for (std::size_t mu = 0; mu < samples.size(); ++mu) {
    const double length2 = constant + rest[mu] + squares[mu];
    // What rounding leaves of nothing: the weights' errors add up to less than this.
    const bool zero = !(length2 > 1e-9 * constant) && !(length2 > 0 && constant == 0);
    squares[mu] = zero ? 0 : length2;
  }
  return squares;
}

}  // namespace cavity
