// Gibbs learning for real: the sampler draws one (w, c) from the posterior, and that draw classifies; beside it the
// posterior mean, by AMP on the same data.
#pragma once

#include <vector>

#include "reproduce/interval.hpp"
#include "reproduce/section.hpp"

namespace cavity {

struct GibbsPoint {
  double teacher = 0, density = 0;
  MeanInterval one_draw, posterior_mean;  // true error, 95 % intervals over the experiments
  std::size_t experiments = 0, size = 0;
};

/// Ratio 1. At a density other than the teacher's the prior is the one that AMP's pruning conditions give.
std::vector<GibbsPoint> gibbs_points(const ReproduceOptions& options, double noise);

}  // namespace cavity
