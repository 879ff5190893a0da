// Design over packed genotypes that somebody else holds: x_mu,l = r_mu s_l (copies_mu,l - c_l), and 0 (the mean) where
// the call is not known. Four samples a byte, never unpacked in memory. The products take their weights apart into
// integers, whose sums are exact: results are the same on every CPU and for any number of threads. Two integers make a
// weight, to 2^-62 of the largest one; in the rough products one, to 2^-32 of it, or to 2^-24 where samples are summed.
#pragma once

#include "design/rounding_design.hpp"
#include "design/tiled_design.hpp"
#include "kernels/genotype_kernels.hpp"
#include "table/genotype_calls.hpp"

namespace cavity {

class GenotypeDesign final : public TiledDesign, public RoundingDesign {
 public:
  /// `samples`: indices into `calls`, ascending; `row_scale`: one of each. `missing`: unknown calls of each kept
  /// variant among these samples; none given: they are counted.
  GenotypeDesign(GenotypeCalls calls, std::vector<std::size_t> samples, GenotypeScaling scaling,
                 std::vector<double> row_scale, std::span<const std::uint32_t> missing = {},
                 std::size_t most_in_tiles = std::size_t{1} << 23);

  std::size_t samples() const override { return samples_.size(); }
  std::size_t features() const override { return scaling_.kept.size(); }
  bool even() const override { return false; }
  double weight_span(std::span<const double> v, ThreadPool& pool) const override;
  void times_within(double span, std::span<const double> v, std::span<double> out, ThreadPool& pool) const override;
  void columns(std::span<const std::size_t> which, Matrix& out) const override;

  /// What the entries are made of, for designs that keep them elsewhere.
  const GenotypeCalls& calls() const { return calls_; }
  const std::vector<std::size_t>& used() const { return samples_; }
  const GenotypeScaling& scaling() const { return scaling_; }
  const std::vector<double>& row_scale() const { return row_scale_; }
  const std::vector<std::uint8_t>& has_missing() const { return missing_; }

 private:
  void do_times(std::span<const double> v, std::span<double> out, Precision precision, ThreadPool& pool) const override;
  void do_transpose_times(std::span<const double> u, std::span<double> out, Precision precision,
                          ThreadPool& pool) const override;
  void do_squared_times(std::span<const double> v, std::span<double> out, ThreadPool& pool) const override;
  void do_squared_transpose_times(std::span<const double> u, std::span<double> out, ThreadPool& pool) const override;
  CallWeights weights(std::span<const double> v) const;
  void centre_and_scale(std::span<const double> v, std::span<double> out, ThreadPool& pool) const;
  std::vector<double> scaled(std::span<const double> u, int power) const;  // by the row's scale to a power
  /// Sums of the samples' weights, in integers of a unit, for a few variants: over copies of A1, over the unknown
  /// calls, over the calls of two copies (where wanted), over all samples.
  struct GroupSums {
    std::int64_t all, copies[kernels::group_rows], missing[kernels::group_rows], two_copies[kernels::group_rows];
  };
  struct SampleSums {
    WeightUnit unit;
    unsigned digits;
    bool two_copies;
  };
  using UseSums = std::function<void(std::size_t first, std::size_t count, const GroupSums& sums)>;
  void sum_samples(std::span<const double> values, const SampleSums& wanted, const UseSums& use,
                   ThreadPool& pool) const;
  void dot_rows(const std::uint8_t* const* rows, const std::vector<kernels::Line>& weights, unsigned digits,
                std::int64_t* copies, std::int64_t* missing, const std::uint8_t* ahead) const;
  void add_transposed(std::span<const double> values, const WeightUnit& unit, unsigned digits, std::span<double> out,
                      ThreadPool& pool) const;
  /// A kept variant's entry by code, before the row's scale.
  std::array<double, 4> values(std::size_t feature) const;
  void pack_samples(std::size_t first_sample, std::size_t first_feature, std::size_t depth,
                    double* tile) const override;
  void pack_features(std::size_t first_feature, std::size_t first_sample, std::size_t depth,
                     double* tile) const override;
  void done_with(std::size_t first, std::size_t last) const override;

  GenotypeCalls calls_;
  std::vector<std::size_t> samples_;
  GenotypeScaling scaling_;
  std::vector<double> row_scale_;
  std::vector<std::uint8_t> missing_;  // whether a kept variant has unknown calls
};

}  // namespace cavity
