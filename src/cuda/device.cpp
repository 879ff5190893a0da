#include "cuda/device.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "cavity/errors.hpp"

namespace cavity::cuda {

namespace {

constexpr double gigabyte = 1e9;

/// Lets freed memory stay with the program: a fit allocates the same sizes again and again.
void keep_freed_memory() {
  cudaMemPool_t pool = nullptr;
  check(cudaDeviceGetDefaultMemPool(&pool, 0), "the device's memory pool");
  std::uint64_t all = UINT64_MAX;
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all), "the device's memory pool");
}

}  // namespace

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  if (status == cudaErrorMemoryAllocation) {
    std::size_t free = 0, total = 0;
    cudaMemGetInfo(&free, &total);
    throw IoError(
        fmt::format("the device is out of memory ({}; {:.1f} of {:.1f} GB are free): use a larger one, fewer "
                    "samples, or `solver=gamp`",
                    what, static_cast<double>(free) / gigabyte, static_cast<double>(total) / gigabyte));
  }
  throw IoError(fmt::format("the device failed ({}): {}", what, cudaGetErrorString(status)));
}

Device::Device() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaErrorInsufficientDriver) {
    int driver = 0, runtime = 0;
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    // Without any driver the version is 0.
    if (driver == 0) throw IoError("no device: there is no NVIDIA driver here; cavity does the same on the processor");
    throw IoError(
        fmt::format("the NVIDIA driver is too old: it serves CUDA {}.{}, and this program needs {}.{}; update "
                    "it, or use cavity, which does the same on the processor",
                    driver / 1000, driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10));
  }
  if (status != cudaSuccess || count == 0)
    throw IoError(fmt::format("no device: {}; cavity does the same on the processor",
                              status == cudaSuccess ? "none is visible" : cudaGetErrorString(status)));
  check(cudaSetDevice(0), "choosing the device");
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, 0), "asking for its properties");
  name_ = properties.name;
  total_bytes_ = properties.totalGlobalMem;
  keep_freed_memory();
  check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "a stream");
  libraries_.open(stream_);
}

Device::~Device() {
  libraries_.close();
  if (stream_) cudaStreamDestroy(stream_);
}

std::size_t Device::free_bytes() const {
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "asking for free memory");
  return free;
}

void Device::wait() const { check(cudaStreamSynchronize(stream_), "waiting for its work"); }

}  // namespace cavity::cuda
