// Floor: the calls' bytes once. The matrix instructions of 16 x 8 x 256 bits take two fifths of that time on an H200 (7
// for every plane, 16 rows and 256 calls), and nothing is unpacked.
#include "cuda/kernels/call_products.hpp"
#include "cuda/kernels/launch.hpp"

namespace cavity::cuda {

namespace {

constexpr unsigned threads = 256, all_lanes = 0xffffffffU;
constexpr unsigned tile_columns = 8, tiles = slot_bits * slot_count / tile_columns;
constexpr unsigned tile_words = tile_columns * line_calls / 32, set_words = tiles * tile_words;
constexpr unsigned chunk_lines = 4;  // whose weights come at a time

/// What the calls weigh by plane, and at last what each of them weighs whatever it is.
struct PlaneWeights {
  double plane[most_planes], all;
};

__device__ PlaneWeights weights_at(const WeightSource& weights, std::size_t k) {
  const double s = weights.scale[k], b = weights.base[k] * s * (weights.squared ? s : 1);
  if (!weights.centre) return {{b, b, b}, b};
  const double c = weights.centre[k];
  if (!weights.squared) return {{b, 2 * b, b * (c - 3)}, -b * c};
  return {{b * (1 - 2 * c), b * (4 - 4 * c), -b * (5 - 6 * c + c * c)}, b * c * c};
}

__global__ void largest_kernel(WeightSource weights, std::size_t count, WeightScale* scale) {
  const std::size_t k = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  double size = 0;
  if (k < count) {
    const PlaneWeights here = weights_at(weights, k);
    for (const double w : {here.plane[0], here.plane[1], here.plane[2], here.all})
      size = fmax(size, isfinite(w) ? fabs(w) : INFINITY);
  }
  for (int offset = 16; offset > 0; offset /= 2) size = fmax(size, __shfl_down_sync(all_lanes, size, offset));
  if (threadIdx.x % 32 == 0)  // sizes of one sign are in the order of their bits
    atomicMax(&scale->largest, static_cast<unsigned long long>(__double_as_longlong(size)));
}

constexpr double slot_span = 1U << slot_bits;
__device__ double unit_of(const WeightScale& scale, const Slots& slots) {
  const double half = slots.count == 1 ? slot_span / 2 - 1 : (slot_span - 2) * slot_span / 2;
  return __longlong_as_double(static_cast<long long>(scale.largest)) / half;
}

/// A weight's integer and its slots: the lower one between -2^27 and 2^27 - 1, so is the upper one.
struct Integer {
  long long slot[slot_count];
  __device__ Integer(double weight, double unit, unsigned slots) {
    const long long whole = unit > 0 && isfinite(unit) ? llrint(weight / unit) : 0;
    constexpr long long span = 1LL << slot_bits;
    const long long low = ((whole + span / 2) & (span - 1)) - span / 2;
    slot[0] = slots == 1 ? whole : low;
    slot[1] = slots == 1 ? 0 : (whole - low) >> slot_bits;
  }
};

/// 32 calls a warp: lane k ends with bit k of all of them. Words stand as the instruction's threads want them: line,
/// plane, tile, column, quarter of the line's calls, half of the quarter's.
__global__ void bits_kernel(WeightSource weights, std::size_t count, unsigned sets, Slots slots, std::uint32_t* to,
                            WeightScale* scale) {
  const std::size_t k = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x, line = k / line_calls;
  const unsigned lane = threadIdx.x % 32, quarter = k % line_calls / 64, half = k % 64 / 32;
  const double unit = unit_of(*scale, slots);
  const PlaneWeights here = k < count ? weights_at(weights, k) : PlaneWeights{};
  const Integer all(here.all, unit, slots.count);
  for (unsigned s = 0; s < slots.count; ++s) {
    long long total = all.slot[s];
    for (int offset = 16; offset > 0; offset /= 2) total += __shfl_down_sync(all_lanes, total, offset);
    if (lane == 0 && total != 0)
      atomicAdd(reinterpret_cast<unsigned long long*>(&scale->total[s]), static_cast<unsigned long long>(total));
  }
  for (unsigned set = 0; set < sets; ++set) {
    const Integer integer(here.plane[set], unit, slots.count);
    for (unsigned s = 0; s < slots.count; ++s) {
      std::uint32_t mine = 0;
      for (unsigned bit = 0; bit < slot_bits; ++bit) {
        const std::uint32_t word = __ballot_sync(all_lanes, integer.slot[s] >> bit & 1);
        if (bit == lane) mine = word;
      }
      const unsigned column = (slots.first + s) * slot_bits + lane;
      if (lane < slot_bits)
        to[(line * sets + set) * set_words + column / tile_columns * tile_words +
           (column % tile_columns * 4 + quarter) * 2 + half] = mine;
    }
  }
}

__device__ void count_bits(int (&c)[4], const uint2& upper_rows, const uint2& lower_rows, const uint2& b) {
  asm volatile(
      "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
      : "r"(upper_rows.x), "r"(lower_rows.x), "r"(upper_rows.y), "r"(lower_rows.y), "r"(b.x), "r"(b.y));
}

/// A plane's 64 bits of the 16 bytes that a thread has.
__device__ uint2 plane_of(const uint4& quad, unsigned plane) {
  return plane == 0   ? uint2{quad.x, quad.y}
         : plane == 1 ? uint2{quad.z, quad.w}
                      : uint2{quad.x & quad.z, quad.y & quad.w};
}

__device__ void copy_ahead(void* shared, const void* global) {
  asm volatile(
      "cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(shared))),
      "l"(global));
}

/// A block's rows. Warps have as many tiles of 16, read as many lines ahead and are as many as their registers allow.
template <bool together, unsigned planes>
struct Product {
  static constexpr unsigned sets = together ? planes : 1, sums = together ? 1 : planes;
  static constexpr unsigned row_tiles = together ? 2 : 1, lines_ahead = together ? 2 : 4;
  static constexpr unsigned warps = !together && planes > 2 ? 12 : 16, block_threads = 32 * warps;
  static constexpr unsigned block_rows = warps * tile_rows * row_tiles;
  static constexpr unsigned chunk_words = chunk_lines * sets * set_words;
  using Staged = std::uint32_t[2][chunk_words];

  int acc[row_tiles][sums][tiles][4] = {};
  uint4 ahead[lines_ahead][row_tiles][2];
  const std::uint8_t* rows[row_tiles];
  unsigned lane = threadIdx.x % 32, group = lane / 4, quarter = lane % 4;
  std::size_t row0;

  __device__ Product(const CallPlanes& calls, std::size_t row_block)
      : row0(row_block * block_rows + threadIdx.x / 32 * tile_rows * row_tiles) {
#pragma unroll
    for (unsigned t = 0; t < row_tiles; ++t) {
      const std::size_t row = row0 + t * tile_rows < calls.rows ? row0 + t * tile_rows : 0;
      rows[t] = calls.bytes + calls.place(row, 0) + lane * sizeof(uint4);
    }
  }

  __device__ void read(unsigned place, std::size_t line) {
#pragma unroll
    for (unsigned t = 0; t < row_tiles; ++t)
#pragma unroll
      for (unsigned h = 0; h < 2; ++h)
        ahead[place][t][h] = __ldcs(reinterpret_cast<const uint4*>(rows[t] + (line * tile_rows + h * 8) * line_bytes));
  }

  /// The weights' bits of some lines, on their way to shared memory.
  static __device__ void stage(const std::uint32_t* bits, std::size_t first, std::size_t last, std::uint32_t* to) {
    const unsigned words = last <= first ? 0 : static_cast<unsigned>(last - first) * sets * set_words;
    const std::uint32_t* from = bits + first * sets * set_words;
    for (unsigned i = 4 * threadIdx.x; i < words; i += 4 * block_threads) copy_ahead(to + i, from + i);
    asm volatile("cp.async.commit_group;");
  }

  __device__ void multiply_line(unsigned place, const std::uint32_t* staged) {
    const auto* pairs = reinterpret_cast<const uint2*>(staged) + lane;
    const auto weights = [pairs](unsigned set, unsigned tile) {
      return pairs[(set * tiles + tile) * (tile_words / 2)];
    };
    const auto add = [&](unsigned plane, unsigned tile, const uint2& b) {
#pragma unroll
      for (unsigned t = 0; t < row_tiles; ++t)
        count_bits(acc[t][together ? 0 : plane][tile], plane_of(ahead[place][t][0], plane),
                   plane_of(ahead[place][t][1], plane), b);
    };
    // The sums of one instruction are not wanted by the next ones.
    if constexpr (together) {
#pragma unroll
      for (unsigned plane = 0; plane < planes; ++plane)
#pragma unroll
        for (unsigned tile = 0; tile < tiles; ++tile) add(plane, tile, weights(plane, tile));
    } else {
#pragma unroll
      for (unsigned tile = 0; tile < tiles; ++tile) {
        const uint2 b = weights(0, tile);
#pragma unroll
        for (unsigned plane = 0; plane < planes; ++plane) add(plane, tile, b);
      }
    }
  }

  __device__ void multiply(const std::uint32_t* bits, std::size_t first, std::size_t last, Staged& staged) {
#pragma unroll
    for (unsigned i = 0; i < lines_ahead; ++i)
      if (first + i < last) read(i, first + i);
    const auto end = [last](std::size_t line) { return line + chunk_lines < last ? line + chunk_lines : last; };
    stage(bits, first, end(first), staged[0]);
    unsigned now = 0;
    for (std::size_t line = first; line < last; line += chunk_lines, now ^= 1U) {
      asm volatile("cp.async.wait_group 0;");
      __syncthreads();  // all have what this chunk needs, and are through with the one before
      stage(bits, end(line), end(end(line)), staged[now ^ 1U]);
#pragma unroll
      for (unsigned i = 0; i < chunk_lines; ++i) {
        if (line + i >= last) break;
        multiply_line(i % lines_ahead, staged[now] + i * sets * set_words);
        if (line + i + lines_ahead < last) read(i % lines_ahead, line + i + lines_ahead);
      }
    }
    __syncthreads();
  }

  /// The columns' counts put together, the highest bit of a slot counting less than nothing; four threads share a row.
  __device__ void add_to(const CallPlanes& calls, long long* out) const {
#pragma unroll
    for (unsigned t = 0; t < row_tiles; ++t)
#pragma unroll
      for (unsigned s = 0; s < sums; ++s)
#pragma unroll
        for (unsigned h = 0; h < 2; ++h) {
          long long slot[slot_count] = {};
#pragma unroll
          for (unsigned tile = 0; tile < tiles; ++tile)
#pragma unroll
            for (unsigned e = 0; e < 2; ++e) {
              const unsigned column = tile * tile_columns + quarter * 2 + e, bit = column % slot_bits;
              const long long count = acc[t][s][tile][h * 2 + e], part = (bit + 1 == slot_bits ? -count : count) << bit;
              slot[0] += column < slot_bits ? part : 0;
              slot[1] += column < slot_bits ? 0 : part;
            }
          const std::size_t row = row0 + t * tile_rows + h * 8 + group;
#pragma unroll
          for (unsigned i = 0; i < slot_count; ++i) {
            slot[i] += __shfl_xor_sync(all_lanes, slot[i], 1);
            slot[i] += __shfl_xor_sync(all_lanes, slot[i], 2);
            if (quarter == i && row < calls.rows)
              atomicAdd(reinterpret_cast<unsigned long long*>(&out[(row * sums + s) * slot_count + i]),
                        static_cast<unsigned long long>(slot[i]));
          }
        }
  }
};

/// One block a multiprocessor, with its equal share of all rows' lines.
template <bool together, unsigned planes>
__global__ void __launch_bounds__(Product<together, planes>::block_threads, 1)
    multiply_kernel(CallPlanes calls, const std::uint32_t* bits, long long* sums) {
  using Part = Product<together, planes>;
  __shared__ alignas(16) typename Part::Staged staged;
  const std::size_t lines = calls.lines();
  const std::size_t all = (calls.rows + Part::block_rows - 1) / Part::block_rows * lines;
  const std::size_t last = all * (blockIdx.x + 1) / gridDim.x;
  for (std::size_t next = all * blockIdx.x / gridDim.x; next < last;) {
    const std::size_t row_block = next / lines, line = next % lines;
    const std::size_t end = lines < line + (last - next) ? lines : line + (last - next);
    Part part(calls, row_block);
    part.multiply(bits, line, end, staged);
    part.add_to(calls, sums);
    next += end - line;
  }
}

__device__ double put_together(const long long* slot, const Slots& slots) {
  return slots.count == 1 ? static_cast<double>(slot[slots.first])
                          : static_cast<double>(slot[1]) * slot_span + static_cast<double>(slot[0]);
}

__global__ void finish_kernel(const long long* sums, std::size_t rows, CallFinish finish, double* out) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  const CallProduct& product = finish.product;
  const Slots of_total{0, finish.slots.count};
  const double all = put_together(finish.scale->total, of_total), f = finish.factor[i];
  const double factor = unit_of(*finish.scale, finish.slots) * (finish.squared ? f * f : f);
  if (product.together) {
    out[i] = factor * (put_together(sums + i * slot_count, finish.slots) + all);
    return;
  }
  const long long* row = sums + i * product.planes * slot_count;
  const double low = put_together(row, finish.slots), high = put_together(row + slot_count, finish.slots);
  const double unknown = product.planes > 2 ? put_together(row + 2 * slot_count, finish.slots) : 0;
  const double c = finish.centre[i], copies = low + 2 * high - 3 * unknown, known = all - unknown;
  out[i] =
      factor * (finish.squared ? low + 4 * high - 5 * unknown - 2 * c * copies + c * c * known : copies - c * known);
}

template <bool together, unsigned planes>
void launch(const CallPlanes& calls, const std::uint32_t* bits, long long* sums, cudaStream_t stream) {
  int multiprocessors = 0;
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0), "asking for its size");
  multiply_kernel<together, planes>
      <<<static_cast<unsigned>(multiprocessors), Product<together, planes>::block_threads, 0, stream>>>(calls, bits,
                                                                                                        sums);
}

}  // namespace

void find_largest(const WeightSource& weights, std::size_t count, WeightScale* scale, cudaStream_t stream) {
  largest_kernel<<<blocks(count, threads), threads, 0, stream>>>(weights, count, scale);
  launched("find_largest");
}

std::size_t bit_bytes(std::size_t calls, bool together, unsigned planes) {
  return (calls + line_calls - 1) / line_calls * (together ? planes : 1) * set_words * sizeof(std::uint32_t);
}

void write_bits(const WeightSource& weights, std::size_t count, unsigned planes, const Slots& slots, std::uint32_t* to,
                WeightScale* scale, cudaStream_t stream) {
  const std::size_t padded = (count + line_calls - 1) / line_calls * line_calls;
  bits_kernel<<<blocks(padded, threads), threads, 0, stream>>>(weights, count, weights.centre ? planes : 1, slots, to,
                                                               scale);
  launched("write_bits");
}

void multiply_calls(const CallPlanes& calls, const CallProduct& product, long long* sums, cudaStream_t stream) {
  if (product.together)
    (product.planes > 2 ? launch<true, 3> : launch<true, 2>)(calls, product.bits, sums, stream);
  else
    (product.planes > 2 ? launch<false, 3> : launch<false, 2>)(calls, product.bits, sums, stream);
  launched("multiply_calls");
}

void finish_calls(const long long* sums, std::size_t rows, const CallFinish& finish, double* out, cudaStream_t stream) {
  finish_kernel<<<blocks(rows, threads), threads, 0, stream>>>(sums, rows, finish, out);
  launched("finish_calls");
}

}  // namespace cavity::cuda
