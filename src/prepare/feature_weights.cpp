#include "prepare/feature_weights.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace cavity {

namespace {

/// Calls out(feature, factor, kept position) with factor = row scale * scale / sqrt(inputs).
template <class F>
std::vector<double> for_kept(const Preprocessing& p, std::size_t given, double row_scale, const F& value) {
  if (given != p.inputs()) throw std::invalid_argument(fmt::format("{} weights for {} inputs", given, p.inputs()));
  std::vector<double> out(p.feature_names.size(), 0.0);
  const double factor = row_scale / std::sqrt(static_cast<double>(p.inputs()));
  for (std::size_t j = 0; j < p.kept.size(); ++j) out[p.kept[j]] = factor * p.scale[j] * value(j);
  return out;
}

}  // namespace

std::vector<double> feature_weights(const Preprocessing& p, std::span<const double> mean, double mean_row_scale) {
  return for_kept(p, mean.size(), mean_row_scale, [&](std::size_t j) {
    if (p.directions == 0) return mean[j];
    double sum = 0;
    for (std::size_t k = 0; k < p.directions; ++k) sum += p.whitening[j * p.directions + k] * mean[k];
    return sum;
  });
}

std::vector<double> feature_deviations(const Preprocessing& p, std::span<const double> deviation,
                                       double mean_row_scale) {
  return for_kept(p, deviation.size(), mean_row_scale, [&](std::size_t j) {
    if (p.directions == 0) return deviation[j];
    double sum = 0;
    for (std::size_t k = 0; k < p.directions; ++k) {
      const double part = p.whitening[j * p.directions + k] * deviation[k];
      sum += part * part;
    }
    return std::sqrt(sum);
  });
}

}  // namespace cavity
