// EP for labels y_mu of fields f ~ N(0, K) with a given covariance over samples: no features, sample sites only,
// O(samples^3) an update.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assess/sample_groups.hpp"
#include "base/matrix.hpp"
#include "base/threads.hpp"
#include "infer/posterior.hpp"
#include "model/activation.hpp"

namespace cavity {

/// The label of sample mu is y_mu with probability activation(y_mu f_mu). The kernel bears no signs: it is the same for
/// all labels.
struct KernelProblem {
  const Matrix& kernel;                 // K: samples x samples, positive semi-definite
  std::span<const std::int8_t> labels;  // +1, -1
  AnyActivation activation;
  const SampleGroups* groups = nullptr;  // samples that are left out together; none: each alone
};

/// exp(-omega f^2/2 + eta f) a sample, of the field without its sign.
struct KernelSites {
  std::vector<double> precision, linear;  // omega, eta
};

struct KernelEpOptions {
  double tolerance = 1e-4;  // of the residual: the largest relative mismatch of the fields' means and variances
  int max_updates = 100;
  const KernelSites* start = nullptr;  // of a similar problem; none: a cold start
};

struct KernelFit {
  Status status =
      Status::diverged;  // restricted: where a site would be negative, but for the activations without flips
  int updates = 0;
  double residual = 0;
  KernelSites sites;
  std::vector<double> field_mean, field_variance;
  std::vector<double> cavity_mean, cavity_variance;  // with all that are left out with the sample
  std::vector<double> loo_log_probability;           // ln g of a sample's own label there
  double loo_error = 0, loo_log_loss = 0;
  double log_evidence = 0;
  std::vector<double> weight;  // b = eta - W K eta: the mean field of a new sample is sum_mu k_mu b_mu
  Matrix inverse;              // W = (Omega^-1 + K)^-1: its variance is k - sum k_mu W_mu,nu k_nu
};

/// Throws std::invalid_argument unless sizes and labels fit together.
KernelFit fit_kernel_ep(const KernelProblem& problem, const KernelEpOptions& options, ThreadPool& pool);

}  // namespace cavity
