// Stacking: the mixture of cells whose leave-one-out predictions score best.
#pragma once

#include <span>
#include <vector>

#include "assess/sample_groups.hpp"

namespace cavity {

/// Weights on the simplex that maximise sum_mu ln sum_k w_k g_k,mu, a concave problem, by Newton's method.
/// `log_probability[k][mu]` is ln g of sample mu's own label when left out of cell k.
std::vector<double> stacking_weights(const std::vector<std::vector<double>>& log_probability);

/// Evenly spaced, that tell a few numbers (weights, a recalibration) better than these matter.
inline constexpr std::size_t most_telling_samples = 20000;

/// What is fitted to all samples and judged on them is fitted to nine tenths and judged on the rest: which tenth a
/// sample is in. Samples of a group stay together.
inline constexpr std::size_t stacking_folds = 10;
inline std::size_t stacking_fold(std::size_t sample, const SampleGroups* groups) {
  return (groups ? groups->of[sample] : sample) % stacking_folds;
}

/// ln sum_k w_k g_k,mu for every sample, with weights fitted without the sample: to the other nine tenths. What the
/// choice of weights costs is then part of the answer, as the weights fitted to all samples flatter it. Samples of a
/// group stay together.
std::vector<double> cross_fitted_log_probability(const std::vector<std::vector<double>>& log_probability,
                                                 const SampleGroups* groups = nullptr);

/// ln sum_k w_k g_k,mu for every sample.
std::vector<double> mixed_log_probability(const std::vector<std::vector<double>>& log_probability,
                                          std::span<const double> weight);

}  // namespace cavity
