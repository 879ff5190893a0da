// A table that is larger than the device, block by block: while the device works on one, the next is on its way and the
// one after it is put together by the processor's threads.
#pragma once

#include <array>
#include <functional>

#include "cuda/device.hpp"
#include "cuda/device_array.hpp"
#include "cuda/host_link.hpp"

namespace cavity::cuda {

class BlockStream {
 public:
  BlockStream(const Device& device, std::size_t block_bytes);
  BlockStream(const BlockStream&) = delete;
  BlockStream& operator=(const BlockStream&) = delete;
  ~BlockStream();

  /// For every block in order: `fill` writes its bytes (their number is returned), `use` queues work on the device's
  /// stream that reads them there. The last blocks may still be in work on return.
  using Fill = std::function<std::size_t(std::size_t block, std::byte* to)>;
  using Use = std::function<void(std::size_t block, const std::byte* on_device)>;
  void run(std::size_t blocks, const Fill& fill, const Use& use);

 private:
  struct Lane {
    PinnedBytes host;
    DeviceArray<std::byte> on_device;
    cudaEvent_t copied = nullptr, used = nullptr;
  };
  const Device& device_;
  cudaStream_t copies_ = nullptr;
  std::array<Lane, 2> lanes_;
};

}  // namespace cavity::cuda
