// Dense values on the device, as float32.
#pragma once

#include "cuda/dense_kernels.hpp"
#include "cuda/device_values.hpp"
#include "design/dense_design.hpp"

namespace cavity::cuda {

class DenseValues final : public DeviceValues {
 public:
  DenseValues(const Device& device, const DenseDesign& host);
  std::size_t samples() const override { return samples_; }
  std::size_t features() const override { return features_; }
  void write_panel(std::size_t first, std::size_t count, const Factors& factors, double* out) const override;
  void write_columns(const int* which, std::size_t count, const Factors& factors, double* out) const override;
  void times(const Design::TwoWeights& v, const Design::TwoProducts& out, Precision precision) const override;
  void transpose_times(const Design::TwoWeights& u, const Design::TwoProducts& out, Precision precision) const override;

 private:
  DenseView view() const;
  /// A product's weights and results on the device: `weights` and `products` entries of each kind.
  struct Buffers;

  const Device& device_;
  std::size_t samples_, features_, stride_;  // stride: floats from one sample to the next
  DeviceArray<float> values_;
  DeviceArray<double> centre_, scale_, row_scale_;
};

}  // namespace cavity::cuda
