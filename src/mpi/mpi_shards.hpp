// Shards over MPI: the only file that calls it beside main.
#pragma once

#include <cstddef>

#include "base/shards.hpp"

namespace cavity {

/// All processes of MPI_COMM_WORLD. MPI must be initialised, and outlive this.
class MpiShards final : public Shards {
 public:
  MpiShards();
  std::size_t rank() const override { return rank_; }
  std::size_t ranks() const override { return ranks_; }
  using Shards::sum;
  void sum(std::span<double> values) const override;
  double seconds() const override { return seconds_; }

 private:
  std::size_t rank_, ranks_;
  mutable double seconds_ = 0;
};

}  // namespace cavity
