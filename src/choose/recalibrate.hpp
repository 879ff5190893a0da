// Probabilities are under-confident when classes separate well. k + (1 - 2k) Phi(t z), z = Phi^-1(p), fitted to the
// leave-one-out probabilities of the mixture, mends it; two parameters are only worth it when they gain a lot, and a
// steep slope t needs many samples: ln t has a Gaussian prior.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/threads.hpp"
#include "cavity/model.hpp"

namespace cavity {

/// The recalibration, when it gains more than ln(samples) nats of leave-one-out log likelihood, what Schwarz's
/// criterion asks for two parameters; otherwise nothing.
std::optional<Recalibration> fit_recalibration(std::span<const double> log_probability, ThreadPool& pool);

/// ln of each sample's probability after the recalibration that fits them; as they are where none pays.
std::vector<double> recalibrated_log_probability(std::vector<double> log_probability, ThreadPool& pool);

/// The same by a recalibration that is there.
void recalibrate_log_probability(const Recalibration& recalibration, std::vector<double>& log_probability);

/// P of a mixture from sum_k w_k g_k over its sampled cells and over the others.
double mixed_probability(const CellMixture& mixture, double sampled, double others);

/// Applied to a probability; symmetric: recalibrated(1 - p) = 1 - recalibrated(p).
double recalibrated(const Recalibration& recalibration, double probability);

}  // namespace cavity
