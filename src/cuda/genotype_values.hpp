// Genotypes on the device, two bits a call, once by variants and once by samples, since each product reads rows: all
// variants, or those that fit, the others coming from the processor's memory in every pass.
#pragma once

#include "cuda/block_stream.hpp"
#include "cuda/device_values.hpp"
#include "cuda/kernels/call_products.hpp"
#include "design/genotype_design.hpp"

namespace cavity::cuda {

class GenotypeValues final : public DeviceValues {
 public:
  /// `most_bytes` of the device; `host` must outlive this.
  GenotypeValues(const Device& device, const GenotypeDesign& host, std::size_t most_bytes, ThreadPool& pool);
  static std::size_t bytes(std::size_t samples, std::size_t features);

  std::size_t samples() const override { return samples_; }
  std::size_t features() const override { return features_; }
  bool resident() const override { return resident_ == features_; }
  bool cheap_panels() const override { return false; }
  void write_panel(std::size_t first, std::size_t count, const Factors& factors, double* out) const override;
  void write_columns(const int* which, std::size_t count, const Factors& factors, double* out) const override;
  void times(const Design::TwoWeights& v, const Design::TwoProducts& out, Precision precision,
             ThreadPool& pool) const override;
  void transpose_times(const Design::TwoWeights& u, const Design::TwoProducts& out, Precision precision,
                       ThreadPool& pool) const override;

 private:
  CallPlanes by_variant(std::size_t count, const std::uint8_t* bytes) const { return {bytes, count, samples_}; }
  CallPlanes by_sample(std::size_t count, const std::uint8_t* bytes) const { return {bytes, samples_, count}; }
  /// Of a variant's codes on their way to the device.
  std::size_t row_bytes() const { return by_variant(1, nullptr).lines() * line_bytes; }
  CallScaling scaling() const { return {centre_.data(), scale_.data(), row_scale_.data()}; }
  std::size_t block_variants() const;
  std::size_t pack(std::size_t first, std::size_t count, std::byte* to, ThreadPool& pool) const;
  /// The variants that are not resident, some at a time; `use` is told the first one.
  using UseVariants = std::function<void(std::size_t first, const CallPlanes& variants)>;
  void for_others(const UseVariants& use, ThreadPool& pool) const;

  /// Weights of one kind and what comes of them; kinds that share a pass over the calls.
  struct Kind;
  struct Pass;
  std::vector<Pass> passes(const Design::TwoWeights& weights, const Design::TwoProducts& out, bool along_features,
                           Precision precision, ThreadPool& pool) const;
  struct RowFactors {
    const double *factor, *centre;
  };
  void finish(std::vector<Pass>& passes, const CallProduct& product, std::size_t rows, const RowFactors& factors,
              ThreadPool& pool) const;

  const Device& device_;
  const GenotypeDesign& host_;
  std::size_t samples_, features_, resident_;
  unsigned planes_;  // 3 where a call is unknown, 2 otherwise
  bool in_order_;    // all samples of the file are used
  DeviceArray<std::uint8_t> by_variant_, by_sample_;
  DeviceArray<double> centre_, scale_, row_scale_;
  std::unique_ptr<BlockStream> others_;
};

}  // namespace cavity::cuda
