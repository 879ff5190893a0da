// Principal directions of the scaled training rows Z (samples x features, columns centred): Z = U S V^T, the whitening
// matrix is sqrt(samples) V S^-1 and the whitened rows Z V S^-1 sqrt(samples) = sqrt(samples) U have unit variance and
// no correlation. Through the eigenvectors of Z Z^T, or of Z^T Z when features < samples: O(M N min(M, N)).
#pragma once

#include <span>
#include <vector>

#include "base/threads.hpp"
#include "cavity/dataset.hpp"
#include "cavity/preprocessing.hpp"

namespace cavity {

/// Fills directions and whitening from the values of the kept features, whose centre and scale are already known.
/// Directions with a singular value below 1e-4 of the largest are left out: float32 cannot carry them.
void fit_whitening(const FeatureMatrix& values, Preprocessing& preprocessing, ThreadPool& pool);

/// (values - centre) * scale * whitening, samples x directions.
FeatureMatrix whiten(const FeatureMatrix& values, const Preprocessing& preprocessing, ThreadPool& pool);

}  // namespace cavity
