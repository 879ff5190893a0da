// Cells of one question on a kernel of features (infer/feature_kernel.hpp): fields of width 1, their scales by the
// evidence, at a few flips. Equal relevance: three scales and a length, found on some 600 samples. Pruned: the
// relevance of every feature, too (search/relevances.hpp). Cells may be solved for some of the samples and asked for
// the others.
#pragma once

#include <vector>

#include "assess/sample_groups.hpp"
#include "model/activation_kind.hpp"
#include "search/kernel_ascent.hpp"

namespace cavity {

struct BentProblem {
  const Design& design;
  std::span<const std::int8_t> labels;
  const Covariates& covariates;
  ActivationKind activation;
  const SampleGroups* groups = nullptr;  // samples that are left out together; none: each alone
  const std::function<bool()>* keep_going = nullptr;
};

/// Samples, about, from which scales are found, and the way to relevances.
inline constexpr std::size_t enough_samples = 600;

/// Of sum d, where an ascent begins: a squared distance between samples is twice that.
inline constexpr double first_lengths[] = {2, 6};

struct BentCell {
  FeatureKernel kernel;
  double noise = 0, width = 0;  // of the activation, for fields as they are
  KernelSites sites;
  std::vector<double> loo_log_probability;
  double log_evidence = 0;
  bool pruned = false;
};

/// All features alike, their relevances of this sum.
FeatureKernel equal_kernel(std::size_t features, double length, const KernelScales& scales);

/// What fields of width 1 are seen through while their kernel is looked for: the middle one of the settings.
AnyActivation ascent_activation(ActivationKind kind);

/// Kernels of all features alike, one without a bent part and one with it, each with its scales: what a bend is worth.
/// Of more than 900 samples by some 600 of them.
struct KernelsCompared {
  std::vector<std::size_t> samples;
  std::vector<BentCell> straight, bent;  // a flip, those that converged; of these samples
};
KernelsCompared compare_kernels(const BentProblem& problem, ThreadPool& pool);

/// The flips of bent cells, and the widths that go with them.
struct BentSetting {
  double noise, width;
};
std::vector<BentSetting> bent_settings(ActivationKind kind);

/// One cell a setting, those that converged.
std::vector<BentCell> solve_bent_cells(const BentProblem& problem, const FeatureKernel& kernel,
                                       std::span<const BentSetting> settings, ThreadPool& pool);

/// What cells of this kernel, solved for the samples `in`, say of each sample of `out`: ln g of its own label, a flip.
/// Empty where one has not converged.
std::vector<std::vector<double>> ask_bent_cells(const BentProblem& problem, const FeatureKernel& kernel,
                                                const std::vector<std::size_t>& in, const std::vector<std::size_t>& out,
                                                ThreadPool& pool);

}  // namespace cavity
