// When a column of the grid, walked from dense to sparse, has shown enough. Its leave-one-out log loss is smooth: the
// column ends where two cells in a row are clearly worse than its best, or where one does not converge.
#pragma once

#include "assess/mean_error.hpp"
#include "infer/posterior.hpp"

namespace cavity {

class ColumnEnd {
 public:
  /// `groups`: as in Problem.
  explicit ColumnEnd(const SampleGroups* groups) : groups_(groups) {}

  void learn(const Posterior& p) {
    if (p.status == Status::not_visited) return;
    failed_ = p.status != Status::converged;
    if (failed_) return;
    const bool first = best_.empty();
    worse_ = !first && clearly_better(best_, p.loo_log_probability, groups_) ? worse_ + 1 : 0;
    if (!first && p.loo_log_loss >= lowest_) return;
    lowest_ = p.loo_log_loss;
    best_ = p.loo_log_probability;
  }
  bool reached() const { return worse_ > 1 || failed_; }

 private:
  std::vector<double> best_;  // ln P a sample, of the best cell so far
  double lowest_ = 0;         // its log loss
  int worse_ = 0;             // cells in a row
  const SampleGroups* groups_;
  bool failed_ = false;
};

/// What stands in a cell beyond the end.
inline Posterior not_visited() {
  Posterior out;
  out.status = Status::not_visited;
  return out;
}

}  // namespace cavity
