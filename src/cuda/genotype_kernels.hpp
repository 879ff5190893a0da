// Kernels over packed genotypes on the device: PLINK's codes, two bits a call, low bits first: 00 two copies of A1, 10
// one, 11 none, 01 not known. Rows are padded to whole lines; what stands in the padding has weight 0.
//
// A product is the sum over a row's calls of what the call counts (a plane: copies, their square, 1 where not known)
// times a weight. Weights are integers of a unit, taken apart into digits of 7 bits, which the matrix units multiply
// with the planes and add up in 32 bits: sums are exact, in any order.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace cavity::cuda {

inline constexpr std::size_t line_calls = 256, line_bytes = 64;  // what a warp reads of a row at a time
inline constexpr std::size_t tile_columns = 8;                   // digits that one matrix instruction takes
inline constexpr std::size_t most_tiles = 5;

struct PackedCalls {
  const std::uint8_t* bytes;
  std::size_t rows, calls, row_bytes;  // row_bytes: whole lines
};
inline std::size_t packed_row_bytes(std::size_t calls) { return (calls + line_calls - 1) / line_calls * line_bytes; }

/// From variant-major to sample-major, or back.
void transpose_calls(const PackedCalls& from, std::uint8_t* to, cudaStream_t stream);

/// What a call counts in a sum over a row.
enum class Plane : unsigned { copies, squares, unknown };
/// What is known of a term's weights on the device: the largest size (as bits), the sum of its integers.
struct TermScale {
  unsigned long long largest;
  long long total;
};

/// out[k] = base[k] f[k]^f_power g[k]^g_power, and the largest size of all (raised from what stands there).
struct WeightParts {
  const double *base, *f, *g;
  int f_power, g_power;
};
void make_weights(const WeightParts& parts, std::size_t count, double* out, TermScale* scale, cudaStream_t stream);

/// Writes a term's digits to columns [column, column + digits) of a tile, as the product reads them: `tile` has
/// row_bytes*2 x 16 bytes, all zero before. Adds up the integers.
void write_digits(const double* weights, std::size_t count, unsigned digits, unsigned column, std::uint8_t* tile,
                  TermScale* scale, cudaStream_t stream);
std::size_t tile_bytes(std::size_t row_bytes);

/// sums[row*tiles*8 + tile*8 + column] += ..., zero before.
struct Tiles {
  unsigned count;
  Plane plane[most_tiles];
  const std::uint8_t* digits;  // one tile after the other
};
void multiply_calls(const PackedCalls& calls, const Tiles& tiles, std::int32_t* sums, cudaStream_t stream);

/// Where a term's digits stand in a row's sums; beyond its columns: the sum is 0, and only the weights' total counts.
struct Place {
  unsigned first, digits;
  const TermScale* scale;
};
/// plain = f (t0 - g (all1 - t1)), squared = f^2 (t2 - 2 g t3 + g^2 (all4 - t4)): unknown calls stand at the centre.
/// Without `g` it is 1, without `squared` there is none.
struct Finish {
  Place place[5];
  const double *f, *g;
  double *plain, *squared;
};
void finish_products(const std::int32_t* sums, std::size_t rows, unsigned columns, const Finish& finish,
                     cudaStream_t stream);

/// Panels and columns of the scaled matrix, as device_values.hpp says.
struct CallScaling {
  const double *centre, *scale, *row_scale;
};
void write_call_panel(const PackedCalls& by_sample, const CallScaling& scaling, std::size_t first, std::size_t count,
                      const double* sample_factor, const double* feature_factor, double* out, cudaStream_t stream);
void write_call_columns(const PackedCalls& by_variant, const CallScaling& scaling, const int* which, std::size_t count,
                        const double* sample_factor, const double* feature_factor, double* out, cudaStream_t stream);

}  // namespace cavity::cuda
