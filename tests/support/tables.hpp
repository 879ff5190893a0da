// Data sets made in memory.
#pragma once

#include <cmath>
#include <string>

#include "base/random.hpp"
#include "cavity/dataset.hpp"
#include "table/matrix_size.hpp"

namespace cavity::test {

/// Correlated, skewed values on scales from 1 to 100, alternating labels, features g1, g2, ...
inline Dataset skewed_table(std::size_t samples, std::size_t features, std::uint64_t seed = 1) {
  Dataset table;
  Random random(seed);
  table.features = FeatureMatrix(samples, features);
  for (std::size_t i = 0; i < samples; ++i) {
    const double shared = random.normal();
    table.classes.push_back(i % 2 == 0 ? 1 : 0);
    for (std::size_t l = 0; l < features; ++l) {
      const double size =
          std::pow(10.0, 2.0 * static_cast<double>((l * 7919) % features) / static_cast<double>(features));
      table.features.dense().row(i)[l] = static_cast<float>(size * std::exp(0.5 * random.normal() + 0.3 * shared));
    }
  }
  table.sample_names = numbered_names("s", 1, samples);
  table.feature_names = numbered_names("g", 1, features);
  table.class_names = {"n", "t"};
  return table;
}

/// The same table with its columns in another order and one more column that no model knows.
inline Dataset reordered(const Dataset& data) {
  Dataset out = data;
  const std::size_t n = data.features.cols();
  out.features = FeatureMatrix(data.features.rows(), n + 1);
  out.feature_names.assign(n + 1, "unknown");
  for (std::size_t l = 0; l < n; ++l) {
    out.feature_names[n - l] = data.feature_names[l];
    for (std::size_t i = 0; i < data.features.rows(); ++i)
      out.features.dense().row(i)[n - l] = data.features.dense().row(i)[l];
  }
  return out;
}

}  // namespace cavity::test
