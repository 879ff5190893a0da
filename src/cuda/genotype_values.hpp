// Genotypes on the device, two bits a call, once by variants and once by samples: each product reads rows.
#pragma once

#include "cuda/device_values.hpp"
#include "cuda/genotype_kernels.hpp"
#include "design/genotype_design.hpp"

namespace cavity::cuda {

class GenotypeValues final : public DeviceValues {
 public:
  GenotypeValues(const Device& device, const GenotypeDesign& host);
  static std::size_t bytes(std::size_t samples, std::size_t features);

  std::size_t samples() const override { return samples_; }
  std::size_t features() const override { return features_; }
  void write_panel(std::size_t first, std::size_t count, const Factors& factors, double* out) const override;
  void write_columns(const int* which, std::size_t count, const Factors& factors, double* out) const override;
  void times(const Design::TwoWeights& v, const Design::TwoProducts& out, Precision precision) const override;
  void transpose_times(const Design::TwoWeights& u, const Design::TwoProducts& out, Precision precision) const override;

 private:
  PackedCalls by_variant() const { return {by_variant_.data(), features_, samples_, packed_row_bytes(samples_)}; }
  PackedCalls by_sample() const { return {by_sample_.data(), samples_, features_, packed_row_bytes(features_)}; }
  CallScaling scaling() const { return {centre_.data(), scale_.data(), row_scale_.data()}; }
  void copy_variants(const GenotypeDesign& host);

  /// One side's product: rows of `calls`, weights along them. A weight is base f^p g^q; the five terms are those of
  /// Finish, and `powers` says what stands in each.
  struct Powers {
    int f, g;
  };
  struct Side {
    PackedCalls calls;
    const double *f, *g;          // of the weights
    Powers powers[5];             // of term 0 to 4
    const double *out_f, *out_g;  // of Finish
  };
  void multiply(const Side& side, const Design::TwoWeights& weights, const Design::TwoProducts& out,
                unsigned digits) const;

  const Device& device_;
  std::size_t samples_, features_;
  bool unknown_;  // calls, somewhere
  DeviceArray<std::uint8_t> by_variant_, by_sample_;
  DeviceArray<double> centre_, scale_, row_scale_;
};

}  // namespace cavity::cuda
