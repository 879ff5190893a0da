// Anderson acceleration of a fixed-point iteration x <- x + f(x): from the last few (x, f) pairs, the combination whose
// weighted residual is smallest. Cost: O(memory x length) a step.
#pragma once

#include <deque>
#include <span>
#include <vector>

#include "base/shards.hpp"

namespace cavity {

class Anderson {
 public:
  /// Vectors are this process's parts, inner products those of all parts.
  explicit Anderson(std::size_t memory, const Shards& shards = Shards::whole()) : memory_(memory), shards_(shards) {}

  void forget() { pairs_.clear(); }

  /// Records (x, f) and writes the step to take: mixing * f, improved by the history, at most 3 x the residual long.
  /// `weight` makes the coordinates comparable.
  void step(std::span<const double> x, std::span<const double> f, std::span<const double> weight, double mixing,
            bool accelerate, std::span<double> out);

 private:
  struct Pair {
    std::vector<double> x, f;
  };
  std::size_t memory_;
  const Shards& shards_;
  std::deque<Pair> pairs_;
};

}  // namespace cavity
