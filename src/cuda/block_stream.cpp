#include "cuda/block_stream.hpp"

namespace cavity::cuda {

BlockStream::BlockStream(const Device& device, std::size_t block_bytes) : device_(device) {
  check(cudaStreamCreateWithFlags(&copies_, cudaStreamNonBlocking), "a stream");
  for (Lane& lane : lanes_) {
    lane.host = PinnedBytes(block_bytes);
    lane.on_device = DeviceArray<std::byte>(block_bytes, device.stream());
    for (cudaEvent_t* event : {&lane.copied, &lane.used})
      check(cudaEventCreateWithFlags(event, cudaEventDisableTiming), "an event");
  }
  device.wait();  // the other stream must not write before the memory is there
}

BlockStream::~BlockStream() {
  cudaStreamSynchronize(copies_);
  for (Lane& lane : lanes_)
    for (cudaEvent_t event : {lane.copied, lane.used}) cudaEventDestroy(event);
  cudaStreamDestroy(copies_);
}

void BlockStream::run(std::size_t blocks, const Fill& fill, const Use& use) {
  for (std::size_t block = 0; block < blocks; ++block) {
    Lane& lane = lanes_[block % lanes_.size()];
    check(cudaEventSynchronize(lane.copied), "a copy to it");
    const std::size_t bytes = fill(block, lane.host.data());
    check(cudaStreamWaitEvent(copies_, lane.used), "waiting for its work");
    check(cudaMemcpyAsync(lane.on_device.data(), lane.host.data(), bytes, cudaMemcpyHostToDevice, copies_),
          "a copy of the table to it");
    check(cudaEventRecord(lane.copied, copies_), "an event");
    check(cudaStreamWaitEvent(device_.stream(), lane.copied), "waiting for a copy");
    use(block, lane.on_device.data());
    check(cudaEventRecord(lane.used, device_.stream()), "an event");
  }
}

}  // namespace cavity::cuda
