// How the evidence of EP on a kernel (infer/kernel_ep.hpp) grows with what the kernel is made of
// (infer/feature_kernel.hpp). At EP's fixed point the sites may be held: with W and b of the fit,
//   d evidence/dK = C = (b b^T - W)/2,   A = s0 C o E:
//   d/d ln s0 = s0 sum C o E,   d/d ln s1 = s1 sum C o G,   d/d ln s2 = s2 sum C o Z P^-1 Z^T,
//   d/d d_l = x_l^T (A + s1 C - diag(A 1)) x_l,   and where all relevances are t times what they are,
//   d/d ln t = sum A o ln E + s1 sum C o G.
// All relevances cost one pass of quadratic forms, what an EP update over features costs.
#pragma once

#include <vector>

#include "infer/feature_kernel.hpp"
#include "infer/kernel_ep.hpp"

namespace cavity {

class EvidenceSlope {
 public:
  /// The parts must outlive this.
  EvidenceSlope(const KernelFit& fit, const KernelParts& parts, const KernelScales& scales);

  /// In the logarithms of the scales.
  KernelScales of_scales() const;
  /// In the logarithm of a factor on all relevances.
  double of_length() const;
  /// d evidence/d d_l of every feature.
  std::vector<double> of_relevance(const Design& design, ThreadPool& pool, Precision precision = Precision::full) const;

 private:
  const KernelParts& parts_;
  KernelScales scales_;
  Matrix slope_;  // C
};

}  // namespace cavity
