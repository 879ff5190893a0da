// The genotype kernels with AVX-512's 8-bit dot products (vpdpbusd: 64 multiply-adds an instruction), for CPUs that
// Highway counts as AVX3_DL.
#pragma once

#include "kernels/genotype_kernels.hpp"

#if HWY_ARCH_X86
namespace cavity::kernels::dot_product {

void dot_calls(const std::uint8_t* const* rows, std::size_t bytes, const Line* weights, unsigned digits,
               std::int64_t* copies, std::int64_t* missing, const std::uint8_t* ahead);
void add_calls(const std::uint8_t* const* rows, std::size_t bytes, std::span<const CallWeight> weights,
               std::int64_t* sums, const std::uint8_t* ahead);

}  // namespace cavity::kernels::dot_product
#endif
