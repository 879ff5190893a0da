// Packed genotypes that somebody else holds, and what can be said of them before a design is made: counts of a
// variant, lengths of the samples' rows.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/shards.hpp"
#include "base/threads.hpp"
#include "kernels/weight_unit.hpp"

namespace cavity {

/// PLINK's variant-major calls: two bits each, low bits first; 00 two copies of A1, 10 one, 11 none, 01 not known.
struct GenotypeCalls {
  const std::uint8_t* packed;
  std::size_t samples, variants, bytes_per_variant;
  /// Bytes of a mapped file that may be in memory at a time: beyond it, work goes through the file window by window.
  /// For memory that is not a file's leave it as it is.
  std::size_t most_resident = std::size_t(-1);

  const std::uint8_t* row(std::size_t variant) const { return packed + variant * bytes_per_variant; }
  unsigned code(std::size_t variant, std::size_t sample) const {
    return row(variant)[sample / 4] >> (2 * (sample % 4)) & 3U;
  }
};

/// Calls work(first, last) for consecutive ranges of `variants` (ascending, of `calls`), each with the next one's bytes
/// on their way and its own handed back afterwards.
void for_each_window(const GenotypeCalls& calls, std::span<const std::size_t> variants,
                     const std::function<void(std::size_t first, std::size_t last)>& work);

struct GenotypeCounts {
  /// Of the samples asked for: [l][g] have g copies of A1 at variant l.
  std::vector<std::array<std::uint32_t, 3>> copies;
  std::vector<std::uint32_t> missing;
  /// Mean copies and their deviation (1/count) over the known calls, 0 where there is none; frequency of A1 = mean/2.
  std::vector<double> mean, deviation, frequency;
  std::vector<std::uint8_t> constant;  // all known calls equal
};

/// Of every variant of `calls`, over `samples` (indices into `calls`).
GenotypeCounts genotype_counts(const GenotypeCalls& calls, std::span<const std::size_t> samples, ThreadPool& pool);

/// Affine map of each kept variant: s (copies - c), 0 for a call that is not known.
struct GenotypeScaling {
  std::vector<std::size_t> kept;      // ascending
  std::vector<double> centre, scale;  // one a kept variant
};

/// Squared length of every sample's scaled row over the variants of all processes; these are one's own.
std::vector<double> genotype_row_squares(const GenotypeCalls& calls, std::span<const std::size_t> samples,
                                         const GenotypeScaling& scaling, ThreadPool& pool,
                                         const Shards& shards = Shards::whole());

struct CallWeights {
  std::span<const std::size_t> variants;  // ascending
  /// Writes the weights of the variants [first, last), where these are at most `most_at_once`.
  std::function<void(std::size_t first, std::size_t last, double* per_copy, double* if_missing)> write;
  std::span<const std::uint8_t> missing;  // whether a variant has unknown calls; where not, if_missing is not looked at
  bool two_copies_only = false;           // two copies count as one, one as none

  static constexpr std::size_t most_at_once = 120;
};
/// The largest difference between what two calls of one variant add; infinity where a weight is not finite.
double largest_span(const CallWeights& weights, ThreadPool& pool);

/// To whose integers add_up_calls rounds.
WeightUnit call_unit(double span);

/// out_mu = sum over variants of copies x per_copy where known, if_missing where not; mu runs over `samples`. The
/// weights are rounded to 2^-31 of `span`, which is at least their largest; all else is exact. NaN where the span is
/// infinite.
void add_up_calls(const GenotypeCalls& calls, std::span<const std::size_t> samples, const CallWeights& weights,
                  double span, std::span<double> out, ThreadPool& pool);

}  // namespace cavity
