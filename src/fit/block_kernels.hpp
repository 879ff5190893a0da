// Several blocks of features as kernels over samples, each with a scale of its own:
//   fields f ~ N(0, K),   K = sum_b e^t_b G_b + level,   G_b = X_b X_b^T/N_b,   labels by a probit of width 1,
// every feature kept. A feature of block b then has the prior variance e^t_b/N_b: a block is as wide as its features
// make it, t_b = ln(N_b/N) + a common number, or as the labels want it. Scales are found by ascent of
//   sum over questions of ln evidence - sum_b (d_b - d)^2/(2 spread^2) - d^2/(2 total^2),   d_b = t_b - ln(N_b/N),
// d their mean; at EP's fixed point d ln evidence/d t_b = e^t_b sum (b b^T - W)/2 o G_b (infer/kernel_slope.hpp). There
// are many peaks where a wide block is as good as noise: several starts. A step costs some EP updates, samples^3 each.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assess/sample_groups.hpp"
#include "base/matrix.hpp"
#include "base/threads.hpp"

namespace cavity {

struct BlockKernels {
  std::vector<Matrix> gram;      // a block: G_b
  std::vector<double> features;  // N_b
  Matrix level;                  // of intercept and covariates
};

struct BlockLabels {
  std::vector<std::vector<std::int8_t>> questions;  // +1, -1 a sample
  const SampleGroups* groups = nullptr;             // left out together; none: each alone
};

/// t_b of all blocks: the two most promising starts climb, of the blocks' widths, all alike, and each of them alone.
std::vector<double> find_block_scales(const BlockKernels& kernels, const BlockLabels& labels, ThreadPool& pool);

/// Of the blocks `which`, in their order: from those of all, or from all alike, whichever promises more.
std::vector<double> find_scales_of_some(const BlockKernels& kernels, std::span<const std::size_t> which,
                                        std::span<const double> of_all, const BlockLabels& labels, ThreadPool& pool);

/// A question, a sample: the probability of its own side by the others. Empty where EP finds none.
std::vector<std::vector<double>> left_out_by_blocks(const BlockKernels& kernels, std::span<const std::size_t> which,
                                                    std::span<const double> log_scales, const BlockLabels& labels,
                                                    ThreadPool& pool);

/// On the inputs of each block, such that their mean square over all is 1: sqrt(e^t_b N/N_b) over its mean.
std::vector<double> block_factors(const BlockKernels& kernels, std::span<const double> log_scales);

}  // namespace cavity
