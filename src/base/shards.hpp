// The one place that knows several processes. Features are dealt out to them in order, samples are everywhere: every
// vector over features is a process's own part, every vector over samples is the same in all. The only communication
// is a sum; what all processes then hold has the same bits, so that they take the same decisions.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace cavity {

class Accelerator;

class Shards {
 public:
  virtual ~Shards() = default;

  /// What this process has beside its cores (design/accelerator.hpp); none: nothing.
  virtual const Accelerator* accelerator() const { return nullptr; }

  virtual std::size_t rank() const { return 0; }
  virtual std::size_t ranks() const { return 1; }
  bool alone() const { return ranks() == 1; }

  /// Each entry becomes its sum over all processes, added in the order of their ranks. All must call it alike.
  virtual void sum(std::span<double>) const {}
  double sum(double value) const {
    sum(std::span(&value, 1));
    return value;
  }

  /// The vectors of all processes one after the other, in the order of their ranks.
  std::vector<double> join(std::span<const double> mine) const;

  /// True when it is true in every process.
  bool all(bool mine) const { return sum(mine ? 0.0 : 1.0) == 0; }
  double largest(double mine) const;

  /// This process's part of `count` things: [first, last).
  struct Part {
    std::size_t first, last;
    std::size_t count() const { return last - first; }
  };
  Part part(std::size_t count) const { return {count * rank() / ranks(), count * (rank() + 1) / ranks()}; }

  /// Where `mine` things of this process stand when those of all are put in a row.
  Part place(std::size_t mine) const;

  /// Spent in sums so far, waiting for the others included.
  virtual double seconds() const { return 0; }

  /// One process that holds all features.
  static const Shards& whole();
};

}  // namespace cavity
