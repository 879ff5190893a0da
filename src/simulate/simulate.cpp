#include "cavity/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>

#include "base/random.hpp"
#include "cavity/errors.hpp"

namespace cavity {

namespace {

void check(const SimulationOptions& options) {
  if (options.samples == 0 || options.features == 0)
    throw UsageError(
        fmt::format("simulate needs samples and features, got {} and {}", options.samples, options.features));
  if (!(options.teacher > 0 && options.teacher <= 1))
    throw UsageError(fmt::format("teacher density {} is outside (0, 1]", options.teacher));
  if (!(options.noise >= 0 && options.noise < 0.5))
    throw UsageError(fmt::format("noise {} is outside [0, 0.5)", options.noise));
  if (options.class_names[0] == options.class_names[1])
    throw UsageError(fmt::format("both classes are called '{}'", options.class_names[0]));
}

// Exactly round(teacher N) kept features (at least one), chosen uniformly, with standard normal weights.
std::vector<double> draw_teacher(const SimulationOptions& options) {
  Random random(options.seed, 0);
  const std::size_t n = options.features;
  const auto kept =
      std::max<std::size_t>(1, static_cast<std::size_t>(std::llround(options.teacher * static_cast<double>(n))));
  std::vector<std::size_t> order(n);
  for (std::size_t i = 0; i < n; ++i) order[i] = i;
  std::vector<double> teacher(n, 0);
  for (std::size_t i = 0; i < kept; ++i) {
    std::swap(order[i], order[i + random.below(n - i)]);
    teacher[order[i]] = random.normal();
  }
  return teacher;
}

// Different for different positions: families of nine, told apart by three consonants or more. The multiplier shares no
// factor with the number of families of that length, so it only shuffles them.
std::string gene_name(std::size_t position) {
  constexpr std::string_view letters = "BCDFGHJKLMNPQRSTVWXZ";
  std::size_t family = position / 9, families = 8000, length = 3;
  while (family >= families) {
    family -= families;
    families *= letters.size();
    ++length;
  }
  family = family * 3307 % families;
  std::string name;
  for (std::size_t i = 0; i < length; ++i, family /= letters.size()) name += letters[family % letters.size()];
  return name + static_cast<char>('1' + position % 9);
}

}  // namespace

Simulation simulate(const SimulationOptions& options) {
  check(options);
  Simulation made;
  made.teacher = draw_teacher(options);
  const std::size_t n = options.features;
  Dataset& data = made.data;
  FeatureMatrix values(options.samples, n);
  data.class_names = {options.class_names[0], options.class_names[1]};
  for (std::size_t l = 0; l < n; ++l)
    data.feature_names.push_back(options.names == FeatureNames::genes ? gene_name(l) : fmt::format("x{}", l + 1));
  std::vector<double> row(n);
  for (std::size_t mu = 0; mu < options.samples; ++mu) {
    Random random(options.seed, options.skip + mu + 1);
    double square = 0, field = 0;
    for (auto& x : row) {
      x = random.normal();
      square += x * x;
    }
    const double scale = std::sqrt(static_cast<double>(n) / square);
    for (std::size_t l = 0; l < n; ++l) {
      values.row(mu)[l] = static_cast<float>(scale * row[l]);
      field += row[l] * made.teacher[l];
    }
    const bool flip = random.bernoulli(options.noise);
    data.classes.push_back((field > 0) != flip ? 1 : 0);
    data.sample_names.push_back(fmt::format("{}", options.skip + mu + 1));
  }
  data.features = std::move(values);
  return made;
}

double true_error(const std::vector<double>& teacher, const std::vector<double>& mean, double noise) {
  double dot = 0, a = 0, b = 0;
  for (std::size_t l = 0; l < teacher.size(); ++l) {
    dot += teacher[l] * mean[l];
    a += teacher[l] * teacher[l];
    b += mean[l] * mean[l];
  }
  const double cosine = a > 0 && b > 0 ? dot / std::sqrt(a * b) : 0;
  return noise + (1 - 2 * noise) * std::acos(std::clamp(cosine, -1.0, 1.0)) / std::numbers::pi;
}

}  // namespace cavity
