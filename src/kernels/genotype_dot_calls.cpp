// Rows times weights that the samples have: dot_calls with 8-bit dot products.
#include <cstring>

#include "kernels/genotype_dot_product_parts.hpp"

#if HWY_ARCH_X86
namespace cavity::kernels::dot_product {

namespace {

template <int j>
CAVITY_VNNI_INLINE __m512i call(__m512i packed) {
  return _mm512_and_si512(j == 0 ? packed : _mm512_srli_epi16(packed, 2 * j), _mm512_set1_epi8(3));
}

// The calls at place j of the bytes of four rows, each with the same weights.
template <int j, unsigned digits>
CAVITY_VNNI_INLINE void dot_place(const __m512i (&packed)[4], const Line* weights, Sums& a, Sums& b, Sums& c, Sums& d) {
  const __m512i ca = call<j>(packed[0]), cb = call<j>(packed[1]), cc = call<j>(packed[2]), cd = call<j>(packed[3]);
  const __m512i w0 = load_line(weights[4 * j + 0]);
  dot(a.d0, ca, w0), dot(b.d0, cb, w0), dot(c.d0, cc, w0), dot(d.d0, cd, w0);
  const __m512i w1 = load_line(weights[4 * j + 1]);
  dot(a.d1, ca, w1), dot(b.d1, cb, w1), dot(c.d1, cc, w1), dot(d.d1, cd, w1);
  const __m512i w2 = load_line(weights[4 * j + 2]);
  dot(a.d2, ca, w2), dot(b.d2, cb, w2), dot(c.d2, cc, w2), dot(d.d2, cd, w2);
  if constexpr (digits > 3) {
    const __m512i w3 = load_line(weights[4 * j + 3]);
    dot(a.d3, ca, w3), dot(b.d3, cb, w3), dot(c.d3, cc, w3), dot(d.d3, cd, w3);
  }
}

CAVITY_VNNI_INLINE std::int64_t total(const Sums& s) {
  const __m512i low = _mm512_add_epi32(s.d0, _mm512_slli_epi32(s.d1, 8));
  const __m512i high = _mm512_add_epi32(s.d2, _mm512_slli_epi32(s.d3, 8));
  return _mm512_reduce_add_epi32(low) + std::int64_t{65536} * _mm512_reduce_add_epi32(high);
}

struct FourRows {
  Sums a, b, c, d;

  template <Count count, unsigned digits>
  CAVITY_VNNI_INLINE void add_chunk(const std::uint8_t* r0, const std::uint8_t* r1, const std::uint8_t* r2,
                                    const std::uint8_t* r3, const Line* weights) {
    const __m512i packed[4] = {
        in_register(decode<count>(_mm512_loadu_si512(r0))), in_register(decode<count>(_mm512_loadu_si512(r1))),
        in_register(decode<count>(_mm512_loadu_si512(r2))), in_register(decode<count>(_mm512_loadu_si512(r3)))};
    dot_place<0, digits>(packed, weights, a, b, c, d);
    dot_place<1, digits>(packed, weights, a, b, c, d);
    dot_place<2, digits>(packed, weights, a, b, c, d);
    dot_place<3, digits>(packed, weights, a, b, c, d);
  }
};

template <Count count, unsigned digits>
CAVITY_VNNI void dot_rows(const std::uint8_t* const* rows, std::size_t bytes, const Line* weights, std::int64_t* out,
                          const std::uint8_t* ahead) {
  const std::uint8_t *r0 = rows[0], *r1 = rows[1], *r2 = rows[2], *r3 = rows[3];
  FourRows sums{no_sums(), no_sums(), no_sums(), no_sums()};
  const std::size_t whole = bytes / chunk_bytes * chunk_bytes;
  for (std::size_t at = 0; at < whole; at += chunk_bytes, weights += chunk_lines, ahead += 4 * chunk_bytes) {
    for (std::size_t r = 0; r < 4; ++r)
      _mm_prefetch(reinterpret_cast<const char*>(ahead + r * chunk_bytes), _MM_HINT_T1);
    sums.add_chunk<count, digits>(r0 + at, r1 + at, r2 + at, r3 + at, weights);
  }
  if (whole < bytes) {  // the weights beyond the end are 0
    std::uint8_t rest[4][chunk_bytes] = {};
    for (std::size_t r = 0; r < 4; ++r) std::memcpy(rest[r], rows[r] + whole, bytes - whole);
    sums.add_chunk<count, digits>(rest[0], rest[1], rest[2], rest[3], weights);
  }
  out[0] += total(sums.a);
  out[1] += total(sums.b);
  out[2] += total(sums.c);
  out[3] += total(sums.d);
}

template <unsigned digits>
CAVITY_VNNI void dot_digits(const std::uint8_t* const* rows, std::size_t bytes, const Line* weights,
                            std::int64_t* copies, std::int64_t* missing, const std::uint8_t* ahead) {
  if (missing == nullptr) return dot_rows<Count::copies, digits>(rows, bytes, weights, copies, ahead);
  dot_rows<Count::known_copies, digits>(rows, bytes, weights, copies, ahead);
  dot_rows<Count::missing, digits>(rows, bytes, weights, missing, ahead);  // finds the rows in the first-level cache
}

}  // namespace

CAVITY_VNNI void dot_calls(const std::uint8_t* const* rows, std::size_t bytes, const Line* weights, unsigned digits,
                           std::int64_t* copies, std::int64_t* missing, const std::uint8_t* ahead) {
  if (digits > 3)
    dot_digits<4>(rows, bytes, weights, copies, missing, ahead);
  else
    dot_digits<3>(rows, bytes, weights, copies, missing, ahead);
}

}  // namespace cavity::kernels::dot_product
#endif
