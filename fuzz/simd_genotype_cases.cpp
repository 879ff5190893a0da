// Kernels of packed genotypes, whose sums of integers are exact: not a bit may differ.
#include <algorithm>

#include "kernels/genotype_kernels.hpp"
#include "simd_case.hpp"

namespace cavity::fuzz {
namespace {

constexpr std::uint8_t not_known = 1;  // PLINK's code

std::int64_t copies_of(unsigned code) { return code == 0 ? 2 : code == 2 ? 1 : 0; }

struct Calls {
  std::size_t rows, bytes;
  bool all_known;
  std::vector<std::vector<std::uint8_t>> packed;

  Calls(Draw& draw, std::size_t rows_) : rows(rows_), bytes(draw.from_to(1, 200)), all_known(draw.byte() % 2 == 0) {
    for (std::size_t r = 0; r < rows; ++r) {
      packed.emplace_back(bytes);
      for (auto& b : packed.back()) {
        b = draw.byte();
        if (all_known) b |= (b & 0x55U) << 1U;  // 01 becomes 11
      }
    }
  }
  std::size_t samples() const { return 4 * bytes; }
  unsigned code(std::size_t r, std::size_t sample) const { return packed[r][sample / 4] >> (2 * (sample % 4)) & 3U; }
  std::vector<const std::uint8_t*> pointers() const {
    std::vector<const std::uint8_t*> out;
    for (const auto& row : packed) out.push_back(row.data());
    return out;
  }
};

std::int32_t weight_within(Draw& draw, std::int32_t largest) {
  return static_cast<std::int32_t>(static_cast<std::int64_t>(draw.word()) % (2 * std::int64_t{largest} + 1) - largest);
}

/// Sums of integers below 2^53.
std::vector<Sum> exactly(const std::vector<std::int64_t>& values) {
  std::vector<Sum> out;
  for (const std::int64_t x : values) out.push_back({static_cast<double>(x), 0});
  return out;
}

Case dot_calls(Draw& draw) {
  const Calls calls(draw, kernels::group_rows);
  const bool is_short = draw.byte() % 2 == 0;
  std::vector<std::int32_t> weights(calls.samples());
  for (auto& w : weights) w = weight_within(draw, is_short ? kernels::largest_short_weight : kernels::largest_weight);
  std::vector<std::int64_t> sums(2 * calls.rows);
  for (std::size_t r = 0; r < calls.rows; ++r)
    for (std::size_t i = 0; i < calls.samples(); ++i) {
      sums[r] += copies_of(calls.code(r, i)) * weights[i];
      if (calls.code(r, i) == not_known) sums[calls.rows + r] += weights[i];
    }
  return {[=] {
            std::vector<kernels::Line> arranged;
            kernels::arrange_weights(weights, arranged);
            std::vector<std::int64_t> out(2 * calls.rows);
            const auto rows = calls.pointers();
            kernels::dot_calls(rows.data(), calls.bytes, arranged.data(), is_short ? 3 : 4, out.data(),
                               calls.all_known ? nullptr : out.data() + calls.rows, rows[0]);
            return widened(out);
          },
          exactly(sums), 0};
}

Case add_calls(Draw& draw) {
  const Calls calls(draw, draw.from_to(1, draw.byte() % 8 == 0 ? kernels::most_variants : 9));
  constexpr std::int32_t most = 500'000'000;  // 2 copy - missing stays within largest_span
  std::vector<kernels::CallWeight> weights(calls.rows);
  for (auto& w : weights) w = {weight_within(draw, most), weight_within(draw, most), calls.all_known ? 0 : 1};
  const std::size_t padded = (calls.bytes + kernels::chunk_bytes - 1) / kernels::chunk_bytes * kernels::chunk_samples;
  std::vector<std::int64_t> sums(padded);
  for (std::size_t i = 0; i < calls.samples(); ++i)
    for (std::size_t r = 0; r < calls.rows; ++r)
      sums[kernels::place(i)] += calls.code(r, i) == not_known ? std::int64_t{weights[r].missing}
                                                               : copies_of(calls.code(r, i)) * weights[r].copy;
  std::vector<std::size_t> places;  // the padding's sums are nobody's
  for (std::size_t i = 0; i < calls.samples(); ++i) places.push_back(kernels::place(i));
  std::vector<std::int64_t> expected;
  for (const std::size_t p : places) expected.push_back(sums[p]);
  return {[=] {
            std::vector<std::int64_t> out(padded);
            const auto rows = calls.pointers();
            kernels::add_calls(rows.data(), calls.bytes, weights, out.data(), rows[0]);
            std::vector<double> seen;
            for (const std::size_t p : places) seen.push_back(static_cast<double>(out[p]));
            return seen;
          },
          exactly(expected), 0};
}

Case count_codes(Draw& draw) {
  const Calls calls(draw, 1);
  std::vector<std::uint8_t> used(calls.bytes);
  for (auto& u : used) u = draw.byte() & 0x55U;
  std::vector<std::int64_t> counts(4);
  for (std::size_t i = 0; i < calls.samples(); ++i)
    if (used[i / 4] >> (2 * (i % 4)) & 1U) ++counts[calls.code(0, i)];
  return {[=] {
            const auto c = kernels::count_codes(calls.packed[0].data(), used.data(), calls.bytes);
            return std::vector<double>{1.0 * c.two, 1.0 * c.missing, 1.0 * c.one, 1.0 * c.none};
          },
          exactly(counts), 0};
}

}  // namespace

std::vector<MakeCase> genotype_cases() { return {dot_calls, add_calls, count_codes}; }

}  // namespace cavity::fuzz
