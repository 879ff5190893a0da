#include "cuda/cuda_accelerator.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cavity/errors.hpp"
#include "cuda/dense_values.hpp"
#include "cuda/device_design.hpp"
#include "cuda/genotype_values.hpp"

namespace cavity::cuda {

namespace {

constexpr double gigabyte = 1e9;
constexpr double most_of_it = 0.9;           // of the memory: the libraries and the driver have their share
constexpr double most_ep_operations = 5e13;  // samples^2 x features: two seconds or so an update of the largest

// K and R, the library's work, and up to a quarter of the samples as members of the negative part, with their F, M, c
// and products; a panel of features and its product.
std::size_t ep_bytes(std::size_t samples, std::size_t features) {
  const std::size_t square = samples * samples * sizeof(double);
  return 5 * square + 2 * samples * std::min(features, panel_features) * sizeof(double);
}

}  // namespace

const Device& CudaAccelerator::device() const {
  std::call_once(started_, [this] { device_ = std::make_unique<Device>(); });
  return *device_;
}

std::size_t CudaAccelerator::room(std::size_t bytes) const {
  constexpr std::size_t for_blocks = std::size_t{2} << 30;  // of a table that is sent in every pass, and their vectors
  const auto most = static_cast<std::size_t>(most_of_it * static_cast<double>(device().free_bytes()));
  if (bytes <= std::min(most, most_bytes_)) return bytes;
  return std::min(most - std::min(most, for_blocks), most_bytes_);
}

std::unique_ptr<const Design> CudaAccelerator::hold(std::unique_ptr<const DenseDesign> host) const {
  const std::size_t most = room(DenseValues::bytes(host->samples(), host->features()));
  auto values = std::make_unique<DenseValues>(device(), *host, most);
  return std::make_unique<DeviceDesign>(device(), shards_, std::move(host), std::move(values));
}

std::unique_ptr<const Design> CudaAccelerator::hold(std::unique_ptr<const GenotypeDesign> host) const {
  const std::size_t most = room(GenotypeValues::bytes(host->samples(), host->features()));
  ThreadPool pool(0);
  auto values = std::make_unique<GenotypeValues>(device(), *host, most, pool);
  return std::make_unique<DeviceDesign>(device(), shards_, std::move(host), std::move(values));
}

bool CudaAccelerator::takes_ep(std::size_t samples, std::size_t features) const {
  const auto m = static_cast<double>(samples), n = static_cast<double>(features);
  const std::size_t bytes = DenseValues::bytes(samples, features) + ep_bytes(samples, features);
  return m * m * std::max(m, n) <= most_ep_operations &&
         static_cast<double>(bytes) <= most_of_it * static_cast<double>(device().total_bytes());
}

std::string CudaAccelerator::ep_rule() const {
  return fmt::format("what fits into {:.0f} GB of {}, up to {:.0e} operations an update",
                     static_cast<double>(device().total_bytes()) / gigabyte, device().name(), most_ep_operations);
}

}  // namespace cavity::cuda
