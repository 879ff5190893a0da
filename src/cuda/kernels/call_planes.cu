#include "cuda/kernels/call_planes.hpp"
#include "cuda/kernels/launch.hpp"

namespace cavity::cuda {

namespace {

constexpr unsigned threads = 256;
constexpr unsigned all_lanes = 0xffffffffU;

/// The even bits of a word, side by side in its lower half.
__device__ std::uint32_t even_bits(std::uint32_t x) {
  x &= 0x55555555U;
  x = (x | x >> 1) & 0x33333333U;
  x = (x | x >> 2) & 0x0f0f0f0fU;
  x = (x | x >> 4) & 0x00ff00ffU;
  return (x | x >> 8) & 0x0000ffffU;
}

/// 64 calls a thread. Of a code's bits p (low) and q the call's are p ^ q and not q.
__global__ void planes_kernel(const uint4* codes, CallPlanes shape, std::uint8_t* to) {
  constexpr std::size_t line_quads = line_bytes / sizeof(uint4);
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x, row_quads = shape.lines() * line_quads;
  if (i >= shape.rows * row_quads) return;
  const uint4 code = codes[i];
  const auto low = [](std::uint32_t first, std::uint32_t second) {
    return even_bits(first ^ first >> 1) | even_bits(second ^ second >> 1) << 16;
  };
  const auto high = [](std::uint32_t first, std::uint32_t second) {
    return ~(even_bits(first >> 1) | even_bits(second >> 1) << 16);
  };
  const std::size_t quad = i % row_quads;
  reinterpret_cast<uint4*>(to + shape.place(i / row_quads, quad / line_quads))[quad % line_quads] = {
      low(code.x, code.y), low(code.z, code.w), high(code.x, code.y), high(code.z, code.w)};
}

/// Where the 32 bits of a plane (0 low, 1 high) stand that hold a row's calls 32 `word` and on.
__device__ std::size_t word_place(const CallPlanes& calls, std::size_t row, std::size_t word, unsigned plane) {
  constexpr std::size_t line_words = line_calls / 32;
  const std::size_t in_line = word % line_words;
  return calls.place(row, word / line_words) / 4 + in_line / 2 * 4 + 2 * plane + in_line % 2;
}

/// 32 rows and 32 calls of both planes a warp: lane i reads row i, and ends with column i.
__global__ void transpose_kernel(CallPlanes from, CallPlanes to, std::uint32_t* words) {
  const unsigned lane = threadIdx.x % 32;
  const std::size_t word = std::size_t{blockIdx.y} * (blockDim.x / 32) + threadIdx.x / 32, group = blockIdx.x;
  if (word * 32 >= from.calls) return;
  const std::size_t row = group * 32 + lane, column = word * 32 + lane;
  for (unsigned plane = 0; plane < 2; ++plane) {
    const std::uint32_t in =
        row < from.rows ? reinterpret_cast<const std::uint32_t*>(from.bytes)[word_place(from, row, word, plane)] : 0;
    std::uint32_t out = 0;
    for (unsigned i = 0; i < 32; ++i) {
      const std::uint32_t bits = __ballot_sync(all_lanes, in >> i & 1U);
      if (i == lane) out = bits;
    }
    if (column < from.calls) words[word_place(to, column, group, plane)] = out;
  }
}

/// An entry before the row's scale; an unknown call stands at the centre.
__device__ double entry(const CallPlanes& calls, std::size_t row, std::size_t call, double centre, double scale) {
  const auto* words = reinterpret_cast<const std::uint32_t*>(calls.bytes);
  const unsigned low = words[word_place(calls, row, call / 32, 0)] >> (call % 32) & 1U,
                 high = words[word_place(calls, row, call / 32, 1)] >> (call % 32) & 1U;
  return low & high ? 0 : scale * (static_cast<double>(low + 2 * high) - centre);
}

__global__ void panel_kernel(CallPlanes calls, CallScaling scaling, std::size_t first, std::size_t count,
                             const double* sample_factor, const double* feature_factor, double* out) {
  const std::size_t j = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (j >= count) return;
  const std::size_t l = first + j;
  const double centre = scaling.centre[l], scale = scaling.scale[l] * feature_factor[j];
  for (std::size_t mu = blockIdx.y; mu < calls.rows; mu += gridDim.y)
    out[mu * count + j] = scaling.row_scale[mu] * sample_factor[mu] * entry(calls, mu, l, centre, scale);
}

__global__ void columns_kernel(CallPlanes calls, CallScaling scaling, const int* which, const double* sample_factor,
                               const double* feature_factor, double* out) {
  const std::size_t mu = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x, j = blockIdx.y;
  if (mu >= calls.calls) return;
  const auto l = static_cast<std::size_t>(which[j]);
  out[j * calls.calls + mu] = scaling.row_scale[mu] * sample_factor[mu] *
                              entry(calls, l, mu, scaling.centre[l], scaling.scale[l] * feature_factor[j]);
}

}  // namespace

void planes_of_codes(const std::uint8_t* codes, const CallPlanes& shape, std::uint8_t* to, cudaStream_t stream) {
  const std::size_t quads = shape.rows * shape.lines() * line_bytes / sizeof(uint4);
  planes_kernel<<<blocks(quads, threads), threads, 0, stream>>>(reinterpret_cast<const uint4*>(codes), shape, to);
  launched("planes_of_codes");
}

void transpose_calls(const CallPlanes& from, std::uint8_t* to, cudaStream_t stream) {
  const dim3 grid(blocks(from.rows, 32), blocks((from.calls + 31) / 32, threads / 32));
  transpose_kernel<<<grid, threads, 0, stream>>>(from, {to, from.calls, from.rows},
                                                 reinterpret_cast<std::uint32_t*>(to));
  launched("transpose_calls");
}

void write_call_panel(const CallPlanes& by_sample, const CallScaling& scaling, std::size_t first, std::size_t count,
                      const double* sample_factor, const double* feature_factor, double* out, cudaStream_t stream) {
  constexpr std::size_t most_rows = 1024;
  const dim3 grid(blocks(count, threads),
                  static_cast<unsigned>(by_sample.rows < most_rows ? by_sample.rows : most_rows));
  panel_kernel<<<grid, threads, 0, stream>>>(by_sample, scaling, first, count, sample_factor, feature_factor, out);
  launched("write_call_panel");
}

void write_call_columns(const CallPlanes& by_variant, const CallScaling& scaling, const int* which, std::size_t count,
                        const double* sample_factor, const double* feature_factor, double* out, cudaStream_t stream) {
  if (count == 0) return;
  const dim3 grid(blocks(by_variant.calls, threads), static_cast<unsigned>(count));
  columns_kernel<<<grid, threads, 0, stream>>>(by_variant, scaling, which, sample_factor, feature_factor, out);
  launched("write_call_columns");
}

}  // namespace cavity::cuda
