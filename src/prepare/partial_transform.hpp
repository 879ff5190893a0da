// Transforms of whole samples where only some features are there. A rank among those that are there is no rank among
// all: they may be the strongly expressed half. So the values that training samples have at these features are the
// yardstick.
//   rank:  the k-th smallest of those that are there takes the mean, over up to 64 training samples, of their k-th
//          smallest score; ties the middle of their places.
//   asinh: median and spread over the features that are there are brought to where those of the training samples are,
//          before asinh.
// Others look at no other feature and have nothing to mend. Cost: 64 features ln(features) once, O(features) a row.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/threads.hpp"
#include "cavity/preprocessing.hpp"
#include "prepare/transform.hpp"

namespace cavity {

class PartialTransform {
 public:
  /// `training`: rows of the features that inference keeps, transformed; `there`: columns.
  PartialTransform(Transform kind, const FeatureMatrix& training, std::span<const std::uint32_t> there,
                   ThreadPool& pool);

  /// A row of all kept features after the transform of a sample whose absent ones had any value: those that are there
  /// are mended in place, whose order and proportions that transform has kept.
  /// Copies have their own scratch: one a thread.
  void operator()(std::span<float> row);

 private:
  void asinh(std::span<float> row) const;

  Transform kind_;
  std::span<const std::uint32_t> there_;
  std::optional<RowTransform> rank_{};
  double middle_ = 0, spread_ = 1;  // asinh
};

}  // namespace cavity
