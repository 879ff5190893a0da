// The genotype kernels with AVX-512's 8-bit dot products (vpdpbusd: 64 multiply-adds an instruction), for CPUs that
// Highway counts as AVX3_DL. They are bound by that instruction: four of them, one a digit, for 64 calls.
#pragma once

#include "design/genotype_kernels.hpp"

#if HWY_ARCH_X86
namespace cavity::kernels::dot_product {

void dot_calls(const std::uint8_t* const* rows, std::size_t bytes, const Line* weights, std::int64_t* copies,
               std::int64_t* missing, const std::uint8_t* ahead);
void add_calls(const std::uint8_t* const* rows, std::size_t bytes, std::span<const GroupWeights> groups,
               std::int64_t* sums, const std::uint8_t* ahead);

}  // namespace cavity::kernels::dot_product
#endif
