// Teacher-student data: rows uniform on the sphere |x|^2 = N, a sparse Gaussian teacher, labels flipped with `noise`.
#pragma once

#include <cstdint>
#include <vector>

#include "cavity/dataset.hpp"

namespace cavity {

struct SimulationOptions {
  std::size_t samples = 0, features = 0;
  double teacher = 0.1;  // density of the teacher, in (0, 1]
  double noise = 0;      // label-flip probability, in [0, 1/2)
  std::uint64_t seed = 1;
};

struct Simulation {
  Dataset data;
  std::vector<double> teacher;  // one weight a feature; 0 for the pruned ones
};

/// The teacher depends on the seed and the features only, so that more samples come from the same teacher.
Simulation simulate(const SimulationOptions& options);

/// Probability that sign(x . mean) is wrong for a new x: noise + (1 - 2 noise) arccos(cosine)/pi.
double true_error(const std::vector<double>& teacher, const std::vector<double>& mean, double noise);

}  // namespace cavity
