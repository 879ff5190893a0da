// Kernels over row-major float32 values on the device: x_mu,l = r_mu s_l (value - c_l), all arithmetic in double.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace cavity::cuda {

struct DenseView {
  const float* values;  // a row a sample, `stride` floats, a multiple of four, from one to the next
  std::size_t samples, features, stride;
  const double *centre, *scale;  // one a feature
  const double* row_scale;       // one a sample
};

void write_dense_panel(const DenseView& x, std::size_t first, std::size_t count, const double* sample_factor,
                       const double* feature_factor, double* out, cudaStream_t stream);
void write_dense_columns(const DenseView& x, const int* which, std::size_t count, const double* sample_factor,
                         const double* feature_factor, double* out, cudaStream_t stream);

/// Weights and products of one or both kinds; a null `squared` asks for the plain ones alone.
struct DeviceWeights {
  const double *plain, *squared;
};
struct DeviceProducts {
  double *plain, *squared;
};
/// Doubles of `work` that either needs.
std::size_t dense_work(const DenseView& x);
/// One pass over the values each; `add` keeps what stands in `out`.
void dense_times(const DenseView& x, const DeviceWeights& v, const DeviceProducts& out, double* work,
                 cudaStream_t stream);
void dense_transpose_times(const DenseView& x, const DeviceWeights& u, const DeviceProducts& out, bool add,
                           double* work, cudaStream_t stream);

}  // namespace cavity::cuda
