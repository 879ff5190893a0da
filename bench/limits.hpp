// What this machine can do on one core, measured: the limits that the kernels are held against.
#pragma once

#include <cstddef>

namespace cavity::limits {

/// Bytes a second of a plain read of `bytes` bytes (widest vectors), best of five.
double read_bandwidth(const float* values, std::size_t count);

/// Multiply-adds a second of the widest vectors with operands in registers, best of five.
double float_peak();
double double_peak();

}  // namespace cavity::limits
