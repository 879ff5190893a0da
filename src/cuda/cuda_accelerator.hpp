// The device as the library sees it: it takes dense tables and genotypes; sparse tables stay on the processor.
#pragma once

#include <memory>
#include <mutex>

#include "cuda/device.hpp"
#include "design/accelerator.hpp"

namespace cavity::cuda {

class CudaAccelerator final : public Accelerator {
 public:
  explicit CudaAccelerator(const Shards& shards) : shards_(shards) {}
  std::unique_ptr<const Design> hold(std::unique_ptr<const DenseDesign> host) const override;
  std::unique_ptr<const Design> hold(std::unique_ptr<const GenotypeDesign> host) const override;
  bool takes_ep(std::size_t samples, std::size_t features) const override;
  std::string ep_rule() const override;

 private:
  /// Started when it is first asked for: `--help` needs none.
  const Device& device() const;
  void require(std::size_t bytes, std::size_t samples, std::size_t features) const;

  const Shards& shards_;
  mutable std::once_flag started_;
  mutable std::unique_ptr<Device> device_;
};

/// One process with a device.
class CudaShards final : public Shards {
 public:
  CudaShards() : accelerator_(*this) {}
  const Accelerator* accelerator() const override { return &accelerator_; }

 private:
  CudaAccelerator accelerator_;
};

}  // namespace cavity::cuda
