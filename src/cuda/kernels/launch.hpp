// What all kernels need.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace cavity::cuda {

void check(cudaError_t status, const char* what);

inline unsigned blocks(std::size_t things, std::size_t a_block) {
  return static_cast<unsigned>((things + a_block - 1) / a_block);
}

/// A launch that was refused is found here; what fails while it runs is found where its results are asked for.
inline void launched(const char* what) { check(cudaGetLastError(), what); }

#ifdef __CUDACC__
/// Of all threads of a block, whole warps of them, in a fixed order; for the first thread.
template <class T>
__device__ inline T block_sum(T value) {
  __shared__ T of_warp[32];
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffU, value, offset);
  __syncthreads();
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x != 0) return value;
  T sum = 0;
  for (unsigned warp = 0; warp < blockDim.x / 32; ++warp) sum += of_warp[warp];
  return sum;
}
#endif

}  // namespace cavity::cuda
