#include "cuda/dense_values.hpp"

namespace cavity::cuda {

DenseValues::DenseValues(const Device& device, const DenseDesign& host)
    : device_(device),
      samples_(host.samples()),
      features_(host.features()),
      stride_((features_ + 3) / 4 * 4),
      values_(samples_ * stride_, device.stream()),
      centre_(host.centre(), device.stream()),
      scale_(host.scale(), device.stream()),
      row_scale_(host.row_scale(), device.stream()) {
  const FeatureView from = host.values();
  values_.clear();
  check(cudaMemcpy2DAsync(values_.data(), stride_ * sizeof(float), from.values, from.stride * sizeof(float),
                          features_ * sizeof(float), samples_, cudaMemcpyHostToDevice, device.stream()),
        "a copy of the table to it");
  device.wait();
}

DenseView DenseValues::view() const {
  return {values_.data(), samples_, features_, stride_, centre_.data(), scale_.data(), row_scale_.data()};
}

void DenseValues::write_panel(std::size_t first, std::size_t count, const Factors& factors, double* out) const {
  write_dense_panel(view(), first, count, factors.sample, factors.feature, out, device_.stream());
}

void DenseValues::write_columns(const int* which, std::size_t count, const Factors& factors, double* out) const {
  write_dense_columns(view(), which, count, factors.sample, factors.feature, out, device_.stream());
}

struct DenseValues::Buffers {
  DeviceArray<double> plain, squared, plain_out, squared_out, work;

  Buffers(const Design::TwoWeights& weights, const Design::TwoProducts& products, std::size_t extra,
          cudaStream_t stream)
      : plain(weights.plain, stream),
        squared(weights.squared, stream),
        plain_out(products.plain.size(), stream),
        squared_out(products.squared.size(), stream),
        work(extra, stream) {}
  DeviceWeights weights() const { return {plain.data(), squared.data()}; }
  DeviceProducts products() { return {plain_out.data(), squared_out.data()}; }
  void read(const Design::TwoProducts& out) const {
    plain_out.to_host(out.plain);
    squared_out.to_host(out.squared);
  }
};

void DenseValues::times(const Design::TwoWeights& v, const Design::TwoProducts& out, Precision) const {
  const std::lock_guard hold(device_.lock());
  Buffers buffers(v, out, dense_work(view()), device_.stream());
  dense_times(view(), buffers.weights(), buffers.products(), buffers.work.data(), device_.stream());
  buffers.read(out);
}

void DenseValues::transpose_times(const Design::TwoWeights& u, const Design::TwoProducts& out, Precision) const {
  const std::lock_guard hold(device_.lock());
  Buffers buffers(u, out, dense_work(view()), device_.stream());
  dense_transpose_times(view(), buffers.weights(), buffers.products(), buffers.work.data(), device_.stream());
  buffers.read(out);
}

}  // namespace cavity::cuda
