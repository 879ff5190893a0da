// Vectors on their way between the processor's memory and the device, through memory that the device reads by itself:
// several times the speed of a plain copy, and the threads share the copying to and from it.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <span>
#include <vector>

#include "base/threads.hpp"

namespace cavity::cuda {

/// Memory of the processor that stays where it is.
class PinnedBytes {
 public:
  PinnedBytes() = default;
  explicit PinnedBytes(std::size_t size);
  PinnedBytes(PinnedBytes&& other) noexcept;
  PinnedBytes& operator=(PinnedBytes&& other) noexcept;
  ~PinnedBytes();
  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Bytes from one place to another by all threads.
void copy_bytes(const void* from, void* to, std::size_t bytes, ThreadPool& pool);

/// The vectors of one product after the other: whoever uses it holds the device's lock, and ends with finish().
class HostLink {
 public:
  /// Queues a copy to the device; `from` may change as soon as this returns.
  void send(std::span<const double> from, double* to, cudaStream_t stream, ThreadPool& pool);
  /// Queues a copy from the device, which stands in `to` after finish().
  void fetch(const double* from, std::span<double> to, cudaStream_t stream);
  void finish(cudaStream_t stream, ThreadPool& pool);

 private:
  std::byte* room(std::size_t bytes);
  struct Arrival {
    const std::byte* from;
    std::span<double> to;
  };
  PinnedBytes buffer_;
  std::size_t used_ = 0;
  std::vector<PinnedBytes> outgrown_;  // still on their way
  std::vector<Arrival> arrivals_;
};

}  // namespace cavity::cuda
