// What this machine can do on one core, measured: the limits that the kernels are held against.
#pragma once

#include <cstddef>

namespace cavity::limits {

/// CPU time of this thread so far: other processes do not count.
double cpu_seconds();

/// CPU seconds of reading the values once from one end to the other (widest vectors).
double read_seconds(const float* values, std::size_t count);

/// Multiply-adds a second of the widest vectors with operands in registers, best of five.
double float_peak();
double double_peak();

}  // namespace cavity::limits
