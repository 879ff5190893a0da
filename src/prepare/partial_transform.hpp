// Transforms of whole samples where only some features are there. A rank among those that are there is no rank among
// all: they may be the strongly expressed half. So the values that training samples have at these features are the
// yardstick.
//   rank:  the k-th smallest of those that are there takes the mean, over training samples, of their k-th smallest
//          score; ties the mean over their places.
//   asinh: median and spread over the features that are there are brought to where those of the training samples are,
//          before asinh.
// Others look at no other feature and have nothing to mend. Cost: training samples x features x ln(features) once.
#pragma once

#include <span>
#include <vector>

#include "base/threads.hpp"
#include "cavity/preprocessing.hpp"

namespace cavity {

class PartialTransform {
 public:
  /// `training`: rows of the features that inference keeps, transformed; `there`: columns.
  PartialTransform(Transform kind, const FeatureMatrix& training, std::span<const std::uint32_t> there,
                   ThreadPool& pool);

  /// A row of all kept features after the transform of a sample whose absent ones had any value: those that are there
  /// are mended in place, whose order and proportions that transform has kept.
  void operator()(std::span<float> row) const;

 private:
  void rank(std::span<float> row) const;
  void asinh(std::span<float> row) const;

  Transform kind_;
  std::span<const std::uint32_t> there_;
  std::vector<double> reference_;        // rank: a place
  double middle_ = 0, spread_ = 1;       // asinh
};

}  // namespace cavity
