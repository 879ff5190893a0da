// A zoo of designs that break solvers: small, each with the name of what is wrong with it.
#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "cavity/dataset.hpp"
#include "table/matrix_size.hpp"

namespace cavity::test {

struct HardDesign {
  std::string name;
  Dataset data;
};

using Fill = std::function<double(std::size_t sample, std::size_t feature, Random& random)>;
using Label = std::function<bool(std::size_t sample, const float* row, Random& random)>;

inline HardDesign hard_design(const std::string& name, std::size_t samples, std::size_t features, const Fill& fill,
                              const Label& label) {
  Dataset d;
  Random random(std::hash<std::string>{}(name) % 1000 + 1);
  d.features = FeatureMatrix(samples, features);
  for (std::size_t i = 0; i < samples; ++i)
    for (std::size_t l = 0; l < features; ++l) d.features.dense().row(i)[l] = static_cast<float>(fill(i, l, random));
  for (std::size_t i = 0; i < samples; ++i) d.classes.push_back(label(i, d.features.dense().row(i), random) ? 1 : 0);
  // Two classes are required: the last two samples see to it.
  d.classes[samples - 2] = 1;
  d.classes[samples - 1] = 0;
  d.feature_names = numbered_names("x", 1, features);
  d.sample_names = numbered_names("", 1, samples);
  d.class_names = {"n", "t"};
  return {name, d};
}

/// At least sixty of them.
inline std::vector<HardDesign> hard_designs() {
  const Fill normal = [](std::size_t, std::size_t, Random& r) { return r.normal(); };
  const Label coin = [](std::size_t, const float*, Random& r) { return r.bernoulli(0.5); };
  const Label by_first = [](std::size_t, const float* row, Random&) { return row[0] > 0; };
  const Label noisy = [](std::size_t, const float* row, Random& r) { return (row[0] > 0) != r.bernoulli(0.1); };
  const Label alternating = [](std::size_t i, const float*, Random&) { return i % 2 == 0; };
  const Label rare = [](std::size_t i, const float*, Random&) { return i % 20 == 3; };
  const Label one = [](std::size_t i, const float*, Random&) { return i == 0; };
  std::vector<HardDesign> zoo;
  const auto add = [&](const std::string& name, std::size_t m, std::size_t n, const Fill& fill, const Label& label) {
    zoo.push_back(hard_design(name, m, n, fill, label));
  };
  // Shapes
  for (const std::size_t n : {1, 2, 3, 5}) {
    add("features " + std::to_string(n) + " separable", 20, n, normal, by_first);
    add("features " + std::to_string(n) + " noisy", 20, n, normal, noisy);
    add("features " + std::to_string(n) + " no signal", 20, n, normal, coin);
  }
  add("2 samples", 2, 10, normal, coin);
  add("2 samples 1 feature", 2, 1, normal, coin);
  add("3 samples", 3, 10, normal, coin);
  add("4 samples 100 features", 4, 100, normal, by_first);
  add("more samples than features", 80, 8, normal, noisy);
  add("far more samples than features", 150, 3, normal, noisy);
  add("square", 20, 20, normal, noisy);
  add("wide", 12, 300, normal, by_first);
  // Labels
  add("no signal", 30, 40, normal, coin);
  add("no signal wide", 20, 200, normal, coin);
  add("alternating", 30, 10, normal, alternating);
  add("one sample in a class", 20, 15, normal, one);
  add("one sample in a class, wide", 20, 100, normal, one);
  add("95 % one class", 60, 20, normal, rare);
  add("95 % one class, wide", 40, 150, normal, rare);
  add("separable", 30, 30, normal, by_first);
  add(
      "separable by far", 30, 30,
      [](std::size_t i, std::size_t l, Random& r) { return l == 0 ? (i % 2 ? 100.0 : -100.0) : r.normal(); }, by_first);
  add(
      "a feature is the label", 30, 20,
      [](std::size_t i, std::size_t l, Random& r) { return l == 0 ? (i % 2 ? 1.0 : -1.0) : r.normal(); }, by_first);
  add(
      "every feature is the label", 20, 10, [](std::size_t i, std::size_t, Random&) { return i % 2 ? 1.0 : -1.0; },
      by_first);
  add("exclusive or", 40, 2, normal, [](std::size_t, const float* x, Random&) { return (x[0] > 0) != (x[1] > 0); });
  // Copies
  add(
      "duplicated columns", 30, 30, [](std::size_t i, std::size_t l, Random&) { return std::sin(1.7 * i + l % 3); },
      by_first);
  add(
      "all columns equal", 20, 15, [](std::size_t i, std::size_t, Random&) { return std::sin(2.3 * i); }, by_first);
  add(
      "all columns equal, no signal", 20, 15, [](std::size_t i, std::size_t, Random&) { return std::sin(2.3 * i); },
      coin);
  add(
      "negated columns", 20, 16,
      [](std::size_t i, std::size_t l, Random&) { return (l % 2 ? -1 : 1) * std::sin(1.3 * i + l / 2); }, by_first);
  add(
      "duplicated rows", 30, 20,
      [](std::size_t i, std::size_t l, Random&) { return std::sin(1.1 * (i / 3) + 2.7 * l); }, by_first);
  add(
      "duplicated rows of both classes", 30, 20,
      [](std::size_t i, std::size_t l, Random&) { return std::sin(1.1 * (i / 2) + 2.7 * l); }, alternating);
  add(
      "all rows but two equal", 20, 10,
      [](std::size_t i, std::size_t l, Random&) { return i < 18 ? 1.0 + l : std::sin(3.1 * i + l); }, coin);
  // Rank and correlation
  add(
      "rank one", 20, 20, [](std::size_t i, std::size_t l, Random&) { return std::sin(1.0 + i) * std::cos(1.0 + l); },
      by_first);
  add(
      "rank two", 20, 40,
      [](std::size_t i, std::size_t l, Random&) { return std::sin(1.0 + i) + std::cos(2.0 * i) * std::sin(l); },
      by_first);
  for (const double rho : {0.9, 0.99, 0.999, 0.999999}) {
    const Fill blocks = [rho](std::size_t i, std::size_t l, Random& r) {
      Random shared(i * 1000 + l / 10, 5);
      return std::sqrt(rho) * shared.normal() + std::sqrt(1 - rho) * r.normal();
    };
    add("blocks correlated " + std::to_string(rho), 30, 60, blocks, noisy);
    add("one block correlated " + std::to_string(rho), 20, 10, blocks, noisy);
  }
  add(
      "trend", 30, 25, [](std::size_t i, std::size_t l, Random& r) { return 0.1 * i * l + 0.01 * r.normal(); }, coin);
  // Values
  add(
      "scales 1e6 apart", 30, 20,
      [](std::size_t, std::size_t l, Random& r) { return r.normal() * (l % 2 ? 1e6 : 1.0); }, by_first);
  add(
      "scales 1e30 apart", 30, 20,
      [](std::size_t, std::size_t l, Random& r) { return r.normal() * (l % 2 ? 1e30 : 1.0); }, by_first);
  add(
      "samples 1e6 apart", 30, 20,
      [](std::size_t i, std::size_t, Random& r) { return r.normal() * (i % 2 ? 1e6 : 1.0); }, noisy);
  add(
      "far from zero", 30, 20, [](std::size_t, std::size_t, Random& r) { return 1e6 + r.normal(); }, coin);
  add(
      "Cauchy", 30, 40, [](std::size_t, std::size_t, Random& r) { return r.normal() / r.normal(); }, noisy);
  add(
      "heavier than Cauchy", 30, 40, [](std::size_t, std::size_t, Random& r) { return std::pow(r.uniform(), -3.0); },
      coin);
  add(
      "log-normal", 30, 40, [](std::size_t, std::size_t, Random& r) { return std::exp(3 * r.normal()); }, noisy);
  add(
      "denormal", 20, 10, [](std::size_t, std::size_t, Random& r) { return 1e-42 * r.normal(); }, by_first);
  add(
      "some denormal", 20, 10, [](std::size_t, std::size_t l, Random& r) { return (l % 2 ? 1e-42 : 1.0) * r.normal(); },
      by_first);
  add(
      "huge", 20, 10, [](std::size_t, std::size_t, Random& r) { return 1e38 * std::tanh(r.normal()); }, by_first);
  add(
      "huge and denormal", 20, 10,
      [](std::size_t, std::size_t l, Random& r) { return (l % 2 ? 1e-42 : 1e38) * std::tanh(r.normal()); }, by_first);
  add(
      "one outlier", 30, 20,
      [](std::size_t i, std::size_t l, Random& r) { return i == 4 && l == 2 ? 1e30 : r.normal(); }, noisy);
  add(
      "all zeros but one", 20, 30, [](std::size_t i, std::size_t l, Random&) { return i == 3 && l == 5 ? 1.0 : 0.0; },
      coin);
  add(
      "sparse 0/1", 30, 60, [](std::size_t, std::size_t, Random& r) { return r.bernoulli(0.03) ? 1.0 : 0.0; }, coin);
  add(
      "counts", 30, 40, [](std::size_t, std::size_t, Random& r) { return std::floor(3 * r.exponential()); }, coin);
  add(
      "constant rows", 20, 10, [](std::size_t i, std::size_t, Random&) { return 1.0 + i; }, alternating);
  add(
      "constant but one row", 20, 10, [](std::size_t i, std::size_t l, Random&) { return i == 7 ? 1.0 + l : 0.0; },
      alternating);
  add(
      "half missing", 30, 20,
      [](std::size_t, std::size_t, Random& r) { return r.bernoulli(0.5) ? std::nan("") : r.normal(); }, noisy);
  add(
      "nearly all missing", 30, 20,
      [](std::size_t, std::size_t, Random& r) { return r.bernoulli(0.95) ? std::nan("") : r.normal(); }, coin);
  return zoo;
}

}  // namespace cavity::test
