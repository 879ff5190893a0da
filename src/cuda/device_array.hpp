// Memory of the device, in the order of its stream.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace cavity::cuda {

void check(cudaError_t status, const char* what);

template <class T>
class DeviceArray {
 public:
  DeviceArray() = default;
  DeviceArray(std::size_t size, cudaStream_t stream) : size_(size), stream_(stream) {
    if (size > 0) check(cudaMallocAsync(reinterpret_cast<void**>(&data_), size * sizeof(T), stream), "an allocation");
  }
  DeviceArray(std::span<const T> values, cudaStream_t stream) : DeviceArray(values.size(), stream) { assign(values); }
  DeviceArray(DeviceArray&& other) noexcept { swap(other); }
  DeviceArray& operator=(DeviceArray&& other) noexcept {
    DeviceArray(std::move(other)).swap(*this);
    return *this;
  }
  ~DeviceArray() {
    if (data_) cudaFreeAsync(data_, stream_);
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }

  /// Copies from pageable memory: `values` may change as soon as this returns.
  void assign(std::span<const T> values) {
    if (values.empty()) return;
    check(cudaMemcpyAsync(data_, values.data(), values.size_bytes(), cudaMemcpyHostToDevice, stream_), "a copy to it");
  }
  void clear() {
    if (size_ > 0) check(cudaMemsetAsync(data_, 0, size_ * sizeof(T), stream_), "clearing memory");
  }
  void to_host(std::span<T> out) const {
    if (out.empty()) return;
    check(cudaMemcpyAsync(out.data(), data_, out.size_bytes(), cudaMemcpyDeviceToHost, stream_), "a copy from it");
    check(cudaStreamSynchronize(stream_), "a copy from it");
  }
  std::vector<T> to_host() const {
    std::vector<T> out(size_);
    to_host(out);
    return out;
  }

 private:
  void swap(DeviceArray& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(stream_, other.stream_);
  }
  T* data_ = nullptr;
  std::size_t size_ = 0;
  cudaStream_t stream_ = nullptr;
};

/// Places in a list, as kernels take them.
std::vector<int> as_ints(const auto& places) {
  std::vector<int> out;
  for (const auto place : places) out.push_back(static_cast<int>(place));
  return out;
}

}  // namespace cavity::cuda
