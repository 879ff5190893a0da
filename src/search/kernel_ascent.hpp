// Scales and relevances of a kernel by ascent of its evidence, in their logarithms: what is fitted to the labels, and
// judged elsewhere. A step: a few EP updates from the sites so far, and the slope there (infer/kernel_slope.hpp):
// samples^3 operations, and where relevances are free one weighted gram and one pass of quadratic forms.
// Relevances have the prior exp(-d): those that do not pay shrink by a constant factor a step, and are all but gone
// after ten.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "infer/feature_kernel.hpp"
#include "infer/kernel_ep.hpp"
#include "model/activation.hpp"

namespace cavity {

struct FeatureKernel {
  std::vector<double> relevance;  // a feature
  KernelScales scales;
};

struct AscentProblem {
  const Design& design;
  std::span<const std::int8_t> labels;
  const Covariates& covariates;
  AnyActivation activation;
  const std::function<bool()>* keep_going = nullptr;  // after every step, from any thread; false stops
};

enum class Relevance { equal, free };  // equal: they keep their ratios

struct AscentOptions {
  Relevance relevance = Relevance::equal;
  int steps = 15;
  int updates = 2;   // of EP a step
  bool bent = true;  // false: s0 is 0
};

struct Ascent {
  bool found = false;  // false: no usable numbers
  FeatureKernel kernel;
  KernelSites sites;
  double log_evidence = 0;  // where the last step began
};

/// Interrupted where it may not go on.
Ascent ascend(const AscentProblem& problem, FeatureKernel start, const AscentOptions& options, ThreadPool& pool);

}  // namespace cavity
