// Probabilities are under-confident when classes separate well. k + (1 - 2k) Phi(t z), z = Phi^-1(p), mends it, with
// what the leave-one-out probabilities of the mixture let expect of ln t and k. The likeliest values, taken where they
// gain enough, were too sure of themselves: of few samples many are all right.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "assess/sample_groups.hpp"
#include "base/threads.hpp"
#include "cavity/model.hpp"

namespace cavity {

/// ln of the probability of each sample's own label. Nothing where it is 19 times likelier that none is needed.
std::optional<Recalibration> fit_recalibration(std::span<const double> log_probability, ThreadPool& pool);

/// ln of each sample's probability after the recalibration that fits them; as they are where none pays.
std::vector<double> recalibrated_log_probability(std::vector<double> log_probability, ThreadPool& pool);

/// The same for what is said of samples left out: each by a recalibration that has not seen its tenth of the samples
/// (see stacking_fold), up to 500 of them; beyond by that of all, since two parameters flatter nobody there.
std::vector<double> cross_recalibrated_log_probability(std::vector<double> log_probability, const Recalibration& of_all,
                                                       const SampleGroups* groups, ThreadPool& pool);

/// The same by a recalibration that is there.
void recalibrate_log_probability(const Recalibration& recalibration, std::vector<double>& log_probability);

/// P of a mixture, before it is calibrated, from sum_k w_k g_k over its sampled cells and over the others.
double mixed_probability(const CellMixture& mixture, double sampled, double others);

/// Applied to a probability; symmetric: recalibrated(1 - p) = 1 - recalibrated(p).
double recalibrated(const Recalibration& recalibration, double probability);

}  // namespace cavity
