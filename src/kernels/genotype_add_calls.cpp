// Weights that the rows have, summed over the rows for each sample: add_calls with 8-bit dot products.
#include <algorithm>

#include "kernels/genotype_digit_order.hpp"
#include "kernels/genotype_dot_product_parts.hpp"

#if HWY_ARCH_X86
namespace cavity::kernels::dot_product {

namespace {

// Eight variants by table: the codes of two of them are an index of four bits, with the pair's number one of six, for
// which vpermb looks up the digits of what the two calls add (unsigned: the least entry is taken off). A dot product
// with ones adds those of the four pairs.
constexpr std::size_t table_variants = 8;
struct Tables {
  Line digit[4];
};

// What a variant's three numbers are lifted by to be at least 0.
std::int64_t table_base(const CallWeight& w) {
  return std::min<std::int64_t>({2 * std::int64_t{w.copy}, w.has_missing != 0 ? w.missing : 0, 0});
}

// No entry of a table is larger, if both variants of the pair have this bound.
std::uint32_t table_bound(const CallWeight& w) {
  const auto most = std::max<std::int64_t>({2 * std::int64_t{w.copy}, w.has_missing != 0 ? w.missing : 0, 0});
  return static_cast<std::uint32_t>(2 * (most - table_base(w)));
}

CAVITY_VNNI std::int64_t fill_tables(std::span<const CallWeight> weights, Tables& tables) {
  std::int64_t least = 0;
  alignas(16) std::int32_t value[table_variants][4] = {};  // by code; 0 for variants that are not there
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const std::int64_t copy = weights[i].copy, missing = weights[i].has_missing != 0 ? weights[i].missing : 0;
    const std::int64_t base = table_base(weights[i]);
    least += base;
    const std::int64_t by_code[4] = {2 * copy - base, missing - base, copy - base, -base};
    for (int code = 0; code < 4; ++code) value[i][code] = static_cast<std::int32_t>(by_code[code]);
  }
  const __m512i second = _mm512_set_epi32(3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0);
  for (std::size_t pair = 0; pair < 4; ++pair) {
    const __m512i a = _mm512_broadcast_i32x4(_mm_load_si128(reinterpret_cast<const __m128i*>(value[pair])));
    const __m512i b = _mm512_broadcast_i32x4(_mm_load_si128(reinterpret_cast<const __m128i*>(value[pair + 4])));
    const __m512i sum = _mm512_add_epi32(a, _mm512_permutexvar_epi32(second, b));
    for (unsigned k = 0; k < 4; ++k)
      _mm_storeu_si128(reinterpret_cast<__m128i*>(tables.digit[k].bytes + 16 * pair),
                       _mm512_cvtepi32_epi8(_mm512_srli_epi32(sum, 8 * k)));
  }
  return least;
}

// What the tables say of two places in the bytes of samples, whose indices are the low and the high nibbles.
template <unsigned digits>
CAVITY_VNNI_INLINE void look_up(__m512i indices, const Tables& tables, Sums& first, Sums& second) {
  const __m512i nibble = _mm512_set1_epi8(15), number = _mm512_set1_epi32(0x30201000), ones = _mm512_set1_epi8(1);
  const __m512i low = _mm512_ternarylogic_epi32(indices, nibble, number, 0xEA);  // (a & b) | c
  const __m512i high = _mm512_ternarylogic_epi32(_mm512_srli_epi16(indices, 4), nibble, number, 0xEA);
  const __m512i t0 = load_line(tables.digit[0]), t1 = load_line(tables.digit[1]);
  dot(first.d0, _mm512_permutexvar_epi8(low, t0), ones);
  dot(second.d0, _mm512_permutexvar_epi8(high, t0), ones);
  dot(first.d1, _mm512_permutexvar_epi8(low, t1), ones);
  dot(second.d1, _mm512_permutexvar_epi8(high, t1), ones);
  if constexpr (digits > 2) {
    const __m512i t2 = load_line(tables.digit[2]);
    dot(first.d2, _mm512_permutexvar_epi8(low, t2), ones);
    dot(second.d2, _mm512_permutexvar_epi8(high, t2), ones);
  }
  if constexpr (digits > 3) {
    const __m512i t3 = load_line(tables.digit[3]);
    dot(first.d3, _mm512_permutexvar_epi8(low, t3), ones);
    dot(second.d3, _mm512_permutexvar_epi8(high, t3), ones);
  }
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

// Where the bytes of a block's rows are: those from `at` on, and the ones to fetch for later blocks.
struct Rows {
  const std::uint8_t* const* row;
  std::size_t at;
  const std::uint8_t* ahead;
};

// Bytes of two rows by turns, of the first or second half of each 16.
template <bool second>
CAVITY_VNNI_INLINE __m512i by_turns(const std::uint8_t* a, const std::uint8_t* b) {
  const __m512i x = _mm512_loadu_si512(a), y = _mm512_loadu_si512(b);
  return second ? _mm512_unpackhi_epi8(x, y) : _mm512_unpacklo_epi8(x, y);
}

// Of 64 bytes of four rows those whose place in each 16 is 4q to 4q + 3, as 16 times 32 bits: a byte of each row. On
// the way the next 64 of one of them are fetched to the first-level cache, and 64 of a later block to the second.
template <int q>
CAVITY_VNNI_INLINE __m512i quarter(const Rows& rows, std::size_t first) {
  const std::uint8_t* const* row = rows.row + first;
  _mm_prefetch(reinterpret_cast<const char*>(row[q] + rows.at + 2 * chunk_bytes - 1), _MM_HINT_T0);
  _mm_prefetch(reinterpret_cast<const char*>(rows.ahead + first * chunk_bytes / 4), _MM_HINT_T1);
  const __m512i low = by_turns<q / 2 != 0>(row[0] + rows.at, row[1] + rows.at);
  const __m512i high = by_turns<q / 2 != 0>(row[2] + rows.at, row[3] + rows.at);
  return q % 2 == 0 ? _mm512_unpacklo_epi16(low, high) : _mm512_unpackhi_epi16(low, high);
}

struct Places {  // sums by place in the byte
  Sums s0, s1, s2, s3;
};

// Groups [first, last) of a block, quarter q of their bytes.
template <unsigned digits, int q>
CAVITY_VNNI_INLINE void add_groups(const Rows& rows, std::size_t first, std::size_t last, const Tables* tables,
                                   Places& sums) {
  const __m512i first_code = _mm512_set1_epi8(0x33);
  for (std::size_t g = first; g < last; ++g) {
    const __m512i a = quarter<q>(rows, 8 * g), b = quarter<q>(rows, 8 * g + 4);
    // first_code ? a : b, with the other's codes moved to meet it
    look_up<digits>(_mm512_ternarylogic_epi32(first_code, a, _mm512_slli_epi16(b, 2), 0xCA), tables[g], sums.s0,
                    sums.s2);
    look_up<digits>(_mm512_ternarylogic_epi32(first_code, _mm512_srli_epi16(a, 2), b, 0xCA), tables[g], sums.s1,
                    sums.s3);
  }
}

// Without unknown calls four variants at a time, by a dot product of their copies with the digits of their weights:
// fewer shuffles.
constexpr std::size_t direct_variants = 4;
struct DirectWeights {
  std::int32_t digit[4];  // four bytes each, one a variant
};

template <unsigned digits, int q>
CAVITY_VNNI_INLINE void add_groups(const Rows& rows, std::size_t first, std::size_t last, const DirectWeights* weights,
                                   Places& sums) {
  for (std::size_t g = first; g < last; ++g) {
    const __m512i c3 = decode<Count::copies>(quarter<q>(rows, 4 * g));
    const __m512i c2 = _mm512_and_si512(c3, _mm512_set1_epi8(63)), c1 = _mm512_and_si512(c3, _mm512_set1_epi8(15));
    const __m512i c0 = _mm512_and_si512(c3, _mm512_set1_epi8(3));
    const __m512i w0 = in_register(_mm512_set1_epi32(weights[g].digit[0]));
    dot(sums.s0.d0, c0, w0), dot(sums.s1.d0, c1, w0), dot(sums.s2.d0, c2, w0), dot(sums.s3.d0, c3, w0);
    const __m512i w1 = in_register(_mm512_set1_epi32(weights[g].digit[1]));
    dot(sums.s0.d1, c0, w1), dot(sums.s1.d1, c1, w1), dot(sums.s2.d1, c2, w1), dot(sums.s3.d1, c3, w1);
    if constexpr (digits > 2) {
      const __m512i w2 = in_register(_mm512_set1_epi32(weights[g].digit[2]));
      dot(sums.s0.d2, c0, w2), dot(sums.s1.d2, c1, w2), dot(sums.s2.d2, c2, w2), dot(sums.s3.d2, c3, w2);
    }
    if constexpr (digits > 3) {
      const __m512i w3 = in_register(_mm512_set1_epi32(weights[g].digit[3]));
      dot(sums.s0.d3, c0, w3), dot(sums.s1.d3, c1, w3), dot(sums.s2.d3, c2, w3), dot(sums.s3.d3, c3, w3);
    }
  }
}

// The sums above are of a byte's calls up to a place, c0 + 4 c1 + ..., which takes fewer instructions than a place at a
// time: here the place's own.
CAVITY_VNNI_INLINE Sums difference(const Sums& upto, const Sums& before, unsigned shift) {
  return {_mm512_srai_epi32(_mm512_sub_epi32(upto.d0, before.d0), shift),
          _mm512_srai_epi32(_mm512_sub_epi32(upto.d1, before.d1), shift),
          _mm512_srai_epi32(_mm512_sub_epi32(upto.d2, before.d2), shift),
          _mm512_srai_epi32(_mm512_sub_epi32(upto.d3, before.d3), shift)};
}
CAVITY_VNNI_INLINE void separate(const DirectWeights*, Places& s) {
  s.s3 = difference(s.s3, s.s2, 6);
  s.s2 = difference(s.s2, s.s1, 4);
  s.s1 = difference(s.s1, s.s0, 2);
}
CAVITY_VNNI_INLINE void separate(const Tables*, Places&) {}

template <int q, class Weights>
CAVITY_VNNI_INLINE void add_quarter(const Rows& rows, const DigitOrder& order, const Weights* weights, __m512i least,
                                    std::int64_t* sums) {
  Places s{no_sums(), no_sums(), no_sums(), no_sums()};
  add_groups<4, q>(rows, 0, order.with_four(), weights, s);
  add_groups<3, q>(rows, order.with_four(), order.with_three(), weights, s);
  add_groups<2, q>(rows, order.with_three(), order.groups(), weights, s);
  separate(weights, s);
  add_sums(s.s0, least, sums + 16 * q);
  add_sums(s.s1, least, sums + 16 * q + chunk_bytes);
  add_sums(s.s2, least, sums + 16 * q + 2 * chunk_bytes);
  add_sums(s.s3, least, sums + 16 * q + 3 * chunk_bytes);
}

// 64 bytes of every row at a time. Where rows are wanting to fill the last group, one is repeated: its weight is 0.
template <std::size_t group, class Weights>
CAVITY_VNNI_INLINE void add_block(const std::uint8_t* const* rows, std::size_t bytes, const DigitOrder& order,
                                  std::size_t variants, const Weights* weights, std::int64_t least, std::int64_t* sums,
                                  const std::uint8_t* ahead) {
  const std::uint8_t* ordered[most_variants];
  Line rest[most_variants];
  const std::size_t padded = order.groups() * group, fetched = padded * chunk_bytes / 4;
  for (std::size_t i = 0; i < padded; ++i) ordered[i] = rows[order[std::min(i, variants - 1)]];
  const __m512i base = _mm512_set1_epi64(least);
  Rows now{ordered, 0, ahead};
  for (std::size_t done = 0; done < bytes; done += chunk_bytes, now.at += chunk_bytes, sums += chunk_samples) {
    const std::size_t left = bytes - done;
    if (left < chunk_bytes) {
      for (std::size_t i = 0; i < padded; ++i) {
        _mm512_store_si512(rest[i].bytes, _mm512_maskz_loadu_epi8((__mmask64{1} << left) - 1, ordered[i] + done));
        ordered[i] = reinterpret_cast<const std::uint8_t*>(rest[i].bytes);
      }
      now.at = 0;
    }
    add_quarter<0>(now, order, weights, base, sums);
    now.ahead += fetched;
    add_quarter<1>(now, order, weights, base, sums);
    now.ahead += fetched;
    add_quarter<2>(now, order, weights, base, sums);
    now.ahead += fetched;
    add_quarter<3>(now, order, weights, base, sums);
    now.ahead += fetched;
  }
}

CAVITY_VNNI void add_known_calls(const std::uint8_t* const* rows, std::size_t bytes,
                                 std::span<const CallWeight> weights, std::int64_t* sums, const std::uint8_t* ahead) {
  const DigitOrder order(weights.size(), direct_variants, [&](std::size_t i) { return Digits(weights[i].copy).bits; });
  DirectWeights direct[most_variants / direct_variants];
  for (std::size_t i = 0; i < order.groups() * direct_variants; ++i) {
    const Digits digits(i < weights.size() ? weights[order[i]].copy : 0);
    for (std::size_t k = 0; k < 4; ++k)
      reinterpret_cast<std::int8_t*>(&direct[i / direct_variants].digit[k])[i % direct_variants] = digits[k];
  }
  add_block<direct_variants>(rows, bytes, order, weights.size(), direct, 0, sums, ahead);
}

CAVITY_VNNI void add_all_calls(const std::uint8_t* const* rows, std::size_t bytes, std::span<const CallWeight> weights,
                               std::int64_t* sums, const std::uint8_t* ahead) {
  const DigitOrder order(weights.size(), table_variants, [&](std::size_t i) { return table_bound(weights[i]); });
  Tables tables[most_variants / table_variants];
  std::int64_t least = 0;
  for (std::size_t g = 0; g < order.groups(); ++g) {
    CallWeight of[table_variants];
    const std::size_t first = g * table_variants, count = std::min(table_variants, weights.size() - first);
    for (std::size_t i = 0; i < count; ++i) of[i] = weights[order[first + i]];
    least += fill_tables({of, count}, tables[g]);
  }
  add_block<table_variants>(rows, bytes, order, weights.size(), tables, least, sums, ahead);
}

}  // namespace

CAVITY_VNNI void add_calls(const std::uint8_t* const* rows, std::size_t bytes, std::span<const CallWeight> weights,
                           std::int64_t* sums, const std::uint8_t* ahead) {
  if (std::none_of(weights.begin(), weights.end(), [](const CallWeight& w) { return w.has_missing != 0; }))
    add_known_calls(rows, bytes, weights, sums, ahead);
  else
    add_all_calls(rows, bytes, weights, sums, ahead);
}

}  // namespace cavity::kernels::dot_product
#endif
