// The one device: its stream, its memory, its libraries. All work goes to one stream, and whoever wants several steps
// of it to belong together holds the lock. Errors end as sentences with exit code 5.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <mutex>
#include <string>

#include "cuda/host_link.hpp"
#include "cuda/libraries.hpp"

namespace cavity::cuda {

/// Throws IoError that says what failed; out of memory in numbers.
void check(cudaError_t status, const char* what);

class Device {
 public:
  /// The first device of this machine. IoError: there is none, its driver is too old, or a library is not there.
  Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  ~Device();

  cudaStream_t stream() const { return stream_; }
  const Libraries& libraries() const { return libraries_; }
  std::recursive_mutex& lock() const { return lock_; }
  HostLink& link() const { return link_; }
  std::size_t total_bytes() const { return total_bytes_; }
  std::size_t free_bytes() const;
  const std::string& name() const { return name_; }
  void wait() const;

 private:
  cudaStream_t stream_ = nullptr;
  Libraries libraries_;
  std::size_t total_bytes_ = 0;
  std::string name_;
  mutable std::recursive_mutex lock_;
  mutable HostLink link_;
};

}  // namespace cavity::cuda
