#include <hwy/detect_compiler_arch.h>

#include "design/genotype_dot_product.hpp"

#if HWY_ARCH_X86
#if defined(__GNUC__) && !defined(__clang__)  // its own header's undefined vectors (GCC bug 105593)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>

#include <algorithm>

// Only called where Highway has found these.
#define CAVITY_VNNI __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vnni")))
#define CAVITY_VNNI_INLINE CAVITY_VNNI __attribute__((always_inline)) inline

namespace cavity::kernels::dot_product {

namespace {

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

template <int j>
CAVITY_VNNI_INLINE __m512i call(__m512i packed) {
  return _mm512_and_si512(j == 0 ? packed : _mm512_srli_epi16(packed, 2 * j), _mm512_set1_epi8(3));
}

// Keeps a load from being repeated in every instruction that uses it: loads would then be the bottleneck.
CAVITY_VNNI_INLINE __m512i in_register(__m512i v) {
  asm("" : "+v"(v));
  return v;
}

// d[row][digit] += the calls at place j of the rows' bytes
template <int j>
CAVITY_VNNI_INLINE void dot_place(const __m512i (&packed)[4], const Line* weights, __m512i (&d)[4][4]) {
  const __m512i c0 = call<j>(packed[0]), c1 = call<j>(packed[1]), c2 = call<j>(packed[2]), c3 = call<j>(packed[3]);
#pragma GCC unroll 4
  for (int k = 0; k < 4; ++k) {
    const __m512i digit = in_register(_mm512_load_si512(weights[4 * j + k].bytes));
    d[0][k] = _mm512_dpbusd_epi32(d[0][k], c0, digit);
    d[1][k] = _mm512_dpbusd_epi32(d[1][k], c1, digit);
    d[2][k] = _mm512_dpbusd_epi32(d[2][k], c2, digit);
    d[3][k] = _mm512_dpbusd_epi32(d[3][k], c3, digit);
  }
}

template <Count count>
CAVITY_VNNI void dot_rows(const std::uint8_t* const* rows, std::size_t bytes, const Line* weights, std::int64_t* out,
                          const std::uint8_t* ahead) {
  const std::uint8_t *r0 = rows[0], *r1 = rows[1], *r2 = rows[2], *r3 = rows[3];
  __m512i d[4][4];
  for (auto& row : d)
    for (auto& sum : row) sum = _mm512_setzero_si512();
  for (std::size_t at = 0; at < bytes; at += chunk_bytes, weights += chunk_lines) {
    const std::size_t left = bytes - at;
    const __mmask64 mask = left >= chunk_bytes ? ~__mmask64{0} : (__mmask64{1} << left) - 1;
    const __m512i packed[4] = {in_register(decode<count>(_mm512_maskz_loadu_epi8(mask, r0 + at))),
                               in_register(decode<count>(_mm512_maskz_loadu_epi8(mask, r1 + at))),
                               in_register(decode<count>(_mm512_maskz_loadu_epi8(mask, r2 + at))),
                               in_register(decode<count>(_mm512_maskz_loadu_epi8(mask, r3 + at)))};
    if (ahead != nullptr)
      for (int r = 0; r < 4; ++r, ahead += 64) _mm_prefetch(reinterpret_cast<const char*>(ahead), _MM_HINT_T0);
    dot_place<0>(packed, weights, d);
    dot_place<1>(packed, weights, d);
    dot_place<2>(packed, weights, d);
    dot_place<3>(packed, weights, d);
  }
  for (int r = 0; r < 4; ++r) {
    const __m512i low = _mm512_add_epi32(d[r][0], _mm512_slli_epi32(d[r][1], 8));
    const __m512i high = _mm512_add_epi32(d[r][2], _mm512_slli_epi32(d[r][3], 8));
    out[r] += _mm512_reduce_add_epi32(low) + std::int64_t{65536} * _mm512_reduce_add_epi32(high);
  }
}

// Bytes at..at+15 of four rows, one of each in every 32-bit lane: the calls of four samples.
CAVITY_VNNI_INLINE __m512i interleaved(const std::uint8_t* const* rows, std::size_t at, __mmask16 mask) {
  const __m512i order =
      _mm512_set_epi8(63, 47, 31, 15, 62, 46, 30, 14, 61, 45, 29, 13, 60, 44, 28, 12, 59, 43, 27, 11, 58, 42, 26, 10,
                      57, 41, 25, 9, 56, 40, 24, 8, 55, 39, 23, 7, 54, 38, 22, 6, 53, 37, 21, 5, 52, 36, 20, 4, 51, 35,
                      19, 3, 50, 34, 18, 2, 49, 33, 17, 1, 48, 32, 16, 0);
  __m512i x = _mm512_castsi128_si512(_mm_maskz_loadu_epi8(mask, rows[0] + at));
  x = _mm512_inserti32x4(x, _mm_maskz_loadu_epi8(mask, rows[1] + at), 1);
  x = _mm512_inserti32x4(x, _mm_maskz_loadu_epi8(mask, rows[2] + at), 2);
  x = _mm512_inserti32x4(x, _mm_maskz_loadu_epi8(mask, rows[3] + at), 3);
  return _mm512_permutexvar_epi8(order, x);
}

CAVITY_VNNI_INLINE void add_group(__m512i packed, const std::int8_t (&weights)[4][4], __m512i (&d)[4][4]) {
  const __m512i c0 = call<0>(packed), c1 = call<1>(packed), c2 = call<2>(packed), c3 = call<3>(packed);
#pragma GCC unroll 4
  for (int k = 0; k < 4; ++k) {
    std::int32_t four;
    __builtin_memcpy(&four, weights[k], 4);
    const __m512i digit = _mm512_set1_epi32(four);
    d[0][k] = _mm512_dpbusd_epi32(d[0][k], c0, digit);
    d[1][k] = _mm512_dpbusd_epi32(d[1][k], c1, digit);
    d[2][k] = _mm512_dpbusd_epi32(d[2][k], c2, digit);
    d[3][k] = _mm512_dpbusd_epi32(d[3][k], c3, digit);
  }
}

// low + 2^16 high
CAVITY_VNNI_INLINE __m512i wide(__m256i low, __m256i high) {
  return _mm512_add_epi64(_mm512_cvtepi32_epi64(low), _mm512_slli_epi64(_mm512_cvtepi32_epi64(high), 16));
}

CAVITY_VNNI_INLINE void add_sums(const __m512i (&d)[4], std::int64_t* sums) {
  const __m512i low = _mm512_add_epi32(d[0], _mm512_slli_epi32(d[1], 8));
  const __m512i high = _mm512_add_epi32(d[2], _mm512_slli_epi32(d[3], 8));
  const __m512i first = wide(_mm512_castsi512_si256(low), _mm512_castsi512_si256(high));
  const __m512i second = wide(_mm512_extracti64x4_epi64(low, 1), _mm512_extracti64x4_epi64(high, 1));
  _mm512_storeu_si512(sums, _mm512_add_epi64(_mm512_loadu_si512(sums), first));
  _mm512_storeu_si512(sums + 8, _mm512_add_epi64(_mm512_loadu_si512(sums + 8), second));
}

}  // namespace

CAVITY_VNNI void dot_calls(const std::uint8_t* const* rows, std::size_t bytes, const Line* weights,
                           std::int64_t* copies, std::int64_t* missing, const std::uint8_t* ahead) {
  if (missing == nullptr) {
    dot_rows<Count::copies>(rows, bytes, weights, copies, ahead);
  } else {  // the second pass finds the rows in the first-level cache
    dot_rows<Count::known_copies>(rows, bytes, weights, copies, ahead);
    dot_rows<Count::missing>(rows, bytes, weights, missing, nullptr);
  }
}

CAVITY_VNNI void add_calls(const std::uint8_t* const* rows, std::size_t bytes, std::span<const GroupWeights> groups,
                           std::int64_t* sums, const std::uint8_t* ahead) {
  for (std::size_t at = 0; at < bytes; at += 16, sums += 64) {
    const std::size_t left = bytes - at;
    const auto mask = static_cast<__mmask16>(left >= 16 ? 0xffff : (1 << left) - 1);
    __m512i d[4][4];  // [place in byte][digit]
    for (auto& place : d)
      for (auto& sum : place) sum = _mm512_setzero_si512();
    const std::uint8_t* const* row = rows;
    for (const GroupWeights& group : groups) {
      const __m512i raw = in_register(interleaved(row, at, mask));
      row += group_rows;
      _mm_prefetch(reinterpret_cast<const char*>(ahead), _MM_HINT_T1);
      ahead += 64;
      if (group.has_missing) {
        add_group(decode<Count::known_copies>(raw), group.copies, d);
        add_group(decode<Count::missing>(raw), group.missing, d);
      } else {
        add_group(decode<Count::copies>(raw), group.copies, d);
      }
    }
    for (int j = 0; j < 4; ++j) add_sums(d[j], sums + 16 * j);
  }
}

}  // namespace cavity::kernels::dot_product
#endif
