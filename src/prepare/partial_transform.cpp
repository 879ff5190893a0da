#include "prepare/partial_transform.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

#include "prepare/sort_by_key.hpp"

namespace cavity {

namespace {

constexpr std::size_t most_looked_at = 64;  // training samples whose order statistics are averaged

double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return 0.5 * (*std::max_element(values.begin(), middle) + *middle);
}

struct Location {
  double middle, spread;  // spread: 0 where all values are equal
};

/// Of the values before asinh, up to shift and scale; as the transform itself measures them.
Location location(const float* row, std::span<const std::uint32_t> there) {
  std::vector<double> values;
  for (const std::uint32_t l : there) values.push_back(std::sinh(static_cast<double>(row[l])));
  const double middle = median(values);
  double mean = 0;
  for (double& value : values) {
    value = std::abs(value - middle);
    mean += value / static_cast<double>(values.size());
  }
  const double half = 1.4826 * median(values);
  return {middle, half > 0 ? half : 1.2533 * mean};
}

std::vector<float> picked(const float* row, std::span<const std::uint32_t> there) {
  std::vector<float> out;
  out.reserve(there.size());
  for (const std::uint32_t l : there) out.push_back(row[l]);
  return out;
}

void sort(std::vector<float>& values) {
  std::vector<std::uint64_t> items, spare(values.size());
  for (const float value : values)
    items.push_back(std::uint64_t{sort_key(value)} << 32 | std::bit_cast<std::uint32_t>(value));
  sort_by_key(items, spare);
  for (std::size_t k = 0; k < values.size(); ++k)
    values[k] = std::bit_cast<float>(static_cast<std::uint32_t>(items[k]));
}

}  // namespace

PartialTransform::PartialTransform(Transform kind, const FeatureMatrix& training, std::span<const std::uint32_t> there,
                                   ThreadPool& pool)
    : kind_(kind), there_(there) {
  if (!looks_at_samples(kind) || there.empty()) return;
  const auto samples = static_cast<double>(training.rows);
  if (kind == Transform::asinh) {
    spread_ = 0;
    for (std::size_t mu = 0; mu < training.rows; ++mu) {
      const Location at = location(training.row(mu), there);
      middle_ += at.middle / samples;
      spread_ += at.spread / samples;
    }
    return;
  }
  const std::size_t count = std::min(most_looked_at, training.rows);
  std::vector<std::vector<float>> sorted(count);
  pool.run(count, [&](std::size_t i) {
    sorted[i] = picked(training.row(i * training.rows / count), there);
    sort(sorted[i]);
  });
  std::vector<double> place(there.size(), 0);
  for (const std::vector<float>& row : sorted)
    for (std::size_t k = 0; k < row.size(); ++k) place[k] += static_cast<double>(row[k]) / static_cast<double>(count);
  std::vector<float> scores;
  for (std::size_t k = 0; k + 1 < 2 * place.size(); ++k)
    scores.push_back(static_cast<float>(0.5 * (place[k / 2] + place[(k + 1) / 2])));
  rank_.emplace(std::move(scores));
}

void PartialTransform::operator()(std::span<float> row) {
  if (there_.empty()) return;
  if (kind_ == Transform::asinh) return asinh(row);
  if (!rank_) return;
  std::vector<float> known = picked(row.data(), there_);
  (*rank_)(known);
  for (std::size_t k = 0; k < known.size(); ++k) row[there_[k]] = known[k];
}

void PartialTransform::asinh(std::span<float> row) const {
  const Location at = location(row.data(), there_);
  for (const std::uint32_t l : there_) {
    const double unit = at.spread > 0 ? (std::sinh(static_cast<double>(row[l])) - at.middle) / at.spread : 0;
    row[l] = static_cast<float>(std::asinh(middle_ + spread_ * unit));
  }
}

}  // namespace cavity
