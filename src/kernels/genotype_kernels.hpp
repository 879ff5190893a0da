// SIMD kernels over packed genotypes (Highway, dispatched at run time; dot-product instructions where the CPU has
// them). PLINK's codes, two bits a call, low bits first: 00 two copies of A1, 10 one, 11 none, 01 not known.
//
// Weights are integers q, so that every sum here is exact: the same on every SIMD level, in any order, for any cut of
// the matrix. A weight is taken apart into signed bytes (q = d0 + d1 2^8 + d2 2^16 + d3 2^24) or 16-bit halves, whose
// products with the copies are summed in 32 bits and put together in 64.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cavity::kernels {

inline constexpr std::int32_t largest_weight = 2139062143;     // 127 (1 + 2^8 + 2^16 + 2^24)
inline constexpr std::int32_t largest_short_weight = 8355711;  // 127 (1 + 2^8 + 2^16): the last digit is 0
inline constexpr std::size_t chunk_bytes = 64;                 // of a row, and
inline constexpr std::size_t chunk_samples = 256;              // their samples
inline constexpr std::size_t group_rows = 4;                   // rows taken together; repeat one to fill a group
/// Most samples in one call of dot_calls: the sum of 2 |half of a weight| stays below 2^31.
inline constexpr std::size_t most_dot_samples = 16384;
/// Most variants in one call of add_calls: 120 x 2 x 128 stays below 2^15, where targets without 8-bit products add.
inline constexpr std::size_t most_variants = 120;

/// Signed bytes d with value = d[0] + d[1] 2^8 + d[2] 2^16 + d[3] 2^24: adding 128 to each makes them unsigned.
struct Digits {
  explicit Digits(std::int32_t value) : bits((static_cast<std::uint32_t>(value) + 0x80808080U) ^ 0x80808080U) {}
  std::int8_t operator[](std::size_t k) const { return static_cast<std::int8_t>(bits >> (8 * k)); }
  std::uint32_t bits;
};

struct alignas(64) Line {
  std::int8_t bytes[64];
};
/// Lines of arranged weights a chunk.
inline constexpr std::size_t chunk_lines = 16;

/// Weights, one a sample (0 for those not used), in the order in which dot_calls meets them; padded to whole chunks.
void arrange_weights(std::span<const std::int32_t> weights, std::vector<Line>& out);

/// For four rows of `bytes` bytes: adds the sum of weight x copies over the known calls to copies[0..3], and, unless
/// `missing` is null, the sum of the weights of calls that are not known to missing[0..3]. Null asserts that every call
/// with a weight is known. `digits`: 3 where all weights are short, else 4. Fetches the bytes at `ahead` on the
/// way.
void dot_calls(const std::uint8_t* const* rows, std::size_t bytes, const Line* weights, unsigned digits,
               std::int64_t* copies, std::int64_t* missing, const std::uint8_t* ahead);

/// What a variant's calls add: `copy` for each copy of A1 where known, `missing` where not.
struct CallWeight {
  std::int32_t copy, missing;
  std::int32_t has_missing;  // 0: no call that matters is unknown; `missing` is not looked at
};
/// The most that two of 0, 2 copy, missing may differ by.
inline constexpr std::int64_t largest_span = (std::int64_t{1} << 31) - 1;

/// sums[place(i)] += what the calls of sample i add over the rows, one a weight; i counts samples from the first byte
/// of the rows given. Sums are padded to whole chunks. Fetches from `ahead` on, about as many bytes as it reads.
void add_calls(const std::uint8_t* const* rows, std::size_t bytes, std::span<const CallWeight> weights,
               std::int64_t* sums, const std::uint8_t* ahead);
/// Within a chunk: by place in the byte, then by the byte's quarter of its 16, in which unpacking four rows leaves
/// them.
inline std::size_t place(std::size_t sample) {
  const std::size_t byte = sample / 4, quarter = byte % 16 / 4, sixteen = byte % chunk_bytes / 16;
  return byte / chunk_bytes * chunk_samples + sample % 4 * chunk_bytes + 16 * quarter + 4 * sixteen + byte % 4;
}

/// Calls of one row by code, of the samples whose even bit is set in `used` (as long as the row).
struct CodeCounts {
  std::uint32_t two, missing, one, none;  // in the order of the codes
};
CodeCounts count_codes(const std::uint8_t* row, const std::uint8_t* used, std::size_t bytes);

}  // namespace cavity::kernels
