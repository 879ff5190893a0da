#include "cuda/dense_values.hpp"

#include <algorithm>
#include <cstring>

namespace cavity::cuda {

namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 28;
std::size_t stride_of(std::size_t features) { return (features + 3) / 4 * 4; }
std::size_t block_rows(std::size_t stride) { return std::max<std::size_t>(block_bytes / (stride * sizeof(float)), 1); }

}  // namespace

std::size_t DenseValues::bytes(std::size_t samples, std::size_t features) {
  return samples * stride_of(features) * sizeof(float);
}

DenseValues::DenseValues(const Device& device, const DenseDesign& host, std::size_t most_bytes)
    : device_(device),
      host_(host.values()),
      samples_(host.samples()),
      features_(host.features()),
      stride_(stride_of(features_)),
      resident_(std::min(samples_, most_bytes / (stride_ * sizeof(float)))),
      values_(resident_ * stride_, device.stream()),
      centre_(host.centre(), device.stream()),
      scale_(host.scale(), device.stream()),
      row_scale_(host.row_scale(), device.stream()) {
  values_.clear();
  if (resident_ > 0)
    check(cudaMemcpy2DAsync(values_.data(), stride_ * sizeof(float), host_.values, host_.stride * sizeof(float),
                            features_ * sizeof(float), resident_, cudaMemcpyHostToDevice, device.stream()),
          "a copy of the table to it");
  device.wait();
  if (!resident()) others_ = std::make_unique<BlockStream>(device, block_rows(stride_) * stride_ * sizeof(float));
}

DenseView DenseValues::view(std::size_t first, std::size_t count, const float* values) const {
  return {values, count, features_, stride_, centre_.data(), scale_.data(), row_scale_.data() + first};
}

void DenseValues::for_all_rows(const UseRows& use, ThreadPool& pool) const {
  if (resident_ > 0) use(0, view());
  if (!others_) return;
  const std::size_t rows = block_rows(stride_), left = samples_ - resident_;
  const auto first_of = [&](std::size_t block) { return resident_ + block * rows; };
  const auto count_of = [&](std::size_t block) { return std::min(rows, samples_ - first_of(block)); };
  const auto fill = [&](std::size_t block, std::byte* to) {
    const std::size_t row_bytes = stride_ * sizeof(float);
    pool.run(count_of(block), [&](std::size_t i) {
      std::byte* row = to + i * row_bytes;
      std::memcpy(row, host_.values + (first_of(block) + i) * host_.stride, features_ * sizeof(float));
      std::memset(row + features_ * sizeof(float), 0, (stride_ - features_) * sizeof(float));
    });
    return count_of(block) * row_bytes;
  };
  others_->run((left + rows - 1) / rows, fill, [&](std::size_t block, const std::byte* on_device) {
    use(first_of(block), view(first_of(block), count_of(block), reinterpret_cast<const float*>(on_device)));
  });
}

void DenseValues::write_panel(std::size_t first, std::size_t count, const Factors& factors, double* out) const {
  write_dense_panel(view(), first, count, factors.sample, factors.feature, out, device_.stream());
}

void DenseValues::write_columns(const int* which, std::size_t count, const Factors& factors, double* out) const {
  write_dense_columns(view(), which, count, factors.sample, factors.feature, out, device_.stream());
}

struct DenseValues::Buffers {
  DeviceArray<double> plain, squared, plain_out, squared_out;

  Buffers(const Device& device, const Design::TwoWeights& weights, const Design::TwoProducts& products,
          ThreadPool& pool)
      : plain(weights.plain.size(), device.stream()),
        squared(weights.squared.size(), device.stream()),
        plain_out(products.plain.size(), device.stream()),
        squared_out(products.squared.size(), device.stream()) {
    device.link().send(weights.plain, plain.data(), device.stream(), pool);
    device.link().send(weights.squared, squared.data(), device.stream(), pool);
  }
  DeviceWeights weights(std::size_t first = 0) const {
    return {plain.data() + first, squared.size() > 0 ? squared.data() + first : nullptr};
  }
  DeviceProducts products(std::size_t first = 0) {
    return {plain_out.data() + first, squared_out.size() > 0 ? squared_out.data() + first : nullptr};
  }
  void read(const Device& device, const Design::TwoProducts& out, ThreadPool& pool) const {
    device.link().fetch(plain_out.data(), out.plain, device.stream());
    device.link().fetch(squared_out.data(), out.squared, device.stream());
    device.link().finish(device.stream(), pool);
  }
};

void DenseValues::times(const Design::TwoWeights& v, const Design::TwoProducts& out, Precision,
                        ThreadPool& pool) const {
  const std::lock_guard hold(device_.lock());
  Buffers buffers(device_, v, out, pool);
  for_all_rows(
      [&](std::size_t first, const DenseView& rows) {
        DeviceArray<double> work(dense_work(rows), device_.stream());
        dense_times(rows, buffers.weights(), buffers.products(first), work.data(), device_.stream());
      },
      pool);
  buffers.read(device_, out, pool);
}

void DenseValues::transpose_times(const Design::TwoWeights& u, const Design::TwoProducts& out, Precision,
                                  ThreadPool& pool) const {
  const std::lock_guard hold(device_.lock());
  Buffers buffers(device_, u, out, pool);
  bool add = false;
  for_all_rows(
      [&](std::size_t first, const DenseView& rows) {
        DeviceArray<double> work(dense_work(rows), device_.stream());
        dense_transpose_times(rows, buffers.weights(first), buffers.products(), add, work.data(), device_.stream());
        add = true;
      },
      pool);
  buffers.read(device_, out, pool);
}

}  // namespace cavity::cuda
