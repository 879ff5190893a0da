#include "cuda/host_link.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "cuda/device.hpp"

namespace cavity::cuda {

PinnedBytes::PinnedBytes(std::size_t size) : size_(size) {
  check(cudaMallocHost(reinterpret_cast<void**>(&data_), size), "pinned memory");
}

PinnedBytes::PinnedBytes(PinnedBytes&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

PinnedBytes& PinnedBytes::operator=(PinnedBytes&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

PinnedBytes::~PinnedBytes() {
  if (data_) cudaFreeHost(data_);
}

void copy_bytes(const void* from, void* to, std::size_t bytes, ThreadPool& pool) {
  constexpr std::size_t share = std::size_t{1} << 20;  // less is not worth waking a thread
  const std::size_t shares = std::max<std::size_t>(bytes / share, 1);
  const auto copy = [&](std::size_t i) {
    const std::size_t first = bytes * i / shares, last = bytes * (i + 1) / shares;
    std::memcpy(static_cast<std::byte*>(to) + first, static_cast<const std::byte*>(from) + first, last - first);
  };
  if (shares == 1)
    copy(0);
  else
    pool.run(shares, copy);
}

std::byte* HostLink::room(std::size_t bytes) {
  if (used_ + bytes > buffer_.size()) {
    outgrown_.push_back(std::move(buffer_));
    buffer_ = PinnedBytes(2 * (used_ + bytes));
    used_ = 0;
  }
  return buffer_.data() + std::exchange(used_, used_ + bytes);
}

void HostLink::send(std::span<const double> from, double* to, cudaStream_t stream, ThreadPool& pool) {
  if (from.empty()) return;
  std::byte* between = room(from.size_bytes());
  copy_bytes(from.data(), between, from.size_bytes(), pool);
  check(cudaMemcpyAsync(to, between, from.size_bytes(), cudaMemcpyHostToDevice, stream), "a copy to it");
}

void HostLink::fetch(const double* from, std::span<double> to, cudaStream_t stream) {
  if (to.empty()) return;
  std::byte* between = room(to.size_bytes());
  check(cudaMemcpyAsync(between, from, to.size_bytes(), cudaMemcpyDeviceToHost, stream), "a copy from it");
  arrivals_.push_back({between, to});
}

void HostLink::finish(cudaStream_t stream, ThreadPool& pool) {
  check(cudaStreamSynchronize(stream), "waiting for its work");
  for (const auto& [from, to] : arrivals_) copy_bytes(from, to.data(), to.size_bytes(), pool);
  arrivals_.clear();
  outgrown_.clear();
  used_ = 0;
}

}  // namespace cavity::cuda
