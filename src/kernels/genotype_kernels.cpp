// Highway's AVX3_DL (Ice Lake, Zen 4 and later) has 8-bit dot products. Its code here is written with intrinsics, whose
// functions name the instructions they need: Highway 1.0.3 asks the compiler for avxvnni instead of avx512vnni.
#define HWY_WANT_AVX3_DL
#include "kernels/genotype_kernels.hpp"

#include <algorithm>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/genotype_kernels.cpp"
#include <hwy/foreach_target.h>
// must come after foreach_target.h
#include <hwy/highway.h>

#include "kernels/genotype_dot_product.hpp"

HWY_BEFORE_NAMESPACE();
namespace cavity::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D16 = hn::CappedTag<std::uint16_t, 32>;
using V16 = hn::Vec<D16>;

template <class D>
HWY_INLINE hn::Vec<D> load(D d, const std::uint8_t* p) {
#if HWY_TARGET == HWY_SCALAR
  hn::TFromD<D> value;
  std::memcpy(&value, p, sizeof(value));
  return hn::Set(d, value);
#else
  return hn::BitCast(d, hn::LoadU(hn::Repartition<std::uint8_t, D>(), p));
#endif
}

#if HWY_TARGET == HWY_AVX3_DL

bool DotsInBytes() { return true; }

void DotCalls(const std::uint8_t* const* rows, std::size_t bytes, const Line* weights, unsigned digits,
              std::int64_t* copies, std::int64_t* missing, const std::uint8_t* ahead) {
  dot_product::dot_calls(rows, bytes, weights, digits, copies, missing, ahead);
}

void AddCalls(const std::uint8_t* const* rows, std::size_t bytes, std::span<const CallWeight> weights,
              std::int64_t* sums, const std::uint8_t* ahead) {
  dot_product::add_calls(rows, bytes, weights, sums, ahead);
}

#else

bool DotsInBytes() { return false; }

// Copies (0 where not known) and unknown calls, two bits a call, in 16-bit lanes.
struct Calls {
  V16 copies, missing;
};
HWY_INLINE Calls decode(V16 raw) {
  const D16 d;
  const V16 even = hn::Set(d, 0x5555), high = hn::ShiftRight<1>(raw);
  const V16 missing = hn::And(hn::AndNot(high, raw), even);
  const V16 copies = hn::Or(hn::AndNot(raw, hn::Set(d, 0xAAAA)), hn::And(hn::Xor(raw, high), even));
  return {hn::AndNot(hn::Or(missing, hn::ShiftLeft<1>(missing)), copies), missing};
}

// Calls f(integral_constant<k>) for the eight calls of a 16-bit lane: k/2 is the place in the byte, k%2 the byte.
template <int k = 0, class F>
HWY_INLINE void for_each_call(const F& f) {
  if constexpr (k < 8) {
    f(std::integral_constant<int, k>());
    for_each_call<k + 1>(f);
  }
}
template <int k>
HWY_INLINE V16 call(V16 packed) {
  return hn::And(hn::ShiftRight<k / 2 * 2 + k % 2 * 8>(packed), hn::Set(D16(), 3));
}

void DotRow(const std::uint8_t* row, std::size_t bytes, const Line* weights, std::int64_t& copies,
            std::int64_t* missing) {
  const D16 d;
  const hn::RebindToSigned<D16> ds;
  const hn::Repartition<std::int32_t, D16> d32;
  auto low0 = hn::Zero(d32), low1 = low0, high0 = low0, high1 = low0;
  auto low2 = low0, low3 = low0, high2 = low0, high3 = low0;
  std::uint8_t rest[chunk_bytes] = {};
  for (std::size_t at = 0; at < bytes; at += chunk_bytes, weights += chunk_lines) {
    const std::uint8_t* from = row + at;
    if (bytes - at < chunk_bytes) from = static_cast<std::uint8_t*>(std::memcpy(rest, from, bytes - at));
    for (std::size_t i = 0; i < 32; i += hn::Lanes(d)) {
      const Calls calls = decode(load(d, from + 2 * i));
      for_each_call([&](auto k) {
        const auto* half = reinterpret_cast<const std::int16_t*>(weights + 2 * k) + i;
        const auto low = hn::Load(ds, half), high = hn::Load(ds, half + 32);
        const auto number = hn::BitCast(ds, call<k>(calls.copies));
        low0 = hn::ReorderWidenMulAccumulate(d32, number, low, low0, low1);
        high0 = hn::ReorderWidenMulAccumulate(d32, number, high, high0, high1);
        if (missing == nullptr) return;
        const auto unknown = hn::BitCast(ds, call<k>(calls.missing));
        low2 = hn::ReorderWidenMulAccumulate(d32, unknown, low, low2, low3);
        high2 = hn::ReorderWidenMulAccumulate(d32, unknown, high, high2, high3);
      });
    }
  }
  const auto total = [&](auto low, auto high) {
    return hn::GetLane(hn::SumOfLanes(d32, low)) + std::int64_t{65536} * hn::GetLane(hn::SumOfLanes(d32, high));
  };
  copies += total(hn::Add(low0, low1), hn::Add(high0, high1));
  if (missing != nullptr) *missing += total(hn::Add(low2, low3), hn::Add(high2, high3));
}

void DotCalls(const std::uint8_t* const* rows, std::size_t bytes, const Line* weights, unsigned, std::int64_t* copies,
              std::int64_t* missing, const std::uint8_t*) {
  for (std::size_t r = 0; r < group_rows; ++r)
    DotRow(rows[r], bytes, weights, copies[r], missing == nullptr ? nullptr : missing + r);
}

// One call of every 16-bit lane over all rows, summed a digit in 16 bits; `from(row)` points at the lane's bytes.
template <int k, class From>
HWY_INLINE void add_one_call(const From& from, std::span<const CallWeight> weights, std::int16_t* sums) {
  const D16 d;
  const hn::RebindToSigned<D16> ds;
  auto s0 = hn::Zero(ds), s1 = s0, s2 = s0, s3 = s0;
  for (std::size_t r = 0; r < weights.size(); ++r) {
    const Calls calls = decode(load(d, from(r)));
    const auto add = [&](V16 packed, Digits digits) {
      const auto number = hn::BitCast(ds, call<k>(packed));
      s0 = hn::Add(s0, hn::Mul(number, hn::Set(ds, digits[0])));
      s1 = hn::Add(s1, hn::Mul(number, hn::Set(ds, digits[1])));
      s2 = hn::Add(s2, hn::Mul(number, hn::Set(ds, digits[2])));
      s3 = hn::Add(s3, hn::Mul(number, hn::Set(ds, digits[3])));
    };
    add(calls.copies, Digits(weights[r].copy));
    if (weights[r].has_missing != 0) add(calls.missing, Digits(weights[r].missing));
  }
  const std::size_t lanes = hn::Lanes(d);
  hn::StoreU(s0, ds, sums);
  hn::StoreU(s1, ds, sums + lanes);
  hn::StoreU(s2, ds, sums + 2 * lanes);
  hn::StoreU(s3, ds, sums + 3 * lanes);
}

void AddCalls(const std::uint8_t* const* rows, std::size_t bytes, std::span<const CallWeight> weights,
              std::int64_t* sums, const std::uint8_t*) {
  const std::size_t lanes = hn::Lanes(D16()), step = 2 * lanes;
  std::uint8_t rests[most_variants][2 * 32] = {};
  for (std::size_t at = 0; at < bytes; at += step) {
    const std::size_t left = std::min(step, bytes - at);
    if (left < step)
      for (std::size_t r = 0; r < weights.size(); ++r) std::memcpy(rests[r], rows[r] + at, left);
    const auto from = [&](std::size_t r) { return left < step ? rests[r] : rows[r] + at; };
    for_each_call([&](auto k) {
      std::int16_t digits[4 * 32];
      add_one_call<k>(from, weights, digits);
      for (std::size_t i = 0; i < lanes && 2 * i + k % 2 < left; ++i) {
        const std::int64_t low = digits[i] + 256 * digits[lanes + i],
                           high = digits[2 * lanes + i] + 256 * digits[3 * lanes + i];
        sums[place(4 * (at + 2 * i + k % 2) + k / 2)] += low + 65536 * high;
      }
    });
  }
}

#endif

CodeCounts CountCodes(const std::uint8_t* row, const std::uint8_t* used, std::size_t bytes) {
  const hn::CappedTag<std::uint64_t, 8> d;
  const std::size_t step = 8 * hn::Lanes(d);
  auto low_count = hn::Zero(d), high_count = low_count, both_count = low_count, all_count = low_count;
  std::uint8_t rest[2][64] = {};
  for (std::size_t at = 0; at < bytes; at += step) {
    const std::uint8_t *from = row + at, *mask = used + at;
    if (bytes - at < step) {
      from = static_cast<std::uint8_t*>(std::memcpy(rest[0], from, bytes - at));
      mask = static_cast<std::uint8_t*>(std::memcpy(rest[1], mask, bytes - at));
    }
    const auto raw = load(d, from), keep = load(d, mask);
    const auto low = hn::And(raw, keep), high = hn::And(hn::ShiftRight<1>(raw), keep);
    low_count = hn::Add(low_count, hn::PopulationCount(low));
    high_count = hn::Add(high_count, hn::PopulationCount(high));
    both_count = hn::Add(both_count, hn::PopulationCount(hn::And(low, high)));
    all_count = hn::Add(all_count, hn::PopulationCount(keep));
  }
  const auto total = [&](auto v) { return static_cast<std::uint32_t>(hn::GetLane(hn::SumOfLanes(d, v))); };
  const std::uint32_t low = total(low_count), high = total(high_count), both = total(both_count);
  return {total(all_count) - low - high + both, low - both, high - both, both};
}

}  // namespace cavity::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cavity::kernels {

HWY_EXPORT(DotsInBytes);
HWY_EXPORT(DotCalls);
HWY_EXPORT(AddCalls);
HWY_EXPORT(CountCodes);

void arrange_weights(std::span<const std::int32_t> weights, std::vector<Line>& out) {
  const bool in_bytes = HWY_DYNAMIC_DISPATCH(DotsInBytes)();
  out.assign((weights.size() + chunk_samples - 1) / chunk_samples * chunk_lines, Line{});
  for (std::size_t i = 0; i < weights.size(); ++i) {
    Line* lines = out.data() + i / chunk_samples * chunk_lines;
    const std::size_t byte = i % chunk_samples / 4, place_in_byte = i % 4;
    if (in_bytes) {  // [place in byte][digit][byte]
      const Digits digits(weights[i]);
      for (std::size_t k = 0; k < 4; ++k) lines[4 * place_in_byte + k].bytes[byte] = digits[k];
    } else {  // [place in byte][byte parity][half][16-bit lane]
      const auto low = static_cast<std::int16_t>(weights[i] & 0xffff);
      const auto high = static_cast<std::int16_t>((std::int64_t{weights[i]} - low) >> 16);
      Line* pair = lines + 4 * place_in_byte + 2 * (byte % 2);
      std::memcpy(pair[0].bytes + byte / 2 * 2, &low, 2);
      std::memcpy(pair[1].bytes + byte / 2 * 2, &high, 2);
    }
  }
}

void dot_calls(const std::uint8_t* const* rows, std::size_t bytes, const Line* weights, unsigned digits,
               std::int64_t* copies, std::int64_t* missing, const std::uint8_t* ahead) {
  HWY_DYNAMIC_DISPATCH(DotCalls)(rows, bytes, weights, digits, copies, missing, ahead);
}

void add_calls(const std::uint8_t* const* rows, std::size_t bytes, std::span<const CallWeight> weights,
               std::int64_t* sums, const std::uint8_t* ahead) {
  HWY_DYNAMIC_DISPATCH(AddCalls)(rows, bytes, weights, sums, ahead);
}

CodeCounts count_codes(const std::uint8_t* row, const std::uint8_t* used, std::size_t bytes) {
  return HWY_DYNAMIC_DISPATCH(CountCodes)(row, used, bytes);
}

}  // namespace cavity::kernels
#endif
