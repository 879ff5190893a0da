// The inverse of a triangular factor by products of matrices, which are several times faster than the library's own.
#pragma once

#include "cuda/device.hpp"

namespace cavity::cuda {

/// Lower triangle, in place; 0 above it.
void invert_factor(const Device& device, std::size_t size, double* values);

}  // namespace cavity::cuda
