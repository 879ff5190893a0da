// Floor: the packed bytes once. A call costs one selection by byte_perm a plane, which is what the product is bound by
// beside memory; the multiplications are matrix instructions of 16 x 8 x 32 and next to nothing.
#include "cuda/genotype_kernels.hpp"
#include "cuda/launch.hpp"

namespace cavity::cuda {

namespace {

constexpr unsigned threads = 256, warps = 8, warp_rows = 32, row_tiles = 2, block_rows = warps * warp_rows;
constexpr unsigned line_words = 16;
/// Lines whose digits the block shares at a time.
__host__ __device__ constexpr unsigned chunk_lines(unsigned tiles) { return tiles > 2 ? 4 : 8; }
constexpr std::size_t wanted_blocks = 132 * 4;

// What codes 0, 1, 2, 3 count, a byte each, the first lowest.
constexpr unsigned copies_of = 0x00010002, squares_of = 0x00010004, unknown_of = 0x00000100;
__host__ __device__ constexpr unsigned counts(Plane plane) {
  return plane == Plane::copies ? copies_of : plane == Plane::squares ? squares_of : unknown_of;
}

/// 16 rows x 16 calls at a time: a word of each of 16 rows becomes a word of each of 16 columns.
__global__ void transpose_kernel(PackedCalls from, std::uint8_t* to, std::size_t to_row_bytes) {
  const std::size_t word = std::size_t{blockIdx.y} * blockDim.x + threadIdx.x, group = blockIdx.x;
  if (word * 16 >= from.calls) return;
  std::uint32_t in[16], out[16] = {};
#pragma unroll
  for (unsigned i = 0; i < 16; ++i) {
    const std::size_t row = group * 16 + i;
    in[i] = row < from.rows ? reinterpret_cast<const std::uint32_t*>(from.bytes + row * from.row_bytes)[word] : 0;
  }
#pragma unroll
  for (unsigned i = 0; i < 16; ++i)
#pragma unroll
    for (unsigned j = 0; j < 16; ++j) out[j] |= (in[i] >> (2 * j) & 3U) << (2 * i);
#pragma unroll
  for (unsigned j = 0; j < 16; ++j)
    if (word * 16 + j < from.calls)
      reinterpret_cast<std::uint32_t*>(to + (word * 16 + j) * to_row_bytes)[group] = out[j];
}

__device__ double power(double value, int exponent) {
  return exponent == 0 ? 1 : exponent == 1 ? value : value * value;
}

__global__ void weights_kernel(WeightParts parts, std::size_t count, double* out, TermScale* scale) {
  const std::size_t k = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  double size = 0;
  if (k < count) {
    double value = parts.base[k];
    if (parts.f_power > 0) value *= power(parts.f[k], parts.f_power);
    if (parts.g_power > 0) value *= power(parts.g[k], parts.g_power);
    out[k] = value;
    size = isfinite(value) ? fabs(value) : INFINITY;
  }
  for (int offset = 16; offset > 0; offset /= 2) size = fmax(size, __shfl_down_sync(0xffffffffU, size, offset));
  if (threadIdx.x % 32 == 0)  // sizes of one sign are in the order of their bits
    atomicMax(&scale->largest, static_cast<unsigned long long>(__double_as_longlong(size)));
}

__host__ __device__ double largest_integer(unsigned digits) {
  double out = 63;
  for (unsigned d = 1; d < digits; ++d) out *= 128;
  return out;
}

__device__ double unit_of(const TermScale& scale, unsigned digits) {
  return __longlong_as_double(static_cast<long long>(scale.largest)) / largest_integer(digits);
}

/// Byte of a word's 16 in which a call's digit stands: even calls first, then odd ones (see multiply_kernel).
__device__ unsigned byte_of(unsigned call) { return call % 2 * 8 + call / 2; }

__global__ void digits_kernel(const double* weights, std::size_t count, unsigned digits, unsigned column,
                              std::uint8_t* tile, TermScale* scale) {
  const std::size_t k = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const double unit = unit_of(*scale, digits);
  long long integer = k < count && unit > 0 && isfinite(unit) ? llrint(weights[k] / unit) : 0;
  long long total = integer;
  for (int offset = 16; offset > 0; offset /= 2) total += __shfl_down_sync(0xffffffffU, total, offset);
  if (threadIdx.x % 32 == 0 && total != 0)
    atomicAdd(reinterpret_cast<unsigned long long*>(&scale->total), static_cast<unsigned long long>(total));
  if (k >= count) return;
  std::uint8_t* at = tile + k / 16 * tile_columns * 16 + byte_of(k % 16);
  for (unsigned d = 0; d < digits; ++d) {
    const long long digit = ((integer + 64) & 127) - 64;
    at[(column + d) * 16] = static_cast<std::uint8_t>(digit);
    integer = (integer - digit) >> 7;
  }
}

__device__ void multiply_add(int (&c)[4], unsigned a0, unsigned a1, unsigned a2, unsigned a3, unsigned b0,
                             unsigned b1) {
  asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
               : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
}

/// Even calls of a word in the nibbles of one register, odd ones in those of another: selectors of byte_perm.
struct Selectors {
  unsigned even, odd;
  __device__ explicit Selectors(unsigned word) : even(word & 0x33333333U), odd(word >> 2 & 0x33333333U) {}
};

struct TileArguments {
  unsigned counts[most_tiles];
};

template <unsigned tiles>
__global__ void __launch_bounds__(threads, tiles > 3 ? 1 : 2)
    multiply_kernel(PackedCalls calls, TileArguments arguments, const uint4* digits, std::size_t part_count,
                    std::int32_t* sums) {
  constexpr unsigned chunk = chunk_lines(tiles);
  // The four threads that share a row read every fourth word: two quads in between keep them out of each other's banks.
  constexpr unsigned group_quads = 4 * tile_columns + 2;
  __shared__ uint4 staged[tiles][chunk * line_words / 4 * group_quads];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, group = lane / 4, quarter = lane % 4;
  const std::size_t words = calls.row_bytes / 4, lines = words / line_words;
  const std::size_t first_line = lines * blockIdx.y / part_count, last_line = lines * (blockIdx.y + 1) / part_count;
  const std::size_t row0 = std::size_t{blockIdx.x} * block_rows + warp * warp_rows;
  const std::uint8_t* rows[row_tiles][2];
#pragma unroll
  for (unsigned t = 0; t < row_tiles; ++t)
#pragma unroll
    for (unsigned h = 0; h < 2; ++h) {
      const std::size_t row = row0 + t * 16 + h * 8 + group;
      rows[t][h] = calls.bytes + (row < calls.rows ? row : calls.rows - 1) * calls.row_bytes;
    }
  int acc[row_tiles][tiles][4] = {};
  // Each line is read while the one before it is multiplied.
  uint4 next[row_tiles][2];
  const auto read = [&](std::size_t line) {
#pragma unroll
    for (unsigned t = 0; t < row_tiles; ++t)
#pragma unroll
      for (unsigned h = 0; h < 2; ++h)
        next[t][h] = __ldcs(reinterpret_cast<const uint4*>(rows[t][h] + line * line_bytes) + quarter);
  };
  if (first_line < last_line) read(first_line);
  for (std::size_t line = first_line; line < last_line; line += chunk) {
    const unsigned here = last_line - line < chunk ? static_cast<unsigned>(last_line - line) : chunk;
    __syncthreads();
#pragma unroll
    for (unsigned t = 0; t < tiles; ++t)
      for (unsigned i = threadIdx.x; i < here * line_words * tile_columns; i += threads)
        staged[t][i / (4 * tile_columns) * group_quads + i % (4 * tile_columns)] =
            digits[(t * words + line * line_words) * tile_columns + i];
    __syncthreads();
    for (unsigned s = 0; s < here; ++s) {
      uint4 in[row_tiles][2];
#pragma unroll
      for (unsigned t = 0; t < row_tiles; ++t)
#pragma unroll
        for (unsigned h = 0; h < 2; ++h) in[t][h] = next[t][h];
      if (line + s + 1 < last_line) read(line + s + 1);
#pragma unroll
      for (unsigned w = 0; w < 4; ++w) {
        const unsigned at = (s * line_words / 4 + quarter) * group_quads + w * tile_columns + group;
#pragma unroll
        for (unsigned t = 0; t < row_tiles; ++t) {
          const Selectors low((&in[t][0].x)[w]), high((&in[t][1].x)[w]);
#pragma unroll
          for (unsigned tile = 0; tile < tiles; ++tile) {
            const unsigned table = arguments.counts[tile];
            const uint4 b = staged[tile][at];
            multiply_add(acc[t][tile], __byte_perm(table, 0, low.even), __byte_perm(table, 0, high.even),
                         __byte_perm(table, 0, low.even >> 16), __byte_perm(table, 0, high.even >> 16), b.x, b.y);
            multiply_add(acc[t][tile], __byte_perm(table, 0, low.odd), __byte_perm(table, 0, high.odd),
                         __byte_perm(table, 0, low.odd >> 16), __byte_perm(table, 0, high.odd >> 16), b.z, b.w);
          }
        }
      }
    }
  }
#pragma unroll
  for (unsigned t = 0; t < row_tiles; ++t)
#pragma unroll
    for (unsigned tile = 0; tile < tiles; ++tile)
#pragma unroll
      for (unsigned c = 0; c < 4; ++c) {
        const std::size_t row = row0 + t * 16 + (c / 2) * 8 + group;
        if (row < calls.rows)
          atomicAdd(&sums[row * tiles * tile_columns + tile * tile_columns + quarter * 2 + c % 2], acc[t][tile][c]);
      }
}

template <unsigned tiles>
void launch_multiply(const PackedCalls& calls, const TileArguments& arguments, const std::uint8_t* digits,
                     std::int32_t* sums, cudaStream_t stream) {
  const std::size_t row_blocks = blocks(calls.rows, block_rows), lines = calls.row_bytes / line_bytes;
  std::size_t parts = (wanted_blocks + row_blocks - 1) / row_blocks;
  if (parts > lines) parts = lines;
  multiply_kernel<tiles><<<dim3(static_cast<unsigned>(row_blocks), static_cast<unsigned>(parts)), threads, 0, stream>>>(
      calls, arguments, reinterpret_cast<const uint4*>(digits), parts, sums);
}

/// A term's value in a row: its digits put together.
__device__ double value_of(const std::int32_t* row, unsigned columns, const Place& place) {
  if (place.first >= columns) return 0;
  double sum = 0;
  for (unsigned d = place.digits; d-- > 0;) sum = sum * 128 + static_cast<double>(row[place.first + d]);
  return sum * unit_of(*place.scale, place.digits);
}
__device__ double total_of(const Place& place) {
  return static_cast<double>(place.scale->total) * unit_of(*place.scale, place.digits);
}

__global__ void finish_kernel(const std::int32_t* sums, std::size_t rows, unsigned columns, Finish finish) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  const std::int32_t* row = sums + i * columns;
  const double f = finish.f[i], g = finish.g ? finish.g[i] : 1;
  const double known = total_of(finish.place[1]) - value_of(row, columns, finish.place[1]);
  finish.plain[i] = f * (value_of(row, columns, finish.place[0]) - g * known);
  if (!finish.squared) return;
  const double squares = value_of(row, columns, finish.place[2]) - 2 * g * value_of(row, columns, finish.place[3]);
  finish.squared[i] = f * f * (squares + g * g * (total_of(finish.place[4]) - value_of(row, columns, finish.place[4])));
}

/// An entry by code, before the row's scale.
__device__ double entry(unsigned code, double centre, double scale) {
  return code == 1 ? 0 : scale * (static_cast<double>(copies_of >> (8 * code) & 255U) - centre);
}

__global__ void panel_kernel(PackedCalls calls, CallScaling scaling, std::size_t first, std::size_t count,
                             const double* sample_factor, const double* feature_factor, double* out) {
  const std::size_t j = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (j >= count) return;
  const std::size_t l = first + j;
  const double centre = scaling.centre[l], scale = scaling.scale[l] * feature_factor[j];
  for (std::size_t mu = blockIdx.y; mu < calls.rows; mu += gridDim.y) {
    const unsigned code = calls.bytes[mu * calls.row_bytes + l / 4] >> (2 * (l % 4)) & 3U;
    out[mu * count + j] = scaling.row_scale[mu] * sample_factor[mu] * entry(code, centre, scale);
  }
}

__global__ void columns_kernel(PackedCalls calls, CallScaling scaling, const int* which, const double* sample_factor,
                               const double* feature_factor, double* out) {
  const std::size_t mu = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x, j = blockIdx.y;
  if (mu >= calls.calls) return;
  const auto l = static_cast<std::size_t>(which[j]);
  const unsigned code = calls.bytes[l * calls.row_bytes + mu / 4] >> (2 * (mu % 4)) & 3U;
  out[j * calls.calls + mu] =
      scaling.row_scale[mu] * sample_factor[mu] * entry(code, scaling.centre[l], scaling.scale[l] * feature_factor[j]);
}

}  // namespace

void transpose_calls(const PackedCalls& from, std::uint8_t* to, cudaStream_t stream) {
  const dim3 grid(blocks(from.rows, 16), blocks((from.calls + 15) / 16, threads));
  transpose_kernel<<<grid, threads, 0, stream>>>(from, to, packed_row_bytes(from.rows));
  launched("transpose_calls");
}

void make_weights(const WeightParts& parts, std::size_t count, double* out, TermScale* scale, cudaStream_t stream) {
  weights_kernel<<<blocks(count, threads), threads, 0, stream>>>(parts, count, out, scale);
  launched("make_weights");
}

std::size_t tile_bytes(std::size_t row_bytes) { return row_bytes / 4 * tile_columns * 16; }

void write_digits(const double* weights, std::size_t count, unsigned digits, unsigned column, std::uint8_t* tile,
                  TermScale* scale, cudaStream_t stream) {
  digits_kernel<<<blocks(count, threads), threads, 0, stream>>>(weights, count, digits, column, tile, scale);
  launched("write_digits");
}

void multiply_calls(const PackedCalls& calls, const Tiles& tiles, std::int32_t* sums, cudaStream_t stream) {
  TileArguments arguments{};
  for (unsigned t = 0; t < tiles.count; ++t) arguments.counts[t] = counts(tiles.plane[t]);
  switch (tiles.count) {
    case 1:
      launch_multiply<1>(calls, arguments, tiles.digits, sums, stream);
      break;
    case 2:
      launch_multiply<2>(calls, arguments, tiles.digits, sums, stream);
      break;
    case 3:
      launch_multiply<3>(calls, arguments, tiles.digits, sums, stream);
      break;
    case 4:
      launch_multiply<4>(calls, arguments, tiles.digits, sums, stream);
      break;
    default:
      launch_multiply<5>(calls, arguments, tiles.digits, sums, stream);
  }
  launched("multiply_calls");
}

void finish_products(const std::int32_t* sums, std::size_t rows, unsigned columns, const Finish& finish,
                     cudaStream_t stream) {
  finish_kernel<<<blocks(rows, threads), threads, 0, stream>>>(sums, rows, columns, finish);
  launched("finish_products");
}

void write_call_panel(const PackedCalls& by_sample, const CallScaling& scaling, std::size_t first, std::size_t count,
                      const double* sample_factor, const double* feature_factor, double* out, cudaStream_t stream) {
  constexpr std::size_t most_rows = 1024;
  const dim3 grid(blocks(count, threads),
                  static_cast<unsigned>(by_sample.rows < most_rows ? by_sample.rows : most_rows));
  panel_kernel<<<grid, threads, 0, stream>>>(by_sample, scaling, first, count, sample_factor, feature_factor, out);
  launched("write_call_panel");
}

void write_call_columns(const PackedCalls& by_variant, const CallScaling& scaling, const int* which, std::size_t count,
                        const double* sample_factor, const double* feature_factor, double* out, cudaStream_t stream) {
  if (count == 0) return;
  const dim3 grid(blocks(by_variant.calls, threads), static_cast<unsigned>(count));
  columns_kernel<<<grid, threads, 0, stream>>>(by_variant, scaling, which, sample_factor, feature_factor, out);
  launched("write_call_columns");
}

}  // namespace cavity::cuda
