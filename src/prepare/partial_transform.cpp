#include "prepare/partial_transform.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "prepare/transform.hpp"

namespace cavity {

namespace {

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
  std::vector<std::vector<float>> sorted(training.rows);
  pool.run(training.rows, [&](std::size_t mu) {
    sorted[mu] = picked(training.row(mu), there);
    std::sort(sorted[mu].begin(), sorted[mu].end());
  });
  reference_.assign(there.size(), 0);
  for (const std::vector<float>& row : sorted)
    for (std::size_t k = 0; k < row.size(); ++k) reference_[k] += static_cast<double>(row[k]) / samples;
}

void PartialTransform::operator()(std::span<float> row) const {
  if (there_.empty()) return;
  if (kind_ == Transform::rank) rank(row);
  if (kind_ == Transform::asinh) asinh(row);
}

void PartialTransform::rank(std::span<float> row) const {
  std::vector<std::uint32_t> order(there_.begin(), there_.end());
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return row[a] < row[b]; });
  for (std::size_t i = 0, end = 0; i < order.size(); i = end) {
    double sum = 0;
    const float tied = row[order[i]];
    while (end < order.size() && row[order[end]] == tied) sum += reference_[end++];
    for (std::size_t k = i; k < end; ++k) row[order[k]] = static_cast<float>(sum / static_cast<double>(end - i));
  }
}

void PartialTransform::asinh(std::span<float> row) const {
  const Location at = location(row.data(), there_);
  for (const std::uint32_t l : there_) {
    const double unit = at.spread > 0 ? (std::sinh(static_cast<double>(row[l])) - at.middle) / at.spread : 0;
    row[l] = static_cast<float>(std::asinh(middle_ + spread_ * unit));
  }
}

}  // namespace cavity
