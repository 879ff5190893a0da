// Floor: one read of the values, 4 bytes each, 16 bytes a thread at a time. Weights stand in shared memory and serve
// several rows.
#include "cuda/kernels/dense_products.hpp"
#include "cuda/kernels/launch.hpp"

namespace cavity::cuda {

namespace {

constexpr unsigned threads = 256, rows_a_warp = 8, rows_a_block = threads / 32 * rows_a_warp, row_unroll = 8;
constexpr unsigned tile = 1024, sample_tile = 512;  // features and samples whose weights are shared at a time
constexpr std::size_t wanted_blocks = 132 * 8;      // several a multiprocessor of the largest devices

/// Parts that one side is cut into where the other gives too few blocks; each has sums of its own.
std::size_t parts(std::size_t blocks_without, std::size_t length, std::size_t least) {
  const std::size_t wanted = (wanted_blocks + blocks_without - 1) / blocks_without, most = (length + least - 1) / least;
  const std::size_t some = wanted < most ? wanted : most;
  return some > 0 ? some : 1;
}
std::size_t feature_parts(const DenseView& x) {
  return parts(blocks(x.samples, rows_a_block), x.features, 4 * threads);
}
std::size_t sample_parts(const DenseView& x) { return parts(blocks(x.features, threads), x.samples, 4 * row_unroll); }

__device__ double entry(const DenseView& x, std::size_t mu, std::size_t l) {
  return x.row_scale[mu] * x.scale[l] * (static_cast<double>(x.values[mu * x.stride + l]) - x.centre[l]);
}

__global__ void panel_kernel(DenseView x, std::size_t first, std::size_t count, const double* sample_factor,
                             const double* feature_factor, double* out) {
  const std::size_t j = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (j >= count) return;
  for (std::size_t mu = blockIdx.y; mu < x.samples; mu += gridDim.y)
    out[mu * count + j] = sample_factor[mu] * feature_factor[j] * entry(x, mu, first + j);
}

__global__ void columns_kernel(DenseView x, const int* which, const double* sample_factor, const double* feature_factor,
                               double* out) {
  const std::size_t mu = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x, j = blockIdx.y;
  if (mu < x.samples)
    out[j * x.samples + mu] = sample_factor[mu] * feature_factor[j] * entry(x, mu, static_cast<std::size_t>(which[j]));
}

/// A warp's rows against all features of a part, whose weights the block shares: sums[(part*2 + kind)*samples + mu].
template <bool squared>
__global__ void __launch_bounds__(threads, 2)
    times_kernel(DenseView x, DeviceWeights v, std::size_t part_count, double* sums) {
  __shared__ double centre[tile], plain_weight[tile], squared_weight[squared ? tile : 1];
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const std::size_t row0 = std::size_t{blockIdx.x} * rows_a_block + warp * rows_a_warp, part = blockIdx.y;
  const std::size_t quads = x.stride / 4, first = quads * part / part_count * 4,
                    last = quads * (part + 1) / part_count * 4;
  const float* rows[rows_a_warp];
#pragma unroll
  for (unsigned r = 0; r < rows_a_warp; ++r)
    rows[r] = x.values + (row0 + r < x.samples ? row0 + r : x.samples - 1) * x.stride;
  double plain[rows_a_warp] = {}, squares[rows_a_warp] = {};
  for (std::size_t l0 = first; l0 < last; l0 += tile) {
    const std::size_t here = last - l0 < tile ? last - l0 : tile;
    __syncthreads();
    for (std::size_t i = threadIdx.x; i < here; i += threads) {
      const std::size_t l = l0 + i;
      const bool real = l < x.features;  // the stride may be longer
      const double scale = real ? x.scale[l] : 0;
      centre[i] = real ? x.centre[l] : 0;
      plain_weight[i] = real ? scale * v.plain[l] : 0;
      if (squared) squared_weight[i] = real ? scale * scale * v.squared[l] : 0;
    }
    __syncthreads();
    for (std::size_t i = 4 * lane; i < here; i += 128) {
      float4 value[rows_a_warp];
#pragma unroll
      for (unsigned r = 0; r < rows_a_warp; ++r) value[r] = __ldcs(reinterpret_cast<const float4*>(rows[r] + l0 + i));
#pragma unroll
      for (unsigned j = 0; j < 4; ++j) {
        const double c = centre[i + j], a = plain_weight[i + j], b = squared ? squared_weight[i + j] : 0;
#pragma unroll
        for (unsigned r = 0; r < rows_a_warp; ++r) {
          const double d = static_cast<double>((&value[r].x)[j]) - c;
          plain[r] += a * d;
          if (squared) squares[r] += b * d * d;
        }
      }
    }
  }
#pragma unroll
  for (unsigned r = 0; r < rows_a_warp; ++r) {
    for (int offset = 16; offset > 0; offset /= 2) {
      plain[r] += __shfl_down_sync(0xffffffffU, plain[r], offset);
      squares[r] += __shfl_down_sync(0xffffffffU, squares[r], offset);
    }
    if (lane != 0 || row0 + r >= x.samples) continue;
    sums[part * 2 * x.samples + row0 + r] = plain[r];
    if (squared) sums[(part * 2 + 1) * x.samples + row0 + r] = squares[r];
  }
}

/// A thread four features over the samples of a part: sums[(part*2 + kind)*features + l].
template <bool squared>
__global__ void __launch_bounds__(threads)
    transpose_kernel(DenseView x, DeviceWeights u, std::size_t part_count, double* sums) {
  __shared__ double2 weight[sample_tile];  // r u, r^2 w
  const std::size_t l = (std::size_t{blockIdx.x} * threads + threadIdx.x) * 4, part = blockIdx.y;
  const std::size_t last = x.samples * (part + 1) / part_count;
  const bool real = l < x.stride;
  double centre[4] = {}, plain[4] = {}, squares[4] = {};
#pragma unroll
  for (unsigned j = 0; j < 4; ++j)
    if (l + j < x.features) centre[j] = x.centre[l + j];
  const auto add = [&](const double2& w, const float4& value) {
#pragma unroll
    for (unsigned j = 0; j < 4; ++j) {
      const double d = static_cast<double>((&value.x)[j]) - centre[j];
      plain[j] += w.x * d;
      if (squared) squares[j] += w.y * d * d;
    }
  };
  for (std::size_t mu0 = x.samples * part / part_count; mu0 < last; mu0 += sample_tile) {
    const unsigned here = last - mu0 < sample_tile ? static_cast<unsigned>(last - mu0) : sample_tile;
    __syncthreads();
    for (unsigned i = threadIdx.x; i < here; i += threads) {
      const double r = x.row_scale[mu0 + i];
      weight[i] = {r * u.plain[mu0 + i], squared ? r * r * u.squared[mu0 + i] : 0};
    }
    __syncthreads();
    if (!real) continue;
    const float* at = x.values + mu0 * x.stride + l;
    unsigned i = 0;
    for (; i + row_unroll <= here; i += row_unroll) {
      float4 value[row_unroll];
#pragma unroll
      for (unsigned k = 0; k < row_unroll; ++k)
        value[k] = __ldcs(reinterpret_cast<const float4*>(at + (i + k) * x.stride));
#pragma unroll
      for (unsigned k = 0; k < row_unroll; ++k) add(weight[i + k], value[k]);
    }
    for (; i < here; ++i) add(weight[i], __ldcs(reinterpret_cast<const float4*>(at + i * x.stride)));
  }
#pragma unroll
  for (unsigned j = 0; j < 4; ++j) {
    if (l + j >= x.features) continue;
    sums[part * 2 * x.features + l + j] = plain[j];
    if (squared) sums[(part * 2 + 1) * x.features + l + j] = squares[j];
  }
}

/// out[i] = f_i (or f_i^2) x sum over parts, added to what is there or not.
__global__ void finish_kernel(const double* sums, std::size_t part_count, std::size_t length, const double* factor,
                              DeviceProducts out, bool add) {
  const std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x;
  if (i >= length) return;
  double plain = 0, squares = 0;
  for (std::size_t part = 0; part < part_count; ++part) {
    plain += sums[part * 2 * length + i];
    if (out.squared) squares += sums[(part * 2 + 1) * length + i];
  }
  out.plain[i] = (add ? out.plain[i] : 0) + factor[i] * plain;
  if (out.squared) out.squared[i] = (add ? out.squared[i] : 0) + factor[i] * factor[i] * squares;
}

}  // namespace

void write_dense_panel(const DenseView& x, std::size_t first, std::size_t count, const double* sample_factor,
                       const double* feature_factor, double* out, cudaStream_t stream) {
  constexpr std::size_t most_rows = 1024;
  const dim3 grid(blocks(count, threads), static_cast<unsigned>(x.samples < most_rows ? x.samples : most_rows));
  panel_kernel<<<grid, threads, 0, stream>>>(x, first, count, sample_factor, feature_factor, out);
  launched("write_dense_panel");
}

void write_dense_columns(const DenseView& x, const int* which, std::size_t count, const double* sample_factor,
                         const double* feature_factor, double* out, cudaStream_t stream) {
  if (count == 0) return;
  const dim3 grid(blocks(x.samples, threads), static_cast<unsigned>(count));
  columns_kernel<<<grid, threads, 0, stream>>>(x, which, sample_factor, feature_factor, out);
  launched("write_dense_columns");
}

std::size_t dense_work(const DenseView& x) {
  const std::size_t times = 2 * feature_parts(x) * x.samples, transposed = 2 * sample_parts(x) * x.features;
  return times > transposed ? times : transposed;
}

void dense_times(const DenseView& x, const DeviceWeights& v, const DeviceProducts& out, double* work,
                 cudaStream_t stream) {
  const std::size_t cut = feature_parts(x);
  const dim3 grid(blocks(x.samples, rows_a_block), static_cast<unsigned>(cut));
  if (v.squared)
    times_kernel<true><<<grid, threads, 0, stream>>>(x, v, cut, work);
  else
    times_kernel<false><<<grid, threads, 0, stream>>>(x, v, cut, work);
  finish_kernel<<<blocks(x.samples, threads), threads, 0, stream>>>(work, cut, x.samples, x.row_scale, out, false);
  launched("dense_times");
}

void dense_transpose_times(const DenseView& x, const DeviceWeights& u, const DeviceProducts& out, bool add,
                           double* work, cudaStream_t stream) {
  const std::size_t cut = sample_parts(x);
  const dim3 grid(blocks(x.stride, 4 * threads), static_cast<unsigned>(cut));
  if (u.squared)
    transpose_kernel<true><<<grid, threads, 0, stream>>>(x, u, cut, work);
  else
    transpose_kernel<false><<<grid, threads, 0, stream>>>(x, u, cut, work);
  finish_kernel<<<blocks(x.features, threads), threads, 0, stream>>>(work, cut, x.features, x.scale, out, add);
  launched("dense_transpose_times");
}

}  // namespace cavity::cuda
