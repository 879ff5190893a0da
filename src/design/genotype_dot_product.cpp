#include <hwy/detect_compiler_arch.h>

#include "design/genotype_dot_product.hpp"

#if HWY_ARCH_X86
#if defined(__GNUC__) && !defined(__clang__)  // its own header's undefined vectors (GCC bug 105593)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>

#include <algorithm>
#include <cstring>

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

// The calls at place j of the bytes of four rows, each with the same weights.
template <int j>
CAVITY_VNNI_INLINE void dot_place(const __m512i (&packed)[4], const Line* weights, Sums& a, Sums& b, Sums& c, Sums& d) {
  const __m512i ca = call<j>(packed[0]), cb = call<j>(packed[1]), cc = call<j>(packed[2]), cd = call<j>(packed[3]);
  const __m512i w0 = load_line(weights[4 * j + 0]);
  dot(a.d0, ca, w0), dot(b.d0, cb, w0), dot(c.d0, cc, w0), dot(d.d0, cd, w0);
  const __m512i w1 = load_line(weights[4 * j + 1]);
  dot(a.d1, ca, w1), dot(b.d1, cb, w1), dot(c.d1, cc, w1), dot(d.d1, cd, w1);
  const __m512i w2 = load_line(weights[4 * j + 2]);
  dot(a.d2, ca, w2), dot(b.d2, cb, w2), dot(c.d2, cc, w2), dot(d.d2, cd, w2);
  const __m512i w3 = load_line(weights[4 * j + 3]);
  dot(a.d3, ca, w3), dot(b.d3, cb, w3), dot(c.d3, cc, w3), dot(d.d3, cd, w3);
}

CAVITY_VNNI_INLINE std::int64_t total(const Sums& s) {
  const __m512i low = _mm512_add_epi32(s.d0, _mm512_slli_epi32(s.d1, 8));
  const __m512i high = _mm512_add_epi32(s.d2, _mm512_slli_epi32(s.d3, 8));
  return _mm512_reduce_add_epi32(low) + std::int64_t{65536} * _mm512_reduce_add_epi32(high);
}

template <Count count>
CAVITY_VNNI void dot_rows(const std::uint8_t* const* rows, std::size_t bytes, const Line* weights, std::int64_t* out,
                          const std::uint8_t* ahead) {
  const std::uint8_t *r0 = rows[0], *r1 = rows[1], *r2 = rows[2], *r3 = rows[3];
  Sums a = no_sums(), b = a, c = a, d = a;
  for (std::size_t at = 0; at < bytes; at += chunk_bytes, weights += chunk_lines) {
    const std::size_t left = bytes - at;
    const __mmask64 mask = left >= chunk_bytes ? ~__mmask64{0} : (__mmask64{1} << left) - 1;
    const __m512i packed[4] = {in_register(decode<count>(_mm512_maskz_loadu_epi8(mask, r0 + at))),
                               in_register(decode<count>(_mm512_maskz_loadu_epi8(mask, r1 + at))),
                               in_register(decode<count>(_mm512_maskz_loadu_epi8(mask, r2 + at))),
                               in_register(decode<count>(_mm512_maskz_loadu_epi8(mask, r3 + at)))};
    if (ahead != nullptr)
      for (int r = 0; r < 4; ++r, ahead += 64) _mm_prefetch(reinterpret_cast<const char*>(ahead), _MM_HINT_T0);
    dot_place<0>(packed, weights, a, b, c, d);
    dot_place<1>(packed, weights, a, b, c, d);
    dot_place<2>(packed, weights, a, b, c, d);
    dot_place<3>(packed, weights, a, b, c, d);
  }
  out[0] += total(a);
  out[1] += total(b);
  out[2] += total(c);
  out[3] += total(d);
}

// Eight variants by table: the codes of two of them are an index of four bits, with the pair's number one of six, for
// which vpermb looks up the digits of what the two calls add (unsigned: the least entry is taken off). A dot product
// with ones adds those of the four pairs.
constexpr std::size_t table_variants = 8;
struct Tables {
  Line digit[4];
};

CAVITY_VNNI std::int64_t fill_tables(std::span<const CallWeight> weights, Tables& tables) {
  std::int64_t least = 0;
  alignas(16) std::int32_t value[table_variants][4] = {};  // by code; 0 for variants that are not there
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const std::int64_t copy = weights[i].copy, missing = weights[i].has_missing != 0 ? weights[i].missing : 0;
    const std::int64_t base = std::min({2 * copy, missing, std::int64_t{0}});
    least += base;
    const std::int64_t by_code[4] = {2 * copy - base, missing - base, copy - base, -base};
    for (int code = 0; code < 4; ++code) value[i][code] = static_cast<std::int32_t>(by_code[code]);
  }
  const __m512i second = _mm512_set_epi32(3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0);
  for (std::size_t pair = 0; pair < 4; ++pair) {
    const __m512i a = _mm512_broadcast_i32x4(_mm_load_si128(reinterpret_cast<const __m128i*>(value[2 * pair])));
    const __m512i b = _mm512_broadcast_i32x4(_mm_load_si128(reinterpret_cast<const __m128i*>(value[2 * pair + 1])));
    const __m512i sum = _mm512_add_epi32(a, _mm512_permutexvar_epi32(second, b));
    for (unsigned k = 0; k < 4; ++k)
      _mm_storeu_si128(reinterpret_cast<__m128i*>(tables.digit[k].bytes + 16 * pair),
                       _mm512_cvtepi32_epi8(_mm512_srli_epi32(sum, 8 * k)));
  }
  return least;
}

// 16 bytes of every other row. Masked broadcasts take no shuffle, which are scarce here, as insertions would.
CAVITY_VNNI_INLINE __m512i four_rows(const std::uint8_t* const* rows, std::size_t at) {
  const auto part = [=](int r) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(rows[r] + at)); };
  __m512i x = _mm512_castsi128_si512(part(0));
  x = _mm512_mask_broadcast_i32x4(x, 0x00f0, part(2));
  x = _mm512_mask_broadcast_i32x4(x, 0x0f00, part(4));
  return _mm512_mask_broadcast_i32x4(x, 0xf000, part(6));
}

// 16 bytes of each of four rows or pairs of rows to 16 times 32 bits: a byte of each.
CAVITY_VNNI_INLINE __m512i by_sample(__m512i rows) {
  const __m512i order =
      _mm512_set_epi8(63, 47, 31, 15, 62, 46, 30, 14, 61, 45, 29, 13, 60, 44, 28, 12, 59, 43, 27, 11, 58, 42, 26, 10,
                      57, 41, 25, 9, 56, 40, 24, 8, 55, 39, 23, 7, 54, 38, 22, 6, 53, 37, 21, 5, 52, 36, 20, 4, 51, 35,
                      19, 3, 50, 34, 18, 2, 49, 33, 17, 1, 48, 32, 16, 0);
  return _mm512_permutexvar_epi8(order, rows);
}

// What the tables say of two places in the bytes of samples, whose indices are the low and the high nibbles.
CAVITY_VNNI_INLINE void look_up(__m512i pairs, const Tables& tables, Sums& first, Sums& second) {
  const __m512i nibble = _mm512_set1_epi8(15), number = _mm512_set1_epi32(0x30201000), ones = _mm512_set1_epi8(1);
  const __m512i indices = by_sample(pairs);
  const __m512i low = _mm512_ternarylogic_epi32(indices, nibble, number, 0xEA);  // (a & b) | c
  const __m512i high = _mm512_ternarylogic_epi32(_mm512_srli_epi16(indices, 4), nibble, number, 0xEA);
  const __m512i t0 = load_line(tables.digit[0]), t1 = load_line(tables.digit[1]);
  dot(first.d0, _mm512_permutexvar_epi8(low, t0), ones);
  dot(second.d0, _mm512_permutexvar_epi8(high, t0), ones);
  dot(first.d1, _mm512_permutexvar_epi8(low, t1), ones);
  dot(second.d1, _mm512_permutexvar_epi8(high, t1), ones);
  const __m512i t2 = load_line(tables.digit[2]), t3 = load_line(tables.digit[3]);
  dot(first.d2, _mm512_permutexvar_epi8(low, t2), ones);
  dot(second.d2, _mm512_permutexvar_epi8(high, t2), ones);
  dot(first.d3, _mm512_permutexvar_epi8(low, t3), ones);
  dot(second.d3, _mm512_permutexvar_epi8(high, t3), ones);
}

// low + 2^16 high
CAVITY_VNNI_INLINE __m512i wide(__m256i low, __m256i high) {
  return _mm512_add_epi64(_mm512_cvtepi32_epi64(low), _mm512_slli_epi64(_mm512_cvtepi32_epi64(high), 16));
}

CAVITY_VNNI_INLINE void add_sums(const Sums& s, __m512i least, std::int64_t* sums) {
  const __m512i low = _mm512_add_epi32(s.d0, _mm512_slli_epi32(s.d1, 8));
  const __m512i high = _mm512_add_epi32(s.d2, _mm512_slli_epi32(s.d3, 8));
  const __m512i first = _mm512_add_epi64(least, wide(_mm512_castsi512_si256(low), _mm512_castsi512_si256(high)));
  const __m512i second =
      _mm512_add_epi64(least, wide(_mm512_extracti64x4_epi64(low, 1), _mm512_extracti64x4_epi64(high, 1)));
  _mm512_storeu_si512(sums, _mm512_add_epi64(_mm512_loadu_si512(sums), first));
  _mm512_storeu_si512(sums + 8, _mm512_add_epi64(_mm512_loadu_si512(sums + 8), second));
}

constexpr std::size_t step_bytes = 16;  // of every row

CAVITY_VNNI_INLINE void add_step(const std::uint8_t* const* rows, std::size_t at, std::span<const Tables> groups,
                                 std::int64_t least, std::int64_t* sums, const std::uint8_t* ahead) {
  const __m512i first_code = _mm512_set1_epi8(0x33);
  Sums s0 = no_sums(), s1 = s0, s2 = s0, s3 = s0;  // by place in the byte
  for (const Tables& tables : groups) {
    const __m512i a = four_rows(rows, at), b = four_rows(rows + 1, at);
    rows += table_variants;
    _mm_prefetch(reinterpret_cast<const char*>(ahead), _MM_HINT_T1);
    _mm_prefetch(reinterpret_cast<const char*>(ahead + 64), _MM_HINT_T1);
    ahead += 128;
    // first_code ? a : b, with the other's codes moved to meet it
    look_up(_mm512_ternarylogic_epi32(first_code, a, _mm512_slli_epi16(b, 2), 0xCA), tables, s0, s2);
    look_up(_mm512_ternarylogic_epi32(first_code, _mm512_srli_epi16(a, 2), b, 0xCA), tables, s1, s3);
  }
  const __m512i base = _mm512_set1_epi64(least);
  add_sums(s0, base, sums);
  add_sums(s1, base, sums + 16);
  add_sums(s2, base, sums + 32);
  add_sums(s3, base, sums + 48);
}

// Without unknown calls four variants at a time, by a dot product of their copies with the digits of their weights:
// half the shuffles, a tenth faster.
struct DirectWeights {
  std::int32_t digit[4];  // four bytes each, one a variant
};

CAVITY_VNNI_INLINE void add_place(__m512i copies, const DirectWeights& w, Sums& s) {
  dot(s.d0, copies, _mm512_set1_epi32(w.digit[0]));
  dot(s.d1, copies, _mm512_set1_epi32(w.digit[1]));
  dot(s.d2, copies, _mm512_set1_epi32(w.digit[2]));
  dot(s.d3, copies, _mm512_set1_epi32(w.digit[3]));
}

CAVITY_VNNI_INLINE void add_step_directly(const std::uint8_t* const* rows, std::size_t at,
                                          std::span<const DirectWeights> groups, std::int64_t* sums,
                                          const std::uint8_t* ahead) {
  Sums s0 = no_sums(), s1 = s0, s2 = s0, s3 = s0;  // by place in the byte
  for (const DirectWeights& weights : groups) {
    const auto part = [=](int r) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(rows[r] + at)); };
    __m512i x = _mm512_castsi128_si512(part(0));
    x = _mm512_mask_broadcast_i32x4(x, 0x00f0, part(1));
    x = _mm512_mask_broadcast_i32x4(x, 0x0f00, part(2));
    x = _mm512_mask_broadcast_i32x4(x, 0xf000, part(3));
    rows += 4;
    _mm_prefetch(reinterpret_cast<const char*>(ahead), _MM_HINT_T1);
    ahead += 64;
    const __m512i packed = decode<Count::copies>(by_sample(x));
    add_place(call<0>(packed), weights, s0);
    add_place(call<1>(packed), weights, s1);
    add_place(call<2>(packed), weights, s2);
    add_place(call<3>(packed), weights, s3);
  }
  const __m512i zero = _mm512_setzero_si512();
  add_sums(s0, zero, sums);
  add_sums(s1, zero, sums + 16);
  add_sums(s2, zero, sums + 32);
  add_sums(s3, zero, sums + 48);
}

CAVITY_VNNI void add_known_calls(const std::uint8_t* const* rows, std::size_t bytes,
                                 std::span<const CallWeight> weights, std::int64_t* sums, const std::uint8_t* ahead) {
  DirectWeights direct[most_variants / 4];
  const std::uint8_t* padded[most_variants];
  std::uint8_t rest[most_variants][step_bytes] = {};
  const std::size_t groups = (weights.size() + 3) / 4, whole = bytes / step_bytes * step_bytes;
  for (std::size_t i = 0; i < 4 * groups; ++i) {
    padded[i] = rows[std::min(i, weights.size() - 1)];
    const Digits digits(i < weights.size() ? weights[i].copy : 0);
    for (std::size_t k = 0; k < 4; ++k) reinterpret_cast<std::int8_t*>(&direct[i / 4].digit[k])[i % 4] = digits[k];
  }
  for (std::size_t at = 0; at < whole; at += step_bytes, sums += 4 * step_bytes, ahead += groups * 64)
    add_step_directly(padded, at, {direct, groups}, sums, ahead);
  if (whole == bytes) return;
  for (std::size_t i = 0; i < 4 * groups; ++i) {
    std::memcpy(rest[i], padded[i] + whole, bytes - whole);
    padded[i] = rest[i];
  }
  add_step_directly(padded, 0, {direct, groups}, sums, ahead);
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

CAVITY_VNNI void add_calls(const std::uint8_t* const* rows, std::size_t bytes, std::span<const CallWeight> weights,
                           std::int64_t* sums, const std::uint8_t* ahead) {
  if (std::none_of(weights.begin(), weights.end(), [](const CallWeight& w) { return w.has_missing != 0; }))
    return add_known_calls(rows, bytes, weights, sums, ahead);
  Tables tables[most_variants / table_variants];
  const std::uint8_t* padded[most_variants];
  std::uint8_t rest[most_variants][step_bytes] = {};
  const std::size_t groups = (weights.size() + table_variants - 1) / table_variants;
  const std::size_t whole = bytes / step_bytes * step_bytes;
  std::int64_t least = 0;
  for (std::size_t g = 0; g < groups; ++g) {
    const std::size_t first = g * table_variants;
    least += fill_tables(weights.subspan(first, std::min(table_variants, weights.size() - first)), tables[g]);
  }
  for (std::size_t i = 0; i < groups * table_variants; ++i) padded[i] = rows[std::min(i, weights.size() - 1)];
  for (std::size_t at = 0; at < whole; at += step_bytes, sums += 4 * step_bytes, ahead += groups * 128)
    add_step(padded, at, {tables, groups}, least, sums, ahead);
  if (whole == bytes) return;
  for (std::size_t i = 0; i < groups * table_variants; ++i) {
    std::memcpy(rest[i], padded[i] + whole, bytes - whole);
    padded[i] = rest[i];
  }
  add_step(padded, 0, {tables, groups}, least, sums, ahead);
}

}  // namespace cavity::kernels::dot_product
#endif
