// Teacher-student data: rows uniform on the sphere |x|^2 = N, a sparse Gaussian teacher, labels flipped with `noise`.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "cavity/dataset.hpp"

namespace cavity {

enum class FeatureNames { numbered, genes };  // x1, x2, ...; or letters and a digit, as genes have: BTK3

struct SimulationOptions {
  std::size_t samples = 0, features = 0;
  double teacher = 0.1;  // density of the teacher, in (0, 1]
  double noise = 0;      // label-flip probability, in [0, 1/2)
  std::uint64_t seed = 1;
  std::size_t skip = 0;  // samples of the same stream left out: with skip = 100 the first one drawn is the 101st
  FeatureNames names = FeatureNames::numbered;
  std::array<std::string, 2> class_names = {"-1", "1"};  // negative, positive
};

struct Simulation {
  Dataset data;
  std::vector<double> teacher;  // one weight a feature; 0 for the pruned ones
};

/// The teacher depends on the seed, its density and the features only, and a sample on the seed and its number, so that
/// `skip` gives further samples of the same teacher.
Simulation simulate(const SimulationOptions& options);

/// Probability that sign(x . mean) is wrong for a new x: noise + (1 - 2 noise) arccos(cosine)/pi.
double true_error(const std::vector<double>& teacher, const std::vector<double>& mean, double noise);

}  // namespace cavity
