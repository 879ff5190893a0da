// The columns of features that have been kept, and their products with all others: what a move needs of the matrix.
#pragma once

#include <unordered_map>
#include <vector>

#include <Eigen/Core>

#include "design/design.hpp"

namespace cavity {

struct PlaceColumn {
  Eigen::VectorXd values;        // x_j, a sample
  std::vector<double> products;  // X^T x_j, a feature
};

/// Cost: one X^T v a feature that is not there. Memory is bounded: features not in use are forgotten when it is full.
class PlaceColumns {
 public:
  explicit PlaceColumns(const Design& design);

  const PlaceColumn& operator[](std::size_t feature) const { return columns_.at(feature); }
  /// x_l, whether it is there or not.
  Eigen::VectorXd values(std::size_t feature) const;
  /// Has `feature` ready and forgets, if it must, any but those of `in_use`.
  void fetch(std::size_t feature, const std::vector<std::size_t>& in_use, ThreadPool& pool);

 private:
  const Design& design_;
  std::size_t most_;
  std::unordered_map<std::size_t, PlaceColumn> columns_;
};

}  // namespace cavity
