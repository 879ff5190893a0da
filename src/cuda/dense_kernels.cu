// Floor: one read of the values, 4 bytes each. Weights of the other side are read once for several rows, so that their
// 24 bytes a feature come to 3 a value, from the second-level cache.
#include "cuda/dense_kernels.hpp"
#include "cuda/launch.hpp"

namespace cavity::cuda {

namespace {

constexpr unsigned threads = 256, rows_a_block = 8, row_unroll = 8;
constexpr std::size_t wanted_blocks = 132 * 16;  // several a multiprocessor of the largest devices

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
  return x.row_scale[mu] * x.scale[l] * (static_cast<double>(x.values[mu * x.features + l]) - x.centre[l]);
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

/// A few rows against all features of a part: sums[(part*2 + kind)*samples + mu].
template <bool squared>
__global__ void times_kernel(DenseView x, DeviceWeights v, std::size_t part_count, double* sums) {
  const std::size_t row0 = std::size_t{blockIdx.x} * rows_a_block, part = blockIdx.y;
  const std::size_t last = x.features * (part + 1) / part_count;
  double plain[rows_a_block] = {}, squares[rows_a_block] = {};
  for (std::size_t l = x.features * part / part_count + threadIdx.x; l < last; l += threads) {
    const double centre = x.centre[l], scale = x.scale[l], a = scale * v.plain[l];
    const double b = squared ? scale * scale * v.squared[l] : 0;
    float value[rows_a_block];
#pragma unroll
    for (unsigned r = 0; r < rows_a_block; ++r) {
      const std::size_t mu = row0 + r < x.samples ? row0 + r : x.samples - 1;
      value[r] = x.values[mu * x.features + l];
    }
#pragma unroll
    for (unsigned r = 0; r < rows_a_block; ++r) {
      const double d = static_cast<double>(value[r]) - centre;
      plain[r] += a * d;
      if (squared) squares[r] += b * d * d;
    }
  }
#pragma unroll
  for (unsigned r = 0; r < rows_a_block; ++r) {
    const double p = block_sum(plain[r]), q = squared ? block_sum(squares[r]) : 0;
    if (threadIdx.x == 0 && row0 + r < x.samples) {
      sums[part * 2 * x.samples + row0 + r] = p;
      if (squared) sums[(part * 2 + 1) * x.samples + row0 + r] = q;
    }
  }
}

/// A thread a feature over the samples of a part: sums[(part*2 + kind)*features + l].
template <bool squared>
__global__ void transpose_kernel(DenseView x, DeviceWeights u, std::size_t part_count, double* sums) {
  const std::size_t l = std::size_t{blockIdx.x} * threads + threadIdx.x, part = blockIdx.y;
  if (l >= x.features) return;
  const std::size_t last = x.samples * (part + 1) / part_count;
  const double centre = x.centre[l];
  double plain = 0, squares = 0;
  const auto add = [&](std::size_t mu, float value) {
    const double r = x.row_scale[mu], d = r * (static_cast<double>(value) - centre);
    plain += u.plain[mu] * d;
    if (squared) squares += u.squared[mu] * d * d;
  };
  std::size_t mu = x.samples * part / part_count;
  for (; mu + row_unroll <= last; mu += row_unroll) {
    float value[row_unroll];
#pragma unroll
    for (unsigned r = 0; r < row_unroll; ++r) value[r] = x.values[(mu + r) * x.features + l];
#pragma unroll
    for (unsigned r = 0; r < row_unroll; ++r) add(mu + r, value[r]);
  }
  for (; mu < last; ++mu) add(mu, x.values[mu * x.features + l]);
  sums[part * 2 * x.features + l] = plain;
  if (squared) sums[(part * 2 + 1) * x.features + l] = squares;
}

/// out[i] = f_i (or f_i^2) x sum over parts.
__global__ void finish_kernel(const double* sums, std::size_t part_count, std::size_t length, const double* factor,
                              DeviceProducts out) {
  const std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x;
  if (i >= length) return;
  double plain = 0, squares = 0;
  for (std::size_t part = 0; part < part_count; ++part) {
    plain += sums[part * 2 * length + i];
    if (out.squared) squares += sums[(part * 2 + 1) * length + i];
  }
  out.plain[i] = factor[i] * plain;
  if (out.squared) out.squared[i] = factor[i] * factor[i] * squares;
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
  finish_kernel<<<blocks(x.samples, threads), threads, 0, stream>>>(work, cut, x.samples, x.row_scale, out);
  launched("dense_times");
}

void dense_transpose_times(const DenseView& x, const DeviceWeights& u, const DeviceProducts& out, double* work,
                           cudaStream_t stream) {
  const std::size_t cut = sample_parts(x);
  const dim3 grid(blocks(x.features, threads), static_cast<unsigned>(cut));
  if (u.squared)
    transpose_kernel<true><<<grid, threads, 0, stream>>>(x, u, cut, work);
  else
    transpose_kernel<false><<<grid, threads, 0, stream>>>(x, u, cut, work);
  finish_kernel<<<blocks(x.features, threads), threads, 0, stream>>>(work, cut, x.features, x.scale, out);
  launched("dense_transpose_times");
}

}  // namespace cavity::cuda
