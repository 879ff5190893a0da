// The device as the library sees it: it takes dense tables and genotypes, of those that do not fit a part, the rest of
// which it is sent in every pass; sparse tables stay on the processor.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>

#include "cuda/device.hpp"
#include "design/accelerator.hpp"

namespace cavity::cuda {

class CudaAccelerator final : public Accelerator {
 public:
  /// `most_bytes`: of the device's memory, that tables may take.
  CudaAccelerator(const Shards& shards, std::size_t most_bytes) : shards_(shards), most_bytes_(most_bytes) {}
  std::unique_ptr<const Design> hold(std::unique_ptr<const DenseDesign> host) const override;
  std::unique_ptr<const Design> hold(std::unique_ptr<const GenotypeDesign> host) const override;
  bool takes_ep(std::size_t samples, std::size_t features) const override;
  std::string ep_rule() const override;

 private:
  /// Started when it is first asked for: `--help` needs none.
  const Device& device() const;
  /// Of the device's memory, for a table that takes `bytes`.
  std::size_t room(std::size_t bytes) const;

  const Shards& shards_;
  std::size_t most_bytes_;
  mutable std::once_flag started_;
  mutable std::unique_ptr<Device> device_;
};

/// One process with a device.
class CudaShards final : public Shards {
 public:
  explicit CudaShards(std::size_t most_bytes = SIZE_MAX) : accelerator_(*this, most_bytes) {}
  const Accelerator* accelerator() const override { return &accelerator_; }

 private:
  CudaAccelerator accelerator_;
};

}  // namespace cavity::cuda
