// When a column of the grid, walked from dense to sparse, has shown enough. Its leave-one-out log loss is smooth: the
// column ends where that has clearly passed its best, or where a cell does not converge.
#pragma once

#include "infer/posterior.hpp"

namespace cavity {

class ColumnEnd {
 public:
  /// `rises`: cells in a row that must rise clearly.
  explicit ColumnEnd(int rises = 2) : rises_(rises) {}

  /// `one_peak`: of several, by its leave-one-out.
  void learn(const Posterior& p, bool one_peak = false) {
    if (p.status == Status::not_visited) return;
    failed_ = p.status != Status::converged || one_peak;
    if (failed_) return;
    worse_ = p.loo_log_loss > best_ + clear_rise ? worse_ + 1 : 0;
    if (p.loo_log_loss < best_) best_ = p.loo_log_loss;
  }
  bool reached() const { return worse_ >= rises_ || failed_; }

 private:
  static constexpr double clear_rise = 0.005;  // nats a sample: more than neighbouring cells differ by
  double best_ = std::numeric_limits<double>::infinity();
  int rises_, worse_ = 0;
  bool failed_ = false;
};

/// What stands in a cell beyond the end.
inline Posterior not_visited() {
  Posterior out;
  out.status = Status::not_visited;
  return out;
}

}  // namespace cavity
