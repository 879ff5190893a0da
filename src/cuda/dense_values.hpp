// Dense values on the device, as float32: all samples' rows, or those that fit, the others coming from the processor's
// memory in every pass.
#pragma once

#include "cuda/block_stream.hpp"
#include "cuda/device_values.hpp"
#include "cuda/kernels/dense_products.hpp"
#include "design/dense_design.hpp"

namespace cavity::cuda {

class DenseValues final : public DeviceValues {
 public:
  /// `most_bytes` of the device; `host` must outlive this.
  DenseValues(const Device& device, const DenseDesign& host, std::size_t most_bytes);
  static std::size_t bytes(std::size_t samples, std::size_t features);

  std::size_t samples() const override { return samples_; }
  std::size_t features() const override { return features_; }
  bool resident() const override { return resident_ == samples_; }
  bool cheap_panels() const override { return true; }
  void write_panel(std::size_t first, std::size_t count, const Factors& factors, double* out) const override;
  void write_columns(const int* which, std::size_t count, const Factors& factors, double* out) const override;
  void times(const Design::TwoWeights& v, const Design::TwoProducts& out, Precision precision,
             ThreadPool& pool) const override;
  void transpose_times(const Design::TwoWeights& u, const Design::TwoProducts& out, Precision precision,
                       ThreadPool& pool) const override;

 private:
  DenseView view(std::size_t first, std::size_t count, const float* values) const;
  DenseView view() const { return view(0, resident_, values_.data()); }
  using UseRows = std::function<void(std::size_t first, const DenseView& rows)>;
  void for_all_rows(const UseRows& use, ThreadPool& pool) const;
  /// A product's weights and results on the device.
  struct Buffers;

  const Device& device_;
  const FeatureView host_;
  std::size_t samples_, features_, stride_, resident_;  // stride: floats from one sample to the next
  DeviceArray<float> values_;                           // of the first `resident_` samples
  DeviceArray<double> centre_, scale_, row_scale_;
  std::unique_ptr<BlockStream> others_;
};

}  // namespace cavity::cuda
