#include "table/column_moments.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace cavity {

namespace {

constexpr std::size_t block_columns = 256;
constexpr double noise_level = 1e-6;

/// Sums of value - shift, the shift being the column's first known value: it lies among the values, so that the
/// subtraction in the variance costs at most a factor of the count.
struct Sums {
  std::array<double, block_columns> shift{}, sum{}, square{};
  std::array<float, block_columns> lowest{}, highest{};
  std::array<std::uint32_t, block_columns> known{};

  void add(std::size_t j, float value) {
    if (known[j] == 0) {
      shift[j] = value;
      lowest[j] = highest[j] = value;
    }
    const double difference = value - shift[j];
    sum[j] += difference;
    square[j] += difference * difference;
    lowest[j] = std::min(lowest[j], value);
    highest[j] = std::max(highest[j], value);
    ++known[j];
  }
};

void finish(const Sums& sums, std::size_t first, std::size_t count, std::size_t rows, ColumnMoments& out) {
  for (std::size_t j = 0; j < count; ++j) {
    const std::size_t l = first + j;
    const double known = std::max<double>(sums.known[j], 1);
    const double offset = sums.sum[j] / known;
    out.mean[l] = sums.shift[j] + offset;
    out.deviation[l] = std::sqrt(std::max(0.0, sums.square[j] / known - offset * offset));
    out.missing[l] = static_cast<std::uint32_t>(rows - sums.known[j]);
    const double largest = std::max(std::abs(sums.lowest[j]), std::abs(sums.highest[j]));
    out.constant[l] = sums.lowest[j] == sums.highest[j] || out.deviation[l] <= noise_level * largest;
  }
}

}  // namespace

ColumnMoment column_moment(std::span<const float> values) {
  Sums sums;
  for (const float value : values)
    if (!std::isnan(value)) sums.add(0, value);
  ColumnMoments out{{0}, {0}, {0}, {0}};
  finish(sums, 0, 1, values.size(), out);
  return {out.mean[0], out.deviation[0], out.missing[0], out.constant[0]};
}

ColumnMoments column_moments(const FeatureMatrix& values, std::size_t begin, std::size_t end, ThreadPool& pool) {
  const std::size_t columns = end - begin;
  ColumnMoments out{std::vector<double>(columns), std::vector<double>(columns), std::vector<std::uint32_t>(columns),
                    std::vector<std::uint8_t>(columns)};
  pool.run((columns + block_columns - 1) / block_columns, [&](std::size_t block) {
    const std::size_t first = block * block_columns, count = std::min(block_columns, columns - first);
    Sums sums;
    for (std::size_t i = 0; i < values.rows; ++i) {
      const float* row = values.row(i) + begin + first;
      for (std::size_t j = 0; j < count; ++j)
        if (!std::isnan(row[j])) sums.add(j, row[j]);
    }
    finish(sums, first, count, values.rows, out);
  });
  return out;
}

}  // namespace cavity
