// SIMD kernels of the sparse design (Highway, dispatched at run time): products for eight models at once, so that each
// stored value is loaded once for all of them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cavity::kernels {

inline constexpr std::size_t models_at_once = 8;

/// Columns of a compressed-column matrix: column l holds values[start[column[l]]] to values[start[column[l] + 1] - 1].
struct SparseColumns {
  const std::uint64_t* start;
  const std::uint32_t* row;
  const float* value;
  const std::uint32_t* column;  // which, or none: column l is the l-th
};

/// out[row*8 + k] += sum over columns l in [first, last) of value v[l*8 + k]
void scatter_columns(const SparseColumns& x, std::size_t first, std::size_t last, const double* v, double* out);

/// out[l*8 + k] = sum over rows of value u[row*8 + k], for columns l in [first, last)
void gather_columns(const SparseColumns& x, std::size_t first, std::size_t last, const double* u, double* out);

}  // namespace cavity::kernels
