// Genotypes on the device: a low and a high bit a call, 0, 1, 2 copies of A1 and 3 for not known. 64 calls of a row
// stand in 16 bytes, their low bits before their high ones, and four such in a line. A line of each of 16 rows, then
// the next line of each: what a warp reads is one piece of memory. Rows and lines are padded; the padding has weight 0.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace cavity::cuda {

inline constexpr std::size_t line_calls = 256, line_bytes = 64, tile_rows = 16;

struct CallPlanes {
  const std::uint8_t* bytes;
  std::size_t rows, calls;

  __host__ __device__ std::size_t lines() const { return (calls + line_calls - 1) / line_calls; }
  /// In bytes, of a row's line.
  __host__ __device__ std::size_t place(std::size_t row, std::size_t line) const {
    return ((row / tile_rows * lines() + line) * tile_rows + row % tile_rows) * line_bytes;
  }
  std::size_t size() const { return (rows + tile_rows - 1) / tile_rows * tile_rows * lines() * line_bytes; }
};

/// From rows of PLINK's codes (00 two copies, 10 one, 11 none, 01 not known; low bits first), each padded to whole
/// lines.
void planes_of_codes(const std::uint8_t* codes, const CallPlanes& shape, std::uint8_t* to, cudaStream_t stream);

/// From variant-major to sample-major, or back; `to` is zero before.
void transpose_calls(const CallPlanes& from, std::uint8_t* to, cudaStream_t stream);

/// Panels and columns of the scaled matrix, as device_values.hpp says.
struct CallScaling {
  const double *centre, *scale, *row_scale;
};
void write_call_panel(const CallPlanes& by_sample, const CallScaling& scaling, std::size_t first, std::size_t count,
                      const double* sample_factor, const double* feature_factor, double* out, cudaStream_t stream);
void write_call_columns(const CallPlanes& by_variant, const CallScaling& scaling, const int* which, std::size_t count,
                        const double* sample_factor, const double* feature_factor, double* out, cudaStream_t stream);

}  // namespace cavity::cuda
