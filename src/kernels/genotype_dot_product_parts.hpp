// What the kernels with 8-bit dot products are made of. For their own source files alone.
#pragma once

#include <hwy/detect_compiler_arch.h>

#include "kernels/genotype_dot_product.hpp"

#if HWY_ARCH_X86
#if defined(__GNUC__) && !defined(__clang__)  // its own header's undefined vectors (GCC bug 105593)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>

// Only called where Highway has found these.
#define CAVITY_VNNI __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vnni")))
#define CAVITY_VNNI_INLINE CAVITY_VNNI __attribute__((always_inline)) inline

namespace cavity::kernels::dot_product {

enum class Count { copies, known_copies, missing };  // copies: every call is known

// 00 -> 2, 10 -> 1, 11 -> 0 and, by what is counted, 01 -> 3 (never met), 0, or 1 with all others 0.
template <Count count>
CAVITY_VNNI_INLINE __m512i decode(__m512i raw) {
  const __m512i even = _mm512_set1_epi8(0x55), high = _mm512_srli_epi16(raw, 1);
  const __m512i copies = _mm512_ternarylogic_epi32(raw, high, even, 0x2D);  // even ? raw ^ high : ~raw
  if constexpr (count == Count::copies) return copies;
  const __m512i missing = _mm512_ternarylogic_epi32(raw, high, even, 0x20);  // raw & ~high & even
  if constexpr (count == Count::missing) return missing;
  return _mm512_ternarylogic_epi32(copies, missing, _mm512_slli_epi16(missing, 1), 0x10);  // copies & ~(b | c)
}

// Keeps a load from being repeated in every instruction that uses it: loads would then be the bottleneck.
CAVITY_VNNI_INLINE __m512i in_register(__m512i v) {
  asm("" : "+v"(v));
  return v;
}

CAVITY_VNNI_INLINE __m512i load_line(const Line& line) { return in_register(_mm512_load_si512(line.bytes)); }

// sum += four products a lane. Not the intrinsic: around it GCC 12 copies the sums from register to register and
// spills.
CAVITY_VNNI_INLINE void dot(__m512i& sum, __m512i unsigned_bytes, __m512i signed_bytes) {
  asm("vpdpbusd %2, %1, %0" : "+v"(sum) : "v"(unsigned_bytes), "v"(signed_bytes));
}

// One a digit. No array: GCC would keep it in memory.
struct Sums {
  __m512i d0, d1, d2, d3;
};

CAVITY_VNNI_INLINE Sums no_sums() {
  const __m512i zero = _mm512_setzero_si512();
  return {zero, zero, zero, zero};
}

}  // namespace cavity::kernels::dot_product
#endif
