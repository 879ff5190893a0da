// What needs all features at once, the sampler and kernels, every process does for itself over the whole table, all
// alike, and keeps its own part of what is found: the answer is that of one process.
#pragma once

#include <memory>

#include "prepare/prepare.hpp"
#include "search/cells.hpp"
#include "search/grid_solver.hpp"

namespace cavity {

class WholeTable {
 public:
  /// Where features are not shared it is the problem itself.
  WholeTable(const Prepared& prepared, const GridProblem& problem);

  const GridProblem& problem() const { return problem_; }
  /// Over all features; none where they are not shared.
  std::shared_ptr<const Design> design() const { return design_; }

  /// Of a cell of the whole table what this process holds. All processes must call it alike.
  SolvedCell own_part(SolvedCell cell) const;

 private:
  const Shards& shards_;
  std::size_t own_features_;
  std::shared_ptr<const Design> design_;
  GridProblem problem_;
};

}  // namespace cavity
