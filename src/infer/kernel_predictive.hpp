// Fields of new samples under EP's sites on a kernel: with k the new sample's kernel to the training samples, c its
// own,
//   mean k . b,   variance c - k W k^T,   W = (Omega^-1 + K)^-1,   b = eta - W K eta.
// Without the site of training sample s, w column s of W:
//   mean k . b - (k . w) b_s / W_ss,   variance c - k W k^T + (k . w)^2 / W_ss.
#pragma once

#include <span>
#include <vector>

#include "base/matrix.hpp"
#include "base/threads.hpp"
#include "infer/kernel_ep.hpp"

namespace cavity {

struct NewFields {
  std::vector<double> mean, variance;
};

/// W and b of a training kernel, to be asked again and again.
class KernelPredictive {
 public:
  /// InputError where K and the sites are no covariance.
  KernelPredictive(const Matrix& kernel, const KernelSites& sites, ThreadPool& pool);
  explicit KernelPredictive(const KernelFit& fit);

  /// `cross`: new x training; `own`: a new sample with itself.
  NewFields operator()(const Matrix& cross, const Eigen::VectorXd& own, ThreadPool& pool) const;

  /// Of what some training samples would be, each by all the others; `samples`: a row of `cross`.
  NewFields left_out(const Matrix& cross, const Eigen::VectorXd& own, std::span<const std::size_t> samples,
                     ThreadPool& pool) const;

 private:
  Matrix inverse_;
  Eigen::VectorXd weight_;
};

}  // namespace cavity
