// Anderson acceleration of a fixed-point iteration x <- x + f(x): from the last few (x, f) pairs, the combination whose
// weighted residual is smallest. Cost: O(memory^2 x length) a step, at the speed of a matrix product.
#pragma once

#include <deque>
#include <span>
#include <vector>

#include "base/shards.hpp"
#include "base/threads.hpp"

namespace cavity {

/// Between two (x, f) pairs that follow each other.
template <class T>
struct PairDifference {
  std::vector<T> x, f;
};

/// What an iteration leaves for that of a similar problem, oldest first; single precision, for there may be many.
using AndersonHistory = std::vector<PairDifference<float>>;

class Anderson {
 public:
  /// Vectors are this process's parts, inner products those of all parts.
  Anderson(std::size_t memory, ThreadPool& pool, const Shards& shards = Shards::whole())
      : memory_(memory), pool_(pool), shards_(shards) {}

  void forget();
  bool knows() const { return !history_.empty(); }
  void resume(const AndersonHistory& history);
  AndersonHistory recent(std::size_t most) const;

  /// Records (x, f) and writes the step to take: mixing * f, improved by the history, at most 3 x the residual long.
  /// `weight` makes the coordinates comparable.
  void step(std::span<const double> x, std::span<const double> f, std::span<const double> weight, double mixing,
            bool accelerate, std::span<double> out);

 private:
  using Difference = PairDifference<double>;
  Difference* room_for_difference(std::size_t length);
  double add_history(std::span<const double> gamma, double mixing, std::span<const double> weight,
                     std::span<double> out) const;

  std::size_t memory_;
  ThreadPool& pool_;
  const Shards& shards_;
  std::vector<double> last_x_, last_f_;  // the newest pair; empty: none
  std::deque<Difference> history_;
};

}  // namespace cavity
